package account

import "fmt"

// allowance says what a plan allows, for the sentence of a refusal.
func allowance(what Counter, n int64) string {
	many := func(one, more string) string {
		if n == 1 {
			return "1 " + one
		}
		return fmt.Sprintf("%d %s", n, more)
	}
	switch what {
	case Minds:
		return many("Mind", "Minds")
	case Audiences:
		return many("Audience", "Audiences")
	case AudienceMembers:
		if n == 0 {
			return "no members in an Audience (this workspace is locked)"
		}
		return many("member in an Audience", "members in an Audience")
	case Flows:
		return many("Study or chat", "Studies and chats")
	case Messages:
		return many("message in a chat", "messages in a chat")
	case Responses:
		return many("synthetic response a month", "synthetic responses a month")
	case Validations:
		return many("included validation a month", "included validations a month")
	case DatasetSegmentation:
		return "no Audiences from respondent data"
	case TeamSharing:
		return "no sharing with the team"
	}
	return "no " + string(what)
}

// wayOut says what the caller can do about it.
func wayOut(what Counter) string {
	switch what {
	case Minds, Audiences:
		return "Delete one that is no longer needed, or move to a larger plan."
	case AudienceMembers:
		return "Name fewer Minds, or move to a larger plan."
	case Responses:
		return "Ask fewer Minds, wait for the end of the period, or move to a larger plan."
	}
	return "Move to a larger plan."
}

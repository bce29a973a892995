package restapi

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/research/invite"
	"github.com/mindgate-dev/mindgate/shared/research/study"
)

func deleteStudy(ctx context.Context, c *call) (reply, error) {
	return nothing(c.Studies.Delete(ctx, c.id("studyId")))
}

func attachStudyAudiences(ctx context.Context, c *call) (reply, error) {
	var in struct {
		AudienceIDs []string `json:"audienceIds"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	out, err := c.Studies.Attach(ctx, c.id("studyId"), in.AudienceIDs)
	if err != nil {
		return reply{}, err
	}
	return ok(data(out))
}

// describeAttach adds the scope that the contract leaves open.
func describeAttach(o *agreed) { o.Scope = "flows:write" }

func updateStudySharing(ctx context.Context, c *call) (reply, error) {
	var in struct {
		On bool `json:"isLinkSharingEnabled"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	out, err := c.Studies.ShareLink(ctx, c.id("studyId"), in.On)
	if err != nil {
		return reply{}, err
	}
	return ok(data(out))
}

func inviteStudyCollaborators(ctx context.Context, c *call) (reply, error) {
	var in struct {
		Emails []string   `json:"emails"`
		Role   study.Role `json:"role"`
		Team   bool       `json:"inviteEntireTeam"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	out, _, err := c.Invitations.Invite(ctx, invite.Request{StudyID: c.id("studyId"), Emails: in.Emails, Role: in.Role, EntireTeam: in.Team})
	if err != nil {
		return reply{}, err
	}
	return ok(data(out))
}

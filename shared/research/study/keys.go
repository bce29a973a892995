package study

import (
	"fmt"
	"math"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Keys of this package.
//
//	w#<ws>#study#<id>        study                     the Study (studyRow)
//	w#<ws>#study#<id>        asked                     counter of its questions
//	w#<ws>#study#<id>        touched                   when it last changed (field at); last writer wins
//	w#<ws>#study#<id>        q#<question id>           a question and its outcome (questionRow)
//	w#<ws>#study#<id>        m#<message id>            points to a question (field question)
//	w#<ws>#study#<id>        run#<inverted ms>#<inverted run>  a run, for lists newest first (field question)
//	w#<ws>#study#<id>        invited#<folded address>  who was asked to it (fields role, at)
//	w#<ws>#gone-study#<id>   gone                      what is left to do of a deletion (DeleteJob)
//	w#<ws>#run#<id>          run                       points to the run's row (fields study, question)
//	w#<ws>#question#<id>     panel                     who is asked (packed panel)
//	w#<ws>#question#<id>     p#<chunk>                 who is asked in one chunk (chunkRow); written when it starts
//	w#<ws>#question#<id>     a#<chunk>                 answers of one chunk of Minds (answerChunk)
//	w#<ws>#<owner>#studies   <inverted ms>#<inverted id>   list row, newest first (studyRow)
//	w#<ws>#<owner>#counts    studies                   how many Studies the owner has
//	share#<share id>         share                     global: which Study a share id shows
//
// Idempotent operations: create_study (of an account; refers to a Study) and
// ask_study (within a Study; refers to a question).
const (
	skStudy   = "study"
	skAsked   = "asked"
	skTouched = "touched"
	skRun     = "run"
	skShare   = "share"
	skPanel   = "panel"

	prefixQuestion = "q#"
	prefixMessage  = "m#"
	prefixRun      = "run#"
	prefixAnswers  = "a#"
	prefixChunk    = "p#"
	prefixInvited  = "invited#"

	fieldQuestion = "question"
	fieldStudy    = "study"
	fieldState    = "state"
	fieldAt       = "at"
	fieldRole     = "role"
	fieldOwner    = "owner"
	fieldSpace    = "workspace"
)

func studyPK(ws, study string) string { return account.WorkspacePrefix(ws) + "study#" + study }

func studyKey(ws, study string) records.Key {
	return records.Key{PK: studyPK(ws, study), SK: skStudy}
}

func askedKey(ws, study string) records.Key {
	return records.Key{PK: studyPK(ws, study), SK: skAsked}
}

func touchedKey(ws, study string) records.Key {
	return records.Key{PK: studyPK(ws, study), SK: skTouched}
}

func questionKey(ws, study, question string) records.Key {
	return records.Key{PK: studyPK(ws, study), SK: prefixQuestion + question}
}

func messageKey(ws, study, message string) records.Key {
	return records.Key{PK: studyPK(ws, study), SK: prefixMessage + message}
}

func invitedKey(ws, study, address string) records.Key {
	return records.Key{PK: studyPK(ws, study), SK: prefixInvited + address}
}

func goneKey(ws, study string) records.Key {
	return records.Key{PK: account.WorkspacePrefix(ws) + "gone-study#" + study, SK: "gone"}
}

func runListKey(ws, study, run string, created time.Time) records.Key {
	return records.Key{PK: studyPK(ws, study), SK: prefixRun + inverted(created) + "#" + invertHex(run)}
}

func runKey(ws, run string) records.Key {
	return records.Key{PK: account.WorkspacePrefix(ws) + "run#" + run, SK: skRun}
}

func answersPK(ws, question string) string {
	return account.WorkspacePrefix(ws) + "question#" + question
}

func panelKey(ws, question string) records.Key {
	return records.Key{PK: answersPK(ws, question), SK: skPanel}
}

func answersKey(ws, question string, chunk int) records.Key {
	return records.Key{PK: answersPK(ws, question), SK: fmt.Sprintf("%s%05d", prefixAnswers, chunk)}
}

func chunkKey(ws, question string, chunk int) records.Key {
	return records.Key{PK: answersPK(ws, question), SK: fmt.Sprintf("%s%05d", prefixChunk, chunk)}
}

func listPK(ws, owner string) string {
	return account.WorkspacePrefix(ws) + owner + "#studies"
}

func listKey(ws, owner, study string, created time.Time) records.Key {
	return records.Key{PK: listPK(ws, owner), SK: inverted(created) + "#" + invertHex(study)}
}

func countKey(ws, owner string) records.Key {
	return records.Key{PK: account.WorkspacePrefix(ws) + owner + "#counts", SK: "studies"}
}

func shareKey(share string) records.Key {
	return records.Key{PK: "share#" + share, SK: skShare}
}

// inverted writes a time so that later times sort first.
func inverted(t time.Time) string { return fmt.Sprintf("%013d", math.MaxInt64/1_000_000-t.UnixMilli()) }

// invertHex turns the digits of a UUID around (0 is f), so that of two records
// of one millisecond the larger id sorts first.
func invertHex(id string) string {
	out := []byte(id)
	for i, c := range out {
		switch {
		case c >= '0' && c <= '9':
			out[i] = hexDigit(15 - (c - '0'))
		case c >= 'a' && c <= 'f':
			out[i] = hexDigit(15 - (c - 'a' + 10))
		}
	}
	return string(out)
}

func hexDigit(n byte) byte { return "0123456789abcdef"[n] }

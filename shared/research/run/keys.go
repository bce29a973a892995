package run

import (
	"fmt"
	"math"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Keys of this package. A run has a partition of its own.
//
//	w#<ws>#run#<id>      planned                   the run (runRow); field state
//	w#<ws>#run#<id>      plan                      the confirmed plan, byte for byte (packed)
//	w#<ws>#run#<id>      roll                      who is asked (packed study.Roll)
//	w#<ws>#run#<id>      execution                 the execution plan (packed execution)
//	w#<ws>#run#<id>      c#<chunk>                 the Minds of a chunk as they were at the start (chunkRow)
//	w#<ws>#run#<id>      i#<position>              an item that has started, with its figures (itemRow)
//	w#<ws>#run#<id>      o#<chunk>#<position>      what the Minds of a chunk answered, in short (packed []own)
//	w#<ws>#run#<id>      a#<position>#<chunk>      their answers as results show them (packed []Answer)
//	w#<ws>#run#<id>      e#<sequence>              an event
//	w#<ws>#run#<id>      outcome                   calculations and consistency (packed outcome)
//	w#<ws>#study#<id>    planned#<inverted ms>#<inverted run>  a run, for lists newest first (field run)
//
// Idempotent operation: run_study_questions, within a draft; refers to a run.
const (
	skRun       = "planned"
	skPlan      = "plan"
	skRoll      = "roll"
	skExecution = "execution"
	skOutcome   = "outcome"

	prefixItem    = "i#"
	prefixEvent   = "e#"
	prefixList    = "planned#"
	prefixOwn     = "o#"
	prefixAnswers = "a#"

	fieldState = "state"
	fieldRun   = "run"
)

func runPK(ws, run string) string { return account.WorkspacePrefix(ws) + "run#" + run }

func key(ws, run, sk string) records.Key { return records.Key{PK: runPK(ws, run), SK: sk} }

func chunkSK(chunk int) string { return fmt.Sprintf("c#%05d", chunk) }

func itemSK(position int) string { return fmt.Sprintf("%s%04d", prefixItem, position) }

func ownSK(chunk, position int) string { return fmt.Sprintf("%s%05d#%04d", prefixOwn, chunk, position) }

func answersSK(position, chunk int) string {
	return fmt.Sprintf("%s%04d#%05d", prefixAnswers, position, chunk)
}

func eventSK(sequence int) string { return fmt.Sprintf("%s%09d", prefixEvent, sequence) }

func listPK(ws, study string) string { return account.WorkspacePrefix(ws) + "study#" + study }

// listKey sorts later runs first; of two of one millisecond, the larger id.
func listKey(ws, study, run string, created time.Time) records.Key {
	id := []byte(run)
	for i, c := range id {
		switch {
		case c >= '0' && c <= '9':
			id[i] = "fedcba9876"[c-'0']
		case c >= 'a' && c <= 'f':
			id[i] = "543210"[c-'a']
		}
	}
	return records.Key{PK: listPK(ws, study), SK: fmt.Sprintf("%s%013d#%s", prefixList, math.MaxInt64/1_000_000-created.UnixMilli(), id)}
}

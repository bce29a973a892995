package export_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research/export"
)

// A download address works without a credential for five minutes (M-222), for
// its own job of its own Study only.
func TestTicket_M222(t *testing.T) {
	w := newWorld(t, account.Team)
	job, err := w.Start(w.ctx, export.Request{StudyID: studyID, Format: "md"})
	w.must(err)
	w.run()
	done, err := w.Status(w.ctx, studyID, job.JobID, "", "")
	w.must(err)
	address, err := url.Parse(*done.DownloadURL)
	w.must(err)
	ticket := address.Query().Get("ticket")

	p, err := w.Redeem(studyID, job.JobID, ticket)
	if err != nil || p.Workspace != "ws" || p.Account != "acc" || p.Has("flows:write") {
		t.Fatalf("%+v, %v", p, err)
	}
	if link, err := w.Download(account.With(t.Context(), p), studyID, job.JobID, "", ""); err != nil || link == "" {
		t.Fatalf("%q, %v", link, err)
	}
	const other = "7b2c1e34-5a6d-4f80-9b1c-2d3e4f506172"
	for name, try := range map[string][3]string{
		"another job":   {studyID, other, ticket},
		"another Study": {other, job.JobID, ticket},
		"cut":           {studyID, job.JobID, ticket[:len(ticket)-2]},
		"no signature":  {studyID, job.JobID, ticket[:20]},
		"empty":         {studyID, job.JobID, ""},
		"other claims":  {studyID, job.JobID, "d3MuYWNjLjk5OTk5OTk5OTk" + ticket[len(ticket)-44:]},
		"not base64":    {studyID, job.JobID, "%%.%%"},
	} {
		if _, err := w.Redeem(try[0], try[1], try[2]); !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	w.clock.Advance(5*time.Minute - time.Second)
	if _, err := w.Redeem(studyID, job.JobID, ticket); err != nil {
		t.Errorf("a second before its end: %v", err)
	}
	w.clock.Advance(time.Second)
	if _, err := w.Redeem(studyID, job.JobID, ticket); !fault.Is(err, fault.NotFound) {
		t.Errorf("after five minutes: %v", err)
	}
}

package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"
)

const (
	memberCount = 48
	atOnce      = 8                      // requests under way at a time
	pollEvery   = 250 * time.Millisecond // grows to pollMost
	pollMost    = 3 * time.Second
	pollLimit   = 5 * time.Minute
)

// research is one run of the demo against one gateway.
type research struct {
	g   *gateway
	s   survey
	out string
	w   io.Writer
}

// grounded is the question whose published distribution the Minds are given.
const grounded = "doneness"

func (r research) do(ctx context.Context) error {
	id := make([]byte, 4)
	if _, err := rand.Read(id); err != nil {
		return err
	}
	run := hex.EncodeToString(id)
	fmt.Fprintf(r.w, "\n%s (%s)\n%s\n\n", r.s.Title, r.s.Source, r.s.Attribution)

	minds, err := r.makeMinds(ctx)
	if err != nil {
		return err
	}
	if err := r.giveKnowledge(ctx, minds); err != nil {
		return err
	}
	study, err := r.makeStudy(ctx, run, minds)
	if err != nil {
		return err
	}
	for _, q := range r.s.Questions {
		result, err := r.ask(ctx, study, q)
		if err != nil {
			return err
		}
		printResult(r.w, q, result)
	}
	for file, format := range map[string]string{"report.md": "md", "answers.csv": "csv"} {
		if err := r.export(ctx, study, format, filepath.Join(r.out, file)); err != nil {
			return err
		}
	}
	fmt.Fprintf(r.w, "\nWritten: %s and %s. Every answer is simulated.\n",
		filepath.Join(r.out, "report.md"), filepath.Join(r.out, "answers.csv"))
	return nil
}

// makeMinds creates the members and waits until all are ready.
func (r research) makeMinds(ctx context.Context) ([]string, error) {
	p := progress{w: r.w, what: "Minds created", total: memberCount}
	ids := make([]string, memberCount)
	for i, member := range r.s.personas(memberCount) {
		// One after the other: a Mind's place in the draw is the order in which it is made.
		var out struct {
			Mind struct {
				ID string `json:"id"`
			} `json:"mind"`
		}
		err := r.g.call(ctx, "create_mind", map[string]any{
			"name": member.Name, "mode": "clone", "type": "user", "personaContext": member.context(),
			"includeWebSearch": false, "idempotencyKey": uuid.NewString(),
		}, &out)
		if err != nil {
			return nil, err
		}
		ids[i] = out.Mind.ID
		p.step()
	}
	p = progress{w: r.w, what: "Minds ready", total: memberCount}
	ready := map[string]bool{}
	return ids, poll(ctx, "training of the Minds", func() (bool, error) {
		for offset := 0; len(ready) < len(ids); {
			var page struct {
				Minds []struct {
					ID             string `json:"id"`
					ReadyToChat    bool   `json:"readyToChat"`
					TrainingStatus string `json:"trainingStatus"`
				} `json:"minds"`
				NextOffset *int `json:"nextOffset"`
			}
			if err := r.g.call(ctx, "list_minds", map[string]any{"limit": 100, "offset": offset}, &page); err != nil {
				return false, err
			}
			mine := map[string]bool{}
			for _, id := range ids {
				mine[id] = true
			}
			for _, m := range page.Minds {
				if mine[m.ID] && m.TrainingStatus == "failed" {
					return false, fmt.Errorf("training of Mind %s failed", m.ID)
				}
				if mine[m.ID] && m.ReadyToChat && !ready[m.ID] {
					ready[m.ID] = true
					p.step()
				}
			}
			// The newest stand first, so all of ours are on the first page.
			if page.NextOffset == nil || offset >= memberCount {
				break
			}
			offset = *page.NextOffset
		}
		return len(ready) == len(ids), nil
	})
}

// giveKnowledge uploads the published distribution of one question to each Mind.
func (r research) giveKnowledge(ctx context.Context, minds []string) error {
	var file []byte
	for _, q := range r.s.Questions {
		if q.ID == grounded {
			var err error
			if file, err = r.s.evidence(q); err != nil {
				return err
			}
		}
	}
	p := progress{w: r.w, what: "Minds given the published distribution of the first question", total: len(minds)}
	var group errgroup.Group
	group.SetLimit(atOnce)
	for _, id := range minds {
		group.Go(func() error {
			item, err := r.g.upload(ctx, id, "steak-doneness-2014.json", "application/json", file)
			if err != nil {
				return err
			}
			err = poll(ctx, "reading of the uploaded file", func() (bool, error) {
				var out struct {
					Data struct {
						Status            string `json:"status"`
						ReadyForRetrieval bool   `json:"readyForRetrieval"`
						Error             string `json:"error"`
					} `json:"data"`
				}
				err := r.g.rest(ctx, http.MethodGet, "/api/v1/minds/"+id+"/knowledge/"+item+"/status", "", nil, &out)
				if err == nil && out.Data.Status == "failed" {
					err = errors.New("the gateway could not read the file: " + out.Data.Error)
				}
				return out.Data.ReadyForRetrieval, err
			})
			p.step()
			return err
		})
	}
	return group.Wait()
}

func (r research) makeStudy(ctx context.Context, run string, minds []string) (string, error) {
	var audience struct {
		Audience struct {
			ID string `json:"id"`
		} `json:"audience"`
	}
	err := r.g.call(ctx, "create_audience", map[string]any{"name": "US adults of the steak survey " + run, "mindIds": minds}, &audience)
	if err != nil {
		return "", err
	}
	var study struct {
		StudyID string `json:"studyId"`
	}
	err = r.g.call(ctx, "create_study", map[string]any{
		"name": "Steak and risk " + run, "audienceIds": []string{audience.Audience.ID},
	}, &study)
	return study.StudyID, err
}

// result is what the demo reads of one settled question.
type result struct {
	QuestionID string `json:"questionId"`
	Status     string `json:"status"`
	Answered   int    `json:"answeredCount"`
	Total      int    `json:"totalMinds"`
	Error      string `json:"error"`
	Audiences  []struct {
		Base struct {
			Asked, Answered, Failed int
		} `json:"base"`
		Percentages map[string]float64 `json:"percentages"`
		Evidence    evidenceStates     `json:"evidence"`
	} `json:"audiences"`
}

type evidenceStates struct {
	Stated, Grounded, Related, Trait, Unsupported, CannotAnswer int
	Headline                                                    string
}

// ask puts one question to the Study and waits for its answers.
func (r research) ask(ctx context.Context, study string, q question) (result, error) {
	fmt.Fprintf(r.w, "\n%s\n", q.Ask)
	var asked struct {
		QuestionID string `json:"questionId"`
	}
	if err := r.g.call(ctx, "ask_study", map[string]any{"studyId": study, "question": q.Ask}, &asked); err != nil {
		return result{}, err
	}
	var done result
	err := poll(ctx, "the answers", func() (bool, error) {
		var status struct {
			Active []result `json:"activeQuestions"`
			Recent []result `json:"recentResults"`
			Failed []result `json:"failedQuestions"`
		}
		err := r.g.call(ctx, "get_study_status", map[string]any{"studyId": study, "questionId": asked.QuestionID}, &status)
		if err != nil {
			return false, err
		}
		for _, f := range status.Failed {
			if f.QuestionID == asked.QuestionID {
				return false, errors.New("the question failed: " + f.Error)
			}
		}
		for _, a := range status.Recent {
			if a.QuestionID == asked.QuestionID {
				done = a
				fmt.Fprintf(r.w, "  %d of %d answered\n", a.Answered, a.Total)
				return true, nil
			}
		}
		for _, a := range status.Active {
			fmt.Fprintf(r.w, "  %d of %d answered\n", a.Answered, a.Total)
		}
		return false, nil
	})
	return done, err
}

// export makes one artifact of the Study and saves it.
func (r research) export(ctx context.Context, study, format, file string) error {
	args := map[string]any{"studyId": study, "format": format}
	if format == "csv" {
		args["kind"] = "raw_data"
	}
	var job struct{ Kind, Format, JobID string }
	if err := r.g.call(ctx, "export_study", args, &job); err != nil {
		return err
	}
	err := poll(ctx, "the export", func() (bool, error) {
		var status struct {
			Export struct {
				Status string `json:"status"`
				Error  string `json:"error"`
			} `json:"exportStatus"`
		}
		err := r.g.call(ctx, "get_study_status", map[string]any{
			"studyId": study, "exportJobId": job.JobID, "exportKind": job.Kind, "exportFormat": job.Format,
		}, &status)
		if err == nil && status.Export.Status == "failed" {
			err = errors.New("the export failed: " + status.Export.Error)
		}
		return status.Export.Status == "completed", err
	})
	if err != nil {
		return err
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	query := url.Values{"jobId": {job.JobID}, "kind": {job.Kind}, "format": {job.Format}}
	err = r.g.rest(ctx, http.MethodGet, "/api/v1/studies/"+study+"/export-download?"+query.Encode(), "", nil, f)
	return errors.Join(err, f.Close())
}

// poll asks until done, slower with time.
func poll(ctx context.Context, what string, done func() (bool, error)) error {
	ctx, cancel := context.WithTimeoutCause(ctx, pollLimit, fmt.Errorf("%s took longer than %s", what, pollLimit))
	defer cancel()
	wait := pollEvery
	for {
		ok, err := done()
		if ok || err != nil {
			return err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		wait = min(wait*3/2, pollMost)
	}
}

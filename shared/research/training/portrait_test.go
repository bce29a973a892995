package training_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/portrait"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/training"
)

func TestPortraits_M24(t *testing.T) {
	w := open(t, nil)
	no := false
	r := mind.CreateRequest{Name: "Ada", Mode: "clone", PersonaContext: "Age: 34\nGender: Female"}
	m := w.create(t, r)
	if m.HasPicture() {
		t.Fatal("a picture before its training")
	}
	w.Run(t)
	m = w.get(t, m.ID)
	sum := w.Minds.Summary(m)
	if m.Portrait == nil || m.Portrait.Number != 1 || sum.ProfileImageURL == nil || !strings.Contains(*sum.ProfileImageURL, "/api/v1/minds/"+m.ID+"/portrait?v=1-") {
		t.Fatalf("%+v", sum)
	}
	rows, _, err := w.Minds.List(w.ctx, 1, 0)
	if err != nil || rows[0].ProfileImageURL == nil || *rows[0].ProfileImageURL != *sum.ProfileImageURL {
		t.Errorf("the list shows another picture: %v", err)
	}
	if alt := w.Minds.Detail(m).ProfileImageAlt; alt == nil || *alt == "" {
		t.Error("no alternative text")
	}

	image := func(force bool, about string) string {
		t.Helper()
		enqueued, skipped, err := w.Minds.RegenerateImage(w.ctx, m.ID, force, about)
		if err != nil || enqueued == (skipped != "") {
			t.Fatal(enqueued, skipped, err)
		}
		return skipped
	}
	if got := image(false, "in a garden"); !strings.Contains(got, "force") {
		t.Errorf("the skip rule: %q", got)
	}
	old := m.Portrait.PNG
	if got := image(true, "  in a garden "); got != "" {
		t.Errorf("with force: %q", got)
	}
	if got := image(true, ""); !strings.Contains(got, "being drawn already") {
		t.Errorf("while one is being drawn: %q", got)
	}
	drawing := w.Engine.Take()[0]
	for range 2 { // a repeated task draws nothing more
		if err := w.Step(w.ctx, drawing); err != nil {
			t.Fatal(err)
		}
	}
	m = w.get(t, m.ID)
	if m.Portrait.Number != 2 || m.Drawing != nil || m.SystemPrompt == "" {
		t.Errorf("%+v", m.Portrait)
	}
	if _, err := w.Blobs.Stat(w.ctx, old); err == nil {
		t.Error("the picture that was replaced is still stored")
	}
	if _, err := w.Blobs.Stat(w.ctx, m.Portrait.SVG); err != nil {
		t.Error(err)
	}

	// A picture that the Mind was given stays, unless force says otherwise.
	r.Name, r.ProfileImageURL = "Given", "https://www.example.com/me.png"
	given := w.create(t, r)
	w.Run(t)
	m = w.get(t, given.ID)
	if got := w.Minds.Summary(m).ProfileImageURL; got == nil || *got != r.ProfileImageURL {
		t.Errorf("after its training it shows %v", got)
	}
	if got := image(false, ""); !strings.Contains(got, "force") {
		t.Errorf("without force: %q", got)
	}
	image(true, "")
	w.Run(t)
	if m = w.get(t, m.ID); m.ProfileImageURL != "" || m.Portrait == nil {
		t.Error("force did not replace it")
	}
	if _, _, err := w.Minds.RegenerateImage(w.ctx, m.ID, true, strings.Repeat("é", 16_001)); !fault.Is(err, fault.Validation) {
		t.Errorf("16,001 characters: %v", err)
	}
	if _, _, err := w.Minds.RegenerateImage(w.ctx, m.ID, true, strings.Repeat("é", 16_000)); err != nil {
		t.Errorf("16,000 characters: %v", err)
	}

	r.Name, r.ProfileImageURL, r.GenerateImage = "None", "", &no
	none := w.create(t, r)
	w.Run(t)
	if w.get(t, none.ID).HasPicture() {
		t.Error("generateImage false, and a portrait")
	}
}

// A portrait never keeps a Mind from being ready, and its failure is told.
func TestAPortraitThatFails_M24(t *testing.T) {
	w := open(t, nil)
	w.Training = training.New(training.Deps{
		Minds: w.Minds, Knowledge: w.shelf, Accounts: w.Accounts, Blobs: w.Blobs, Clock: w.Clock,
		Draw: func(portrait.Spec) (portrait.Picture, error) { return portrait.Picture{}, errors.New("no paint") },
	})
	m := w.create(t, mind.CreateRequest{Name: "Ada", Mode: "clone", PersonaContext: "A nurse."})
	w.Run(t)
	m = w.get(t, m.ID)
	if !m.ReadyToChat() || m.Portrait != nil || strings.Count(w.message(t, m.ID), "No portrait could be drawn") != 1 {
		t.Errorf("ready %v: %s", m.ReadyToChat(), w.message(t, m.ID))
	}
	if enqueued, _, err := w.Minds.RegenerateImage(w.ctx, m.ID, false, ""); err != nil || !enqueued {
		t.Fatal(enqueued, err)
	}
	w.Run(t)
	if m = w.get(t, m.ID); m.Drawing != nil {
		t.Error("the request is still open")
	}
	// A machine that gave up, and one past its time, close it too.
	for _, end := range []func(job string) error{
		func(job string) error { return w.Training.PortraitFail(w.ctx, m.ID, job) },
		func(string) error {
			w.Clock.Advance(mind.PortraitTime + time.Minute)
			_, failed, err := w.Jobs.Sweep(w.ctx, map[string]func(context.Context, jobs.Job) error{mind.PortraitMachine: w.Training.ExpirePortrait})
			if failed != 1 {
				t.Errorf("%d failed", failed)
			}
			return err
		},
	} {
		if _, _, err := w.Minds.RegenerateImage(w.ctx, m.ID, false, ""); err != nil {
			t.Fatal(err)
		}
		if err := end(w.Engine.Take()[0].Name); err != nil {
			t.Fatal(err)
		}
		if m = w.get(t, m.ID); m.Drawing != nil {
			t.Error("the request is still open")
		}
	}
}

func TestRegenerateEmbeddings(t *testing.T) {
	w := open(t, nil)
	w.found = sources("https://a.test", "https://b.test")
	m := w.create(t, mind.CreateRequest{Name: "Tea", Mode: "keywords", Keywords: []string{"tea"}})
	w.Run(t)
	w.steps = 4
	for range 2 { // the second joins the first
		if n, err := w.Minds.RegenerateEmbeddings(w.ctx, m.ID); err != nil || n != 2 {
			t.Fatal(n, err)
		}
	}
	if tr := w.Minds.TrainingOf(w.get(t, m.ID)); !tr.ReadyToChat {
		t.Error("a rebuild of vectors keeps the Mind from answering")
	}
	started := w.Engine.Take()
	if len(started) != 1 || started[0].Machine != mind.EmbeddingsMachine {
		t.Fatalf("%+v", started)
	}
	if err := w.Step(w.ctx, started[0]); err != nil {
		t.Fatal(err)
	}
	if m := w.get(t, m.ID); m.Rebuilding != nil || w.embedded != 4 {
		t.Errorf("%+v, %d steps", m.Rebuilding, w.embedded)
	}
	if err := w.Step(w.ctx, started[0]); err != nil || w.embedded != 4 {
		t.Errorf("a repeated machine: %v, %d steps", err, w.embedded)
	}
	if _, err := w.Minds.RegenerateEmbeddings(w.ctx, m.ID); err != nil {
		t.Fatal(err)
	}
	if err := w.Training.ReembedFail(w.ctx, m.ID, w.Engine.Take()[0].Name); err != nil || w.get(t, m.ID).Rebuilding != nil {
		t.Errorf("given up: %v", err)
	}
}

package training

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/portrait"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// maxPicture bounds a stored picture, in bytes.
const maxPicture = 4 << 20

const noPortrait = "No portrait could be drawn; ask for one with regenerate_image."

// Portrait draws the Mind, for its training or for an open request. A Mind that
// has a picture keeps it unless the request says force or the refresh brings a
// new person. A picture that cannot be drawn is remarked and changes nothing
// else: the Mind is ready without it (M-24).
func (s *Service) Portrait(ctx context.Context, mindID, jobID string) error {
	m, err := s.d.Minds.Get(ctx, mindID)
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	request := m.Drawing
	if request != nil && request.JobID != jobID {
		request = nil
	}
	trains := m.Training.JobID == jobID && m.Training.Status == mind.Completed
	if request == nil && !trains {
		return nil
	}
	force := request != nil && request.Force || trains && m.Training.Redraw
	switch {
	case request != nil && request.Done:
	case request == nil && m.NoPortrait, m.HasPicture() && !force:
	default:
		if err := s.draw(ctx, m, jobID, force, request); err != nil {
			return err
		}
	}
	return s.tidy(ctx, mindID, jobID)
}

// picture draws one. Drawing is work of the processor alone: as many at once as
// there are trainings would let everybody else wait whose call needs it for a
// moment, so that one processor, where there are several, is left to the others.
func (s *Service) picture(ctx context.Context, of portrait.Spec) (portrait.Picture, error) {
	select {
	case s.drawing <- struct{}{}:
		defer func() { <-s.drawing }()
	case <-ctx.Done():
		return portrait.Picture{}, ctx.Err()
	}
	return s.d.Draw(of)
}

// draw makes, stores and installs a picture.
func (s *Service) draw(ctx context.Context, m mind.Mind, jobID string, force bool, request *mind.Drawing) error {
	number := 1
	if m.Portrait != nil {
		number = m.Portrait.Number + 1
	}
	steer := ""
	if request != nil {
		steer = request.Context
	}
	pic, err := s.picture(ctx, specOf(m, number, steer))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		s.d.Log.ErrorContext(ctx, "portrait not drawn", "workspace", m.Workspace, "mind", m.ID, "error", err)
		return s.d.Minds.Remark(ctx, m.ID, m.Training.JobID, noPortrait)
	}
	p := mind.Portrait{Alt: pic.Alt, Version: pic.Version, Number: number}
	// A prefix of its own, so that no other Mind's picture is the same blob.
	prefix := fmt.Sprintf("w/%s/portraits/%s", m.Workspace, m.ID)
	if p.PNG, err = s.d.Blobs.Put(ctx, prefix, "image/png", bytes.NewReader(pic.PNG), maxPicture); err != nil {
		return err
	}
	if p.SVG, err = s.d.Blobs.Put(ctx, prefix, "image/svg+xml", bytes.NewReader(pic.SVG), maxPicture); err != nil {
		return err
	}
	installed, err := s.d.Minds.Drawn(ctx, m.ID, jobID, force, p)
	if err != nil || installed {
		return err
	}
	// Not wanted any more: nothing of it stays, unless a twin of this task has
	// installed the same.
	now, err := s.d.Minds.Get(ctx, m.ID)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	if now.Portrait != nil && now.Portrait.PNG == p.PNG {
		return nil
	}
	return s.remove(ctx, p.PNG, p.SVG)
}

// tidy deletes the pictures that were replaced, then closes the request.
func (s *Service) tidy(ctx context.Context, mindID, jobID string) error {
	m, err := s.d.Minds.Get(ctx, mindID)
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if m.Drawing == nil || m.Drawing.JobID != jobID {
		return nil
	}
	if err := s.remove(ctx, m.Drawing.Old...); err != nil {
		return err
	}
	return s.d.Minds.Undrawn(ctx, mindID, jobID)
}

func (s *Service) remove(ctx context.Context, refs ...blobs.Ref) error {
	for _, ref := range refs {
		if err := s.d.Blobs.Delete(ctx, ref); err != nil {
			return err
		}
	}
	return nil
}

// specOf reads what a picture shows from the Mind. What a cohort assigned goes
// before what the profile says.
func specOf(m mind.Mind, number int, steer string) portrait.Spec {
	spec := portrait.Spec{Seed: m.ID + "/" + strconv.Itoa(number), Name: m.Name, Context: steer}
	age, gender := "", ""
	var setting []string
	for _, f := range simulate.ParseProfile(m.PersonaContext).Fields {
		switch f.Key {
		case "age":
			age = f.Value
		case "gender", "gender identity", "sex":
			gender = f.Value
		case "occupation", "job", "hobbies", "region", "location":
			setting = append(setting, f.Value)
		}
	}
	if id := m.Identity; id != nil {
		if id.Age > 0 {
			age = strconv.Itoa(id.Age)
		}
		if id.Gender != "" {
			gender = id.Gender
		}
	}
	spec.Age = firstNumber(age)
	switch strings.ToLower(strings.TrimSpace(gender)) {
	case "female", "woman", "f":
		spec.Presentation = "feminine"
	case "male", "man", "m":
		spec.Presentation = "masculine"
	}
	if spec.Context == "" {
		spec.Context = strings.TrimSpace(strings.Join(append([]string{m.Discipline}, setting...), " "))
	}
	return spec
}

// firstNumber reads "34", "34 years" and "25-34"; 0 is none, or none that is an age.
func firstNumber(s string) int {
	digits := strings.TrimLeftFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	if i := strings.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' }); i >= 0 {
		digits = digits[:i]
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n > 120 {
		return 0
	}
	return n
}

// PortraitFail closes a request for a portrait that could not be carried out.
func (s *Service) PortraitFail(ctx context.Context, mindID, jobID string) error {
	m, err := s.d.Minds.Get(ctx, mindID)
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := s.d.Minds.Remark(ctx, mindID, m.Training.JobID, noPortrait); err != nil {
		return err
	}
	return s.d.Minds.Undrawn(ctx, mindID, jobID)
}

// ExpirePortrait closes a request for a portrait that is past its deadline.
func (s *Service) ExpirePortrait(ctx context.Context, j jobs.Job) error {
	return s.expired(ctx, j, func(ctx context.Context, mindID string) error { return s.PortraitFail(ctx, mindID, j.ID) })
}

package study

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"golang.org/x/sync/errgroup"

	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research/attach"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// Brought reads what comes along with a question, by its address or its path.
type Brought interface {
	Read(ctx context.Context, r attach.Ref) (attach.File, error)
	// Ours tells whether an address is read from what the caller keeps here.
	Ours(address string) bool
}

// stimulus is a picture that a question shows. It was read once, before anybody was
// asked, and is kept under its digest.
type stimulus struct {
	ID   string    `json:"id,omitempty"`
	Name string    `json:"name"`
	Key  string    `json:"key,omitempty"` // names it among the assets (AssetKey)
	Ref  blobs.Ref `json:"ref"`
}

// stimuliAtOnce is how many pictures of a question are read at once.
const stimuliAtOnce = 4

// stimuli refuses what cannot be shown at all, before anything is read: a question
// is never asked without a part of it (M-77).
func (s *Service) stimuli(ctx context.Context, r AskRequest) error {
	for i, a := range r.Attachments {
		if s.d.Brought != nil && s.d.Brought.Ours(a.URL) {
			continue
		}
		if err := s.address(ctx, "attachments", i, a.URL); err != nil {
			return err
		}
	}
	for i, l := range r.Links {
		if err := s.address(ctx, "links", i, l.URL); err != nil {
			return err
		}
	}
	for i, l := range r.Keywords {
		if err := s.address(ctx, "keywords", i, l.URL); err != nil {
			return err
		}
	}
	switch {
	case len(r.Attachments) > 0 && r.SourcePolicy == "knowledge_only":
		return fault.New(fault.Validation, "attachments do not go with sourcePolicy knowledge_only, which answers from the knowledge of the Minds alone. Leave one of them out.").With("field", "attachments")
	case len(r.Attachments) > attach.MaxFiles:
		return fault.New(fault.Validation, "attachments has %d entries; at most %d are shown with a question.", len(r.Attachments), attach.MaxFiles).With("field", "attachments")
	case len(r.Links) > 0:
		return fault.New(fault.StimulusUnavailable, "links cannot be read yet, so the question was not asked. Give the evidence as a knowledge file of the Minds, or leave links out.")
	case len(r.Keywords) > 0:
		return fault.New(fault.StimulusUnavailable, "keywords cannot be searched for yet, so the question was not asked. Give the evidence as a knowledge file of the Minds, or leave keywords out.")
	}
	return nil
}

// look reads the pictures of a question, once, and keeps them. STIMULUS_UNAVAILABLE
// for what cannot be read or is none; nothing was charged then.
func (s *Service) look(ctx context.Context, ws string, attachments []Asset) ([]stimulus, error) {
	if len(attachments) == 0 {
		return nil, nil
	}
	if s.d.Brought == nil {
		return nil, fault.New(fault.StimulusUnavailable, "attachments cannot be read here, so the question was not asked. Put what the Minds need to know into the question's text.")
	}
	files := make([]attach.File, len(attachments))
	g, some := errgroup.WithContext(ctx)
	g.SetLimit(stimuliAtOnce)
	for i, a := range attachments {
		g.Go(func() (err error) {
			files[i], err = s.d.Brought.Read(some, attach.Ref{URL: a.URL, Path: a.Path, Name: a.Name, Type: a.Type})
			if err == nil && files[i].Picture == nil {
				err = &attach.Unreadable{Why: "is no picture (PNG, JPEG, GIF, WebP), and nothing else is shown. Put its text into the question, or give it to the Minds as knowledge"}
			}
			return unseen(i, err)
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	all := 0
	for _, f := range files {
		all += len(f.Picture.Data)
	}
	if all > attach.MaxPictures {
		return nil, fault.New(fault.StimulusUnavailable, "attachments have %d bytes together; at most %d are shown with a question, so it was not asked. Give smaller pictures.", all, attach.MaxPictures).With("field", "attachments")
	}
	out := make([]stimulus, len(files))
	for i, f := range files {
		ref, err := s.d.Blobs.Put(ctx, "w/"+ws, f.Picture.MediaType, bytes.NewReader(f.Picture.Data), attach.MaxPicture)
		if err != nil {
			return nil, err
		}
		out[i] = stimulus{ID: attachments[i].ID, Name: f.Name, Key: attachments[i].key(), Ref: ref}
	}
	return out, nil
}

// unseen says which attachment is not shown, and why.
func unseen(i int, err error) error {
	at := fmt.Sprintf("attachments[%d]", i)
	var u *attach.Unreadable
	var f *fault.Error
	switch {
	case errors.As(err, &u):
		return fault.New(fault.StimulusUnavailable, "%s %s. The question was not asked, and nothing is charged.", at, u.Why).With("field", at).Because(err)
	case errors.As(err, &f) && f.Code == fault.UnsafeURL:
		return fault.New(fault.UnsafeURL, "%s: %s", at, f.Message).With("field", at).Because(err)
	}
	return err
}

// shown gives the question with its pictures, where who answers was seen to see.
func (s *Service) shown(ctx context.Context, by simulate.Respondents, q questionRow) (simulate.Question, error) {
	out := q.Asked
	if talker, ok := by.(mind.Talker); len(q.Stimuli) == 0 || !ok || !talker.Can().Vision {
		return out, nil
	}
	for _, st := range q.Stimuli {
		r, err := s.d.Blobs.Open(ctx, st.Ref, 0, -1)
		if err != nil {
			return out, err
		}
		raw, err := io.ReadAll(io.LimitReader(r, attach.MaxPicture+1))
		_ = r.Close()
		if err != nil {
			return out, err
		}
		out.Pictures = append(out.Pictures, simulate.Picture{Name: st.Name, MediaType: st.Ref.MediaType, Data: raw})
	}
	return out, nil
}

// assets are the pictures of a question as a conversation about it names them.
func (q questionRow) assets() (out []Asset) {
	for _, st := range q.Stimuli {
		out = append(out, Asset{ID: st.ID, Name: st.Name, Type: st.Ref.MediaType})
	}
	return out
}

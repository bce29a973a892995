package template

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/fault"
)

// address is where an attachment is: its path where it has one.
func (a Attachment) address() string {
	if a.Path != "" {
		return a.Path
	}
	return a.URL
}

func unavailable(at, name string) error {
	return fault.New(fault.AssetUnavailable, "The file %q is not here any more: files that were brought here are kept for a day. Bring it again and name its new path, or leave it out.", name).
		With("path", at)
}

// keep copies the files that the questions show, so that they stay as long as the
// template does. had are the copies of the revision before; a file that is shown
// again, under its address there, is not read again. ASSET_UNAVAILABLE, UNSAFE_URL.
func (s *Service) keep(ctx context.Context, ws, id string, c Configuration, had map[string]blobs.Ref) (map[string]blobs.Ref, error) {
	kept := map[string]blobs.Ref{}
	var bytes int64
	for i, q := range c.Questions {
		for j, a := range q.Attachments {
			at := fmt.Sprintf("/configuration/questions/%d/attachments/%d", i, j)
			address := a.address()
			ref, known := kept[address]
			if !known {
				ref, known = had[address]
			}
			if !known && (s.d.Files == nil || !s.d.Files.Ours(address)) {
				if s.d.Check != nil {
					if err := s.d.Check(address); err != nil {
						return nil, about(at, err)
					}
				}
				continue
			}
			if !known {
				var err error
				if ref, err = s.copyIn(ctx, ws, id, at, a); err != nil {
					return nil, err
				}
			}
			if kept[address] == (blobs.Ref{}) {
				if bytes += ref.Size; bytes > maxBytes {
					return nil, invalid("/configuration/questions", "The files of the questions have more than %d MiB together. Leave some out, or split the instrument.", maxBytes>>20)
				}
			}
			kept[address] = ref
		}
	}
	return kept, nil
}

func about(at string, err error) error {
	var f *fault.Error
	if errors.As(err, &f) {
		return f.With("path", at+"/url")
	}
	return err
}

func (s *Service) copyIn(ctx context.Context, ws, id, at string, a Attachment) (blobs.Ref, error) {
	in, media, stored, err := s.d.Files.Open(ctx, a.address())
	if fault.Is(err, fault.NotFound) || err == nil && !stored {
		return blobs.Ref{}, unavailable(at, a.Name)
	}
	if err != nil {
		return blobs.Ref{}, err
	}
	defer in.Close()
	if media == "" {
		media = "application/octet-stream"
	}
	return s.d.Blobs.Put(ctx, filesPrefix(ws, id), media, in, maxBytes)
}

// bring gives the questions with their files brought into the caller's own keeping,
// so that the draft has nothing of the template's. ASSET_UNAVAILABLE.
func (s *Service) bring(ctx context.Context, r row, questions []Question) ([]Question, error) {
	placed := map[string]string{}
	out := make([]Question, len(questions))
	for i, q := range questions {
		out[i] = q
		out[i].Attachments = make([]Attachment, len(q.Attachments))
		for j, a := range q.Attachments {
			ref, ours := r.Files[a.address()]
			out[i].Attachments[j] = a
			if !ours {
				continue
			}
			path, done := placed[a.address()]
			if !done {
				var err error
				if path, err = s.copyOut(ctx, ref, a, fmt.Sprintf("/configuration/questions/%d/attachments/%d", i, j)); err != nil {
					return nil, err
				}
				placed[a.address()] = path
			}
			out[i].Attachments[j].Path, out[i].Attachments[j].URL = path, path
		}
	}
	return out, nil
}

func (s *Service) copyOut(ctx context.Context, ref blobs.Ref, a Attachment, at string) (string, error) {
	in, err := s.d.Blobs.Open(ctx, ref, 0, -1)
	if errors.Is(err, blobs.ErrNotFound) || err == nil && s.d.Files == nil {
		return "", unavailable(at, a.Name)
	}
	if err != nil {
		return "", err
	}
	defer in.Close()
	return s.d.Files.Place(ctx, a.Name, ref.MediaType, io.LimitReader(in, ref.Size))
}

// drop removes copies that no revision names any more; a failure leaves them until
// the template goes.
func (s *Service) drop(ctx context.Context, had, now map[string]blobs.Ref) {
	still := map[blobs.Ref]bool{}
	for _, ref := range now {
		still[ref] = true
	}
	for _, ref := range had {
		if still[ref] {
			continue
		}
		if err := s.d.Blobs.Delete(context.WithoutCancel(ctx), ref); err != nil {
			s.d.Log.WarnContext(ctx, "a file of a template was left behind", "workspace", account.From(ctx).Workspace, "error", err)
		}
	}
}

// clear removes every file of a template.
func (s *Service) clear(ctx context.Context, r row) {
	ctx = context.WithoutCancel(ctx)
	if c, ok := s.d.Blobs.(blobs.Clearer); ok {
		if err := c.Clear(ctx, filesPrefix(r.Workspace, r.ID)); err != nil {
			s.d.Log.WarnContext(ctx, "files of a deleted template were left behind", "workspace", r.Workspace, "template", r.ID, "error", err)
		}
		return
	}
	s.drop(ctx, r.Files, nil)
}

package knowledge

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// AddFileRequest gives a Mind one file. Body is read as a stream.
type AddFileRequest struct {
	MindID           string
	Filename         string // its last path part names the item when there is no description (M-272)
	Type             string // media type as the sender names it; may be empty
	Description      string
	RegeneratePrompt bool
	Body             io.Reader
}

// RemoteFile is a file at an address: https, or a path that an upload of the
// workspace was given.
type RemoteFile struct {
	Name string `json:"name"`
	URL  string `json:"url"`
	Type string `json:"type"` // media type, a hint
}

// AddRequest gives a Mind exactly one of File, Keywords, Link and Text.
type AddRequest struct {
	MindID           string
	File             *RemoteFile
	Keywords         []string
	Link             string
	Text             string
	Description      string
	RegeneratePrompt *bool // nil: true for keywords, else false (M-271)
}

// Added is what came of an AddRequest: an item, or what a keyword search answers.
type Added struct {
	Item   *Item
	Search *Search
}

// accepted says what can be sent.
const accepted = "Files of these kinds are taken: pdf, docx, doc, pptx, rtf, txt, md, html, csv, json, xml, and the pictures jpg, png, gif and webp, at most 50 MB."

// maxText bounds a pasted text, in bytes.
const maxText = 4 << 20

// Add takes what a request gives. What is wrong with it is VALIDATION or
// UNSAFE_URL, before anything is written; NOT_FOUND for a Mind, or an upload,
// that is not the caller's.
func (s *Service) Add(ctx context.Context, r AddRequest) (Added, error) {
	given := 0
	for _, there := range []bool{r.File != nil, len(r.Keywords) > 0, r.Link != "", r.Text != ""} {
		if there {
			given++
		}
	}
	if given != 1 {
		return Added{}, fault.New(fault.Validation, "Give exactly one of file, keywords and link (got %d).", given)
	}
	regenerate := r.RegeneratePrompt != nil && *r.RegeneratePrompt
	switch {
	case r.File != nil:
		it, err := s.addRemote(ctx, r.MindID, *r.File, r.Description, regenerate)
		return Added{Item: &it}, err
	case len(r.Keywords) > 0:
		found, err := s.Enrich(ctx, r.MindID, r.Keywords, r.RegeneratePrompt)
		return Added{Search: &found}, err
	case r.Link != "":
		it, err := s.AddLink(ctx, r.MindID, r.Link, r.Description, regenerate)
		return Added{Item: &it}, err
	}
	it, err := s.addText(ctx, r, regenerate)
	return Added{Item: &it}, err
}

// AddFile stores one file as it streams in and queues its ingestion. A content
// that the Mind has already is no second item: the item comes back as it is, or
// is tried again if it had failed. VALIDATION for a file that cannot be taken or
// is above 50 MB; NOT_FOUND.
func (s *Service) AddFile(ctx context.Context, r AddFileRequest) (Item, error) {
	m, err := s.d.Minds.Get(ctx, r.MindID)
	if err != nil {
		return Item{}, err
	}
	description, err := checkDescription(r.Description)
	if err != nil {
		return Item{}, err
	}
	name := baseName(r.Filename)
	in := bufio.NewReaderSize(r.Body, 32<<10)
	kind, err := sniff(in, name, r.Type)
	if err != nil {
		return Item{}, err
	}
	now := s.d.Clock.Now()
	add := row{
		MindID: m.ID, Owner: m.Owner, Workspace: m.Workspace, Origin: fromFile,
		Description: description, Named: description != "", Filename: name, Kind: string(kind), Type: r.Type,
		Status: Queued, JobID: s.d.IDs.NewID(), OwnJob: true, RegeneratePrompt: r.RegeneratePrompt, CreatedAt: now, UpdatedAt: now,
	}
	if description == "" {
		add.Description = name // M-272
	}
	// The blob stands under a name of its own, so that whatever comes of this call
	// can be taken away without a look at others that sent the same bytes; and that
	// name is written down first, so that a call which is cut off leaves nothing
	// for good.
	taking := takenKey(m.Workspace, now, add.JobID)
	if _, err := s.d.Records.Put(ctx, note(taking, now, []byte("{}"))); err != nil {
		return Item{}, err
	}
	taken := false
	defer func() {
		if !taken {
			s.giveBack(context.WithoutCancel(ctx), m.Workspace, taking, add.JobID)
		}
	}()
	ref, err := s.d.Blobs.Put(ctx, blobPrefix(m.Workspace, add.JobID), mediaTypeOf(kind), in, MaxFileBytes)
	if errors.Is(err, blobs.ErrTooLarge) {
		return Item{}, tooLarge(name)
	}
	if err != nil {
		return Item{}, err
	}
	add.ID, add.Raw, add.Size = itemID(m.Workspace, contentOf(ref.SHA256, add.Kind)), &ref, ref.Size
	it, queued, err := s.queue(ctx, add, records.DeleteItem(taking))
	// A commit whose answer was lost may have happened: then the row decides.
	var refused *fault.Error
	taken = queued || err != nil && !errors.As(err, &refused)
	return it, err
}

// giveBack removes what a call took in and does not need. What cannot be removed
// now is found by its row.
func (s *Service) giveBack(ctx context.Context, workspace string, taking records.Key, jobID string) {
	err := s.clearBlobs(ctx, blobPrefix(workspace, jobID))
	if err == nil {
		err = s.d.Records.Delete(ctx, taking)
	}
	if err != nil {
		s.d.Log.WarnContext(ctx, "a file that is not needed could not be removed yet", "workspace", workspace, "error", err)
	}
}

func tooLarge(name string) error {
	return fault.New(fault.Validation, "file %q is larger than 50 MB. Split it, or leave out what the Mind does not need.", name).
		With("field", "file").With("limitBytes", MaxFileBytes)
}

// addText takes a pasted text as the file that it could have been.
func (s *Service) addText(ctx context.Context, r AddRequest, regenerate bool) (Item, error) {
	text := strings.TrimSpace(r.Text)
	switch {
	case text == "":
		return Item{}, fault.New(fault.Validation, "text must not be blank.").With("field", "text").With("path", "/text")
	case len(text) > maxText:
		return Item{}, fault.New(fault.Validation, "text has %d bytes; at most %d are taken. Send it as a file.", len(text), maxText).With("field", "text").With("path", "/text")
	case !utf8.ValidString(text):
		return Item{}, fault.New(fault.Validation, "text is not valid UTF-8.").With("field", "text").With("path", "/text")
	}
	description := r.Description
	if strings.TrimSpace(description) == "" {
		first, _, _ := strings.Cut(text, "\n")
		if description = strings.TrimSpace(first); len(clip(description, maxTextName)) < len(description) {
			description = clip(description, maxTextName) + "…"
		}
	}
	return s.AddFile(ctx, AddFileRequest{
		MindID: r.MindID, Filename: "pasted-text.txt", Type: "text/plain", Description: description,
		RegeneratePrompt: regenerate, Body: strings.NewReader(text),
	})
}

const maxTextName = 80 // characters of a pasted text that name it

// AddLink queues the reading of a page. A link that the Mind has already is read
// again, if it has changed; the item stays one. UNSAFE_URL (M-111).
func (s *Service) AddLink(ctx context.Context, mindID, link, description string, regenerate bool) (Item, error) {
	m, err := s.d.Minds.Get(ctx, mindID)
	if err != nil {
		return Item{}, err
	}
	if description, err = checkDescription(description); err != nil {
		return Item{}, err
	}
	add, err := s.linkRow(m, link, description)
	if err != nil {
		return Item{}, err
	}
	add.JobID, add.OwnJob, add.RegeneratePrompt, add.Watched = s.d.IDs.NewID(), true, regenerate, true
	it, _, err := s.queue(ctx, add)
	return it, err
}

// linkRow is the item of a page, not owned by a job.
func (s *Service) linkRow(m mind.Mind, link, description string) (row, error) {
	link = strings.TrimSpace(link)
	if err := s.check(link, false); err != nil {
		return row{}, err
	}
	now := s.d.Clock.Now()
	r := row{
		MindID: m.ID, Owner: m.Owner, Workspace: m.Workspace, Origin: fromLink, Link: link,
		Description: description, Named: description != "", Status: Queued, CreatedAt: now, UpdatedAt: now,
	}
	if description == "" {
		r.Description = clip(addressName(link), maxDescription) // M-272
	}
	r.ID = itemID(m.Workspace, "link#"+sameAddress(link))
	return r, nil
}

// addRemote queues the download of a file, or takes an upload of the workspace.
func (s *Service) addRemote(ctx context.Context, mindID string, f RemoteFile, description string, regenerate bool) (Item, error) {
	m, err := s.d.Minds.Get(ctx, mindID)
	if err != nil {
		return Item{}, err
	}
	if description, err = checkDescription(description); err != nil {
		return Item{}, err
	}
	name := baseName(f.Name)
	if name == "" {
		return Item{}, fault.New(fault.Validation, "file.name must be a file name with its ending, such as report.pdf.").With("field", "file.name").With("path", "/file/name")
	}
	if len(f.Type) > MaxType {
		return Item{}, fault.New(fault.Validation, "file.type has %d characters; a media type has at most %d.", len(f.Type), MaxType).With("field", "file.type").With("path", "/file/type")
	}
	if s.d.Uploads != nil {
		if at, ours := s.d.Uploads.Path(f.URL); ours {
			body, _, err := s.d.Uploads.Open(ctx, at)
			if err != nil {
				return Item{}, err
			}
			defer body.Close()
			return s.AddFile(ctx, AddFileRequest{MindID: m.ID, Filename: name, Type: f.Type, Description: description, RegeneratePrompt: regenerate, Body: body})
		}
	}
	address := strings.TrimSpace(f.URL)
	if err := s.check(address, true); err != nil {
		return Item{}, err
	}
	now := s.d.Clock.Now()
	add := row{
		ID:     itemID(m.Workspace, "file#"+sameAddress(address)),
		MindID: m.ID, Owner: m.Owner, Workspace: m.Workspace, Origin: fromRemote, Link: address, Filename: name, Type: f.Type,
		Description: description, Named: description != "", Status: Queued, JobID: s.d.IDs.NewID(), OwnJob: true,
		RegeneratePrompt: regenerate, CreatedAt: now, UpdatedAt: now,
	}
	if description == "" {
		add.Description = name // M-272
	}
	it, _, err := s.queue(ctx, add)
	return it, err
}

// check refuses an address that will never be asked for.
func (s *Service) check(address string, file bool) error {
	if s.d.Check == nil {
		return nil
	}
	return s.d.Check(address, file)
}

// queue commits a new item with its job and more actions, or takes the one that
// is there; taken is false for one that needs no work.
func (s *Service) queue(ctx context.Context, add row, more ...records.Action) (it Item, taken bool, err error) {
	job := s.jobOf(add)
	regenerate := add.RegeneratePrompt
	counting, noted := false, records.Key{}
	var r, before row // the item as it will be, and as an earlier try left it
	_, err = s.d.Minds.Change(ctx, add.MindID, func(m *mind.Mind) error {
		r, before, taken = add, row{}, true // nothing of an earlier pass
		old, _, err := s.find(ctx, add.Workspace, add.MindID, add.ID)
		switch {
		case errors.Is(err, records.ErrNotFound):
			if m.KnowledgeItems >= maxItems {
				return fault.New(fault.Validation, "This Mind has %d knowledge items, and no more can be added. Delete one, or join files.", maxItems)
			}
			m.KnowledgeItems++
			return nil
		case err != nil:
			return err
		case old.Deleting:
			return fault.New(fault.Validation, "This item is being deleted. Delete it once more, then add it again.")
		case old.busy(add.UpdatedAt) || old.Status == Completed && !old.again():
			r, taken = old, false
			return errUnchanged
		}
		before, r = old, old.retried(add)
		return nil
	}, func(mind.Mind) ([]records.Action, error) {
		size := r.Counted
		if r.Raw != nil {
			size = r.Size
		}
		count := r.room(size)
		counting = len(count) > 0
		actions, err := r.actions()
		if err != nil {
			return nil, err
		}
		actions = append(append(append(actions, count...), s.d.Jobs.Open(job)), more...)
		if before.JobID == "" {
			return actions, nil
		}
		noted = leftKey(before.Workspace, add.UpdatedAt, before.JobID)
		note, err := s.leave(before, noted)
		return append(actions, note), err
	})
	if counting && refusedAt(err, 4) { // behind two rows of the Mind and two of the item
		return Item{}, false, noRoomFor()
	}
	if err != nil && !errors.Is(err, errUnchanged) {
		return Item{}, false, err
	}
	if taken {
		if before.JobID != "" {
			s.clear(context.WithoutCancel(ctx), before, noted)
		}
		// Committed: a failed start is logged, and the sweeper starts it.
		_ = s.d.Jobs.Start(ctx, job)
		return s.item(r), true, nil
	}
	if regenerate && r.Status == Completed {
		if _, err := s.d.Minds.RegeneratePrompt(ctx, r.MindID, ""); err != nil {
			return Item{}, false, err
		}
		r.RegeneratePrompt, r.PromptRegenerated = true, true
	}
	return s.item(r), false, nil
}

// clear takes away what an earlier try left, and the note of it last. What cannot
// be removed now is found by its note.
func (s *Service) clear(ctx context.Context, before row, noted records.Key) {
	err := s.takeAway(ctx, before.Workspace, left{before.ID, before.JobID, []string{before.Next, before.Content}, before.Raw})
	if err == nil {
		err = s.d.Records.Delete(ctx, noted)
	}
	if err != nil {
		s.d.Log.WarnContext(ctx, "what a failed ingestion left could not be removed yet", "workspace", before.Workspace, "item", before.ID, "error", err)
	}
}

// retried is an item that is added again: it stands where it stood and keeps
// what is known by it until something newer is.
func (r row) retried(add row) row {
	add.CreatedAt, add.Counted = r.CreatedAt, r.Counted
	add.Next, add.Validators, add.ReadAt = r.Next, r.Validators, r.ReadAt
	add.Content, add.Digest, add.Passages, add.Distributions, add.Embedded, add.Patterns = r.Content, r.Digest, r.Passages, r.Distributions, r.Embedded, r.Patterns
	add.Watched = add.Watched || r.Watched
	if !add.Named {
		add.Description, add.Named = r.Description, r.Named
	}
	if add.Origin != fromFile {
		add.Kind = r.Kind
	}
	return add
}

var errUnchanged = errors.New("knowledge: nothing to change")

func (s *Service) jobOf(r row) jobs.Job {
	input, _ := json.Marshal(map[string]string{
		"job": r.JobID, "workspace": r.Workspace, "account": r.Owner, "mind": r.MindID, "item": r.ID,
	})
	now := s.d.Clock.Now()
	return jobs.Job{
		ID: r.JobID, Machine: Machine, Workspace: r.Workspace, Account: r.Owner,
		Input: input, QueuedAt: now, Deadline: now.Add(IngestTime),
	}
}

package study

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/url"
	"path"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Pictured is what a question showed, and to whom.
type Pictured struct {
	StudyID, QuestionID, MessageID string
	Owner                          string
	Question                       string
	Minds                          []Viewer         // each once, in the order in which they were asked
	Model                          *ModelConnection // pinned to the question; nil: none was named
	Pictures                       []Shown
}

// Viewer is a Mind to whom a question was put.
type Viewer struct{ ID, Name string }

// Pictured reads the question behind a result message of a Study that the caller may
// open. NOT_FOUND, FORBIDDEN.
func (s *Service) Pictured(ctx context.Context, studyID, messageID string) (Pictured, error) {
	row, err := s.load(ctx, studyID)
	if err != nil {
		return Pictured{}, err
	}
	noMessage := fault.New(fault.NotFound, "No result message with this id in this Study. Take messageId from get_study_status.")
	id := canonical(messageID)
	if !isUUID(id) {
		return Pictured{}, noMessage
	}
	ws := account.From(ctx).Workspace
	at, err := s.d.Records.Get(ctx, messageKey(ws, row.ID, id))
	if errors.Is(err, records.ErrNotFound) {
		return Pictured{}, noMessage
	}
	if err != nil {
		return Pictured{}, err
	}
	q, _, err := s.question(ctx, row.ID, at.Fields[fieldQuestion])
	if err != nil {
		return Pictured{}, err
	}
	who, err := s.panel(ctx, ws, q.ID)
	if err != nil {
		return Pictured{}, err
	}
	out := Pictured{StudyID: row.ID, QuestionID: q.ID, MessageID: q.MessageID, Owner: q.Owner, Question: q.Text, Model: q.Engine.ModelConnection}
	for _, m := range who.Minds {
		out.Minds = append(out.Minds, Viewer{m.ID, m.Name})
	}
	for _, st := range q.Stimuli {
		out.Pictures = append(out.Pictures, Shown(st))
	}
	return out, nil
}

// AssetKey names an asset: the path of an upload, or its address in one spelling. What
// stands in its own address is named by its digest. "" names nothing.
func AssetKey(address string) string {
	address = strings.TrimSpace(address)
	if strings.HasPrefix(strings.ToLower(address), "data:") {
		sum := sha256.Sum256([]byte(address))
		return "data:sha256," + hex.EncodeToString(sum[:])
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme == "" || u.Host == "" {
		return strings.TrimPrefix(address, "/")
	}
	u.Scheme, u.Host, u.Fragment, u.RawFragment = strings.ToLower(u.Scheme), strings.ToLower(u.Host), "", ""
	if port := u.Port(); u.Scheme == "https" && port == "443" || u.Scheme == "http" && port == "80" {
		u.Host = strings.TrimSuffix(u.Host, ":"+port)
	}
	switch slash := strings.HasSuffix(u.Path, "/"); {
	case u.Path == "":
		u.Path = "/"
	case u.RawPath == "": // an escaped slash is no separator
		if u.Path = path.Clean(u.Path); slash && u.Path != "/" {
			u.Path += "/"
		}
	}
	return u.String()
}

// key is the asset key of an attachment.
func (a Asset) key() string {
	if a.Path != "" {
		return AssetKey(a.Path)
	}
	return AssetKey(a.URL)
}

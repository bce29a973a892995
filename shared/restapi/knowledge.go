package restapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"os"
	"strings"
	"syscall"

	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research/knowledge"
)

// Ceilings of an upload. The file has its own (400); a whole body beyond
// maxUpload is refused as such (413).
const (
	maxUpload = knowledge.MaxFileBytes + 14<<20
	maxField  = 64 << 10
)

// addMindKnowledge takes one file as multipart. The fields may come before or
// after the file, so the file goes to disk first and into memory never.
func addMindKnowledge(ctx context.Context, c *call) (reply, error) {
	r := c.request
	if r.ContentLength > maxUpload {
		return reply{}, tooLargeUpload()
	}
	body := http.MaxBytesReader(nil, r.Body, maxUpload)
	kind, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case isJSON(r.Header.Get("Content-Type")):
		raw, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, MaxJSONBody))
		if err != nil {
			return reply{}, bodyFault(err, MaxJSONBody)
		}
		return addJSON(ctx, c, raw)
	case kind != "multipart/form-data" || params["boundary"] == "":
		return reply{}, fault.New(fault.UnsupportedMediaType, "Send the file as multipart/form-data in the field file (got %q).", r.Header.Get("Content-Type"))
	}
	// Say that the Mind is missing before a large file is taken in.
	if _, err := c.Minds.Get(ctx, c.id("mindId")); err != nil {
		return reply{}, err
	}
	up, err := readUpload(multipart.NewReader(body, params["boundary"]), c.api.config.Spool)
	if err != nil {
		return reply{}, err
	}
	defer up.discard()
	item, err := c.Knowledge.AddFile(ctx, knowledge.AddFileRequest{
		MindID: c.id("mindId"), Filename: up.filename, Description: up.fields["description"],
		Type: up.mediaType, RegeneratePrompt: up.fields["regeneratePrompt"] == "true", Body: up.file,
	})
	if err != nil {
		return reply{}, err
	}
	return taken(item)
}

// taken answers what is queued; nothing of it is done yet (M-281).
func taken(what any) (reply, error) {
	return reply{status: http.StatusAccepted, body: map[string]any{"success": true, "data": what}}, nil
}

// addJSON takes a file by its address, keywords, a link or a pasted text.
func addJSON(ctx context.Context, c *call, raw []byte) (reply, error) {
	in, err := knowledge.ReadAdd(raw)
	if err != nil {
		return reply{}, err
	}
	in.MindID = c.id("mindId")
	added, err := c.Knowledge.Add(ctx, in)
	switch {
	case err != nil:
		return reply{}, err
	case added.Search != nil:
		return taken(added.Search)
	}
	return taken(added.Item)
}

func tooLargeUpload() error {
	return fault.New(fault.PayloadTooLarge, "The body is above %d bytes (%d MiB); a knowledge file has at most %d MiB.", int64(maxUpload), maxUpload>>20, knowledge.MaxFileBytes>>20).
		With("limitBytes", int64(maxUpload))
}

// form is a multipart body whose file waits in a temporary file.
type form struct {
	spool     string
	file      *os.File
	filename  string
	mediaType string
	fields    map[string]string
}

func (u *form) discard() {
	if u.file != nil {
		_ = u.file.Close()
		_ = os.Remove(u.file.Name())
	}
}

func readUpload(parts *multipart.Reader, spool string) (_ *form, err error) {
	u := &form{spool: spool, fields: map[string]string{}}
	defer func() {
		if err != nil {
			u.discard()
		}
	}()
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, uploadFault(err)
		}
		switch name := part.FormName(); name {
		case "file":
			err = u.keep(part)
		case "description", "regeneratePrompt":
			err = u.field(name, part)
		default:
			err = fault.New(fault.Validation, "%q is not a known field; known are file, description, regeneratePrompt.", name).With("path", "/"+name)
		}
		if err != nil {
			return nil, err
		}
	}
	if u.file == nil {
		return nil, fault.New(fault.Validation, "file is required: one file, for example curl -F file=@report.pdf.").With("path", "/file")
	}
	if v := u.fields["regeneratePrompt"]; v != "" && v != "true" && v != "false" {
		return nil, fault.New(fault.Validation, "regeneratePrompt must be true or false.").With("path", "/regeneratePrompt")
	}
	_, err = u.file.Seek(0, io.SeekStart)
	return u, err
}

func (u *form) keep(part *multipart.Part) error {
	if u.file != nil {
		return fault.New(fault.Validation, "file is given twice; send one file a call.").With("path", "/file")
	}
	if n := len(part.Header.Get("Content-Type")); n > knowledge.MaxType {
		return fault.New(fault.Validation, "The Content-Type of file has %d characters; a media type has at most %d.", n, knowledge.MaxType).With("path", "/file")
	}
	f, err := os.CreateTemp(u.spool, "mindgate-upload-*")
	if err != nil {
		return uploadFault(err)
	}
	u.file, u.filename, u.mediaType = f, part.FileName(), part.Header.Get("Content-Type")
	n, err := io.Copy(f, io.LimitReader(part, knowledge.MaxFileBytes+1))
	if err != nil {
		return uploadFault(err)
	}
	if n > knowledge.MaxFileBytes {
		return fault.New(fault.Validation, "file must have at most %d bytes (%d MiB); split it, or send its figures as json.", knowledge.MaxFileBytes, knowledge.MaxFileBytes>>20).With("path", "/file")
	}
	return nil
}

func (u *form) field(name string, part *multipart.Part) error {
	raw, err := io.ReadAll(io.LimitReader(part, maxField+1))
	if err != nil {
		return uploadFault(err)
	}
	if len(raw) > maxField {
		return fault.New(fault.Validation, "%s must have at most %d bytes.", name, maxField).With("path", "/"+name)
	}
	if _, twice := u.fields[name]; twice {
		return fault.New(fault.Validation, "%s is given twice; send it once.", name).With("path", "/"+name)
	}
	u.fields[name] = strings.TrimSpace(string(raw))
	return nil
}

func uploadFault(err error) error {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return tooLargeUpload()
	}
	var path *os.PathError
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return fmt.Errorf("%w: an upload could not be kept: %w", blobs.ErrNoSpace, err)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fault.New(fault.Validation, "The body came too slowly and was cut off; send it again over a faster line, or split it.").With("in", "body").Because(err)
	case errors.As(err, &path):
		return fmt.Errorf("an upload could not be kept: %w", err)
	}
	return fault.New(fault.Validation, "The multipart body is broken or ended early; send it again.").With("in", "body").Because(err)
}

func getMindKnowledgeItemStatus(ctx context.Context, c *call) (reply, error) {
	s, err := c.Knowledge.Status(ctx, c.id("mindId"), c.id("itemId"))
	if err != nil {
		return reply{}, err
	}
	return ok(map[string]any{"success": true, "data": s})
}

func listMindKnowledge(ctx context.Context, c *call) (reply, error) {
	limit, offset := c.number("limit"), c.number("offset")
	rows, total, err := c.Knowledge.List(ctx, c.id("mindId"), limit, offset)
	if err != nil {
		return reply{}, err
	}
	paging := map[string]any{"total": total, "limit": limit, "offset": offset, "hasMore": false, "nextOffset": nil}
	if next := offset + len(rows); next < total && len(rows) > 0 {
		paging["hasMore"], paging["nextOffset"] = true, next
	}
	return ok(map[string]any{"success": true, "data": map[string]any{"items": rows, "total": total, "pagination": paging}})
}

func enrichMindKnowledge(ctx context.Context, c *call) (reply, error) {
	var in struct {
		Keywords         []string `json:"keywords"`
		RegeneratePrompt *bool    `json:"regeneratePrompt"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	s, err := c.Knowledge.Enrich(ctx, c.id("mindId"), in.Keywords, in.RegeneratePrompt)
	if err != nil {
		return reply{}, err
	}
	return taken(s)
}

func updateMindKnowledgeItem(ctx context.Context, c *call) (reply, error) {
	var in struct {
		Description string `json:"description"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	item, err := c.Knowledge.Update(ctx, c.id("mindId"), c.id("itemId"), in.Description)
	if err != nil {
		return reply{}, err
	}
	return ok(map[string]any{"success": true, "data": item})
}

func deleteMindKnowledgeItem(ctx context.Context, c *call) (reply, error) {
	if err := c.Knowledge.Delete(ctx, c.id("mindId"), c.id("itemId")); err != nil {
		return reply{}, err
	}
	return reply{status: http.StatusNoContent}, nil
}

func getMindKnowledgePatterns(ctx context.Context, c *call) (reply, error) {
	g, err := c.Knowledge.GroupedPatterns(ctx, c.id("mindId"))
	if err != nil {
		return reply{}, err
	}
	return ok(map[string]any{"success": true, "data": g})
}

// addSchema documents the JSON bodies: those of the contract, without its
// multipart form, and a pasted text.
func addSchema(agreed map[string]any) map[string]any {
	var ways []any
	all, _ := agreed["oneOf"].([]any)
	for _, way := range all {
		w, _ := way.(map[string]any)
		props, _ := w["properties"].(map[string]any)
		if file, _ := props["file"].(map[string]any); file != nil && file["type"] != "object" {
			continue
		}
		ways = append(ways, closed(w))
	}
	text := func(more map[string]any) map[string]any { more["type"] = "string"; return more }
	return map[string]any{"oneOf": append(ways, map[string]any{
		"type": "object", "additionalProperties": false, "required": []any{"text"},
		"properties": map[string]any{
			"text":             text(map[string]any{"minLength": 1, "pattern": `\S`, "description": "Pasted text, at most 4 MiB; our addition."}),
			"description":      text(map[string]any{"maxLength": 2000}),
			"regeneratePrompt": map[string]any{"type": "boolean", "default": false},
		},
	})}
}

// uploadSchema documents the multipart form.
func uploadSchema() map[string]any {
	return map[string]any{
		"type": "object",
		"properties": map[string]any{
			"file":             map[string]any{"type": "string", "format": "binary", "description": "One file of at most 50 MiB: pdf, docx, doc, pptx, rtf, txt, md, html, csv, json, xml, or a picture (jpg, png, gif, webp), which is kept but holds no text. A json file {question, options, n, source, dates, population} is one published distribution."},
			"description":      map[string]any{"type": "string"},
			"regeneratePrompt": map[string]any{"enum": []any{"true", "false"}, "default": "false"},
		},
		"required":             []any{"file"},
		"additionalProperties": false,
	}
}

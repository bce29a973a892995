package restapi

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research/knowledge"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// updateMind changes the fields that it knows. One of another type than its own
// is ignored, as the contract has it, and so is isPublic, which is always stored
// as false; a body with nothing to change is refused.
func updateMind(ctx context.Context, c *call) (reply, error) {
	var fields map[string]json.RawMessage
	if err := c.decode(&fields); err != nil {
		return reply{}, err
	}
	p := mind.Patch{
		Name: field[string](fields, "name"), Description: field[string](fields, "description"), Type: field[string](fields, "type"),
		Discipline: field[string](fields, "discipline"), SystemPrompt: field[string](fields, "systemPrompt"),
		SourcePolicy: field[string](fields, "sourcePolicy"), Tags: field[[]string](fields, "tags"),
		LinkSharing: field[bool](fields, "isLinkSharingEnabled"), ProfileImageURL: field[string](fields, "profileImageUrl"),
	}
	var m mind.Mind
	var err error
	if p == (mind.Patch{}) && field[bool](fields, "isPublic") != nil {
		m, err = c.Minds.Get(ctx, c.id("mindId")) // known, and never stored
	} else {
		m, err = c.Minds.Update(ctx, c.id("mindId"), p)
	}
	if err != nil {
		return reply{}, err
	}
	return ok(data(c.Minds.Detail(m)))
}

// field reads a field of the right type; nil for another type, null, or none.
func field[T any](fields map[string]json.RawMessage, name string) *T {
	var v *T
	if json.Unmarshal(fields[name], &v) != nil {
		return nil
	}
	return v
}

func deleteMind(ctx context.Context, c *call) (reply, error) {
	if err := c.Minds.Delete(ctx, c.id("mindId")); err != nil {
		return reply{}, err
	}
	return reply{status: http.StatusNoContent}, nil
}

func deleteMinds(ctx context.Context, c *call) (reply, error) {
	var in struct {
		MindIDs []string `json:"mindIds"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	all, err := c.Minds.DeleteMany(ctx, in.MindIDs)
	if err != nil {
		return reply{}, err
	}
	gone := 0
	for _, o := range all {
		if o.Deleted {
			gone++
		}
	}
	return ok(data(map[string]any{"results": all, "deletedCount": gone, "failedCount": len(all) - gone}))
}

func retrainMind(ctx context.Context, c *call) (reply, error) {
	t, err := c.Minds.Retrain(ctx, c.id("mindId"))
	if err != nil {
		return reply{}, err
	}
	return ok(t)
}

func regenerateMindImage(ctx context.Context, c *call) (reply, error) {
	var in struct {
		Force   bool   `json:"force"`
		Context string `json:"personaContext"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	m, err := c.Minds.Get(ctx, c.id("mindId"))
	if err != nil {
		return reply{}, err
	}
	enqueued, skipped, err := c.Minds.RegenerateImage(ctx, m.ID, in.Force, in.Context)
	if err != nil {
		return reply{}, err
	}
	out := map[string]any{"mindId": m.ID, "name": m.Name, "enqueued": enqueued}
	if skipped != "" {
		out["skippedReason"] = skipped
	}
	return ok(map[string]any{"success": true, "data": out})
}

func regenerateMindEmbeddings(ctx context.Context, c *call) (reply, error) {
	n, err := c.Minds.RegenerateEmbeddings(ctx, c.id("mindId"))
	if err != nil {
		return reply{}, err
	}
	return reply{status: http.StatusAccepted, body: data(map[string]any{"mindId": c.id("mindId"), "queuedItems": n})}, nil
}

// describePatterns says how the patterns of a shared Mind are asked for.
func describePatterns(a *agreed) {
	a.Request.Query = map[string]any{"share": map[string]any{"type": "string", "maxLength": 100,
		"description": "The share id of a Mind whose link sharing is on; then no credential is needed, and id, aspect, subAspect and mind are shown alone."}}
}

func listMindPatterns(ctx context.Context, c *call) (reply, error) {
	if _, shared := c.query["share"]; shared {
		rows, err := c.SharedPatterns(ctx, c.id("mindId"), c.text("share"))
		if err != nil {
			return reply{}, err
		}
		return reply{status: http.StatusOK, body: data(rows), header: unkept()}, nil
	}
	rows, err := c.RawPatterns(ctx, c.id("mindId"))
	if err != nil {
		return reply{}, err
	}
	if rows == nil {
		rows = []knowledge.Pattern{}
	}
	return ok(data(rows))
}

// getSharedMinds answers whoever has the link. No cache may keep it, so that the
// end of sharing counts at once.
func getSharedMinds(ctx context.Context, c *call) (reply, error) {
	m, err := c.Minds.Shared(ctx, c.id("shareId"))
	if err != nil {
		return reply{}, err
	}
	return reply{status: http.StatusOK, body: data(m), header: unkept()}, nil
}

// unkept are the headers of what is shown by a link.
func unkept() http.Header {
	return http.Header{"Cache-Control": {"no-store"}, "Referrer-Policy": {"no-referrer"}, "X-Robots-Tag": {"noindex"}}
}

// portraitOperation describes the operation behind profileImageUrl, which the
// contract leaves to the service.
func portraitOperation() *agreed {
	text := func(d string) map[string]any {
		return map[string]any{"type": "string", "maxLength": 100, "description": d}
	}
	return &agreed{
		Summary: "The generated portrait of a Mind, as a PNG of 512 by 512 pixels or an SVG", Auth: "bearer", Scope: "sparks:read",
		Request: agreedRequest{Query: map[string]any{
			"format": map[string]any{"type": "string", "enum": []any{"png", "svg"}, "description": "Goes before the Accept header; png unless that asks for image/svg+xml alone."},
			"share":  text("The share id of a Mind whose link sharing is on; then no credential is needed."),
			"v":      text("Names the picture, so that caches may keep it; not read."),
		}},
		Response: map[string]any{"200": []string{"image/png", "image/svg+xml"}},
		StatusCodes: map[string]string{
			"400": "not a UUID, or an unknown format", "401": "no, wrong or revoked credential; one undifferentiated message `Unauthorized`",
			"403": "exists, caller may not read it", "404": "no such Mind, no generated portrait, or sharing is off",
			"429": "account above the per-minute request ceiling (see rate limits)", "500": "unexpected failure; generic text, no provider detail",
		},
	}
}

// getMindPortrait sends the picture itself: a page that shows it needs no second
// request. Its address changes with the picture.
func getMindPortrait(ctx context.Context, c *call) (reply, error) {
	share := c.text("share")
	p, err := c.Minds.PictureOf(ctx, c.id("mindId"), share)
	if err != nil {
		return reply{}, err
	}
	ref := p.PNG
	if c.text("format") == "svg" || c.text("format") == "" && strings.HasPrefix(c.request.Header.Get("Accept"), "image/svg+xml") {
		ref = p.SVG
	}
	content, err := c.picture(ctx, ref)
	if err != nil {
		return reply{}, err
	}
	header := http.Header{"Cache-Control": {"private, max-age=86400"}}
	if share != "" {
		header = unkept()
	}
	// A picture is shown, never run.
	header.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
	return reply{status: http.StatusOK, file: &file{ref.MediaType, content}, header: header}, nil
}

func (c *call) picture(ctx context.Context, ref blobs.Ref) ([]byte, error) {
	in, err := c.Blobs.Open(ctx, ref, 0, -1)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return io.ReadAll(in)
}

// ids splits a list in a query parameter.
func (c *call) ids(name string) []string {
	var out []string
	for _, id := range strings.Split(c.text(name), ",") {
		if id = strings.TrimSpace(id); id != "" {
			out = append(out, id)
		}
	}
	return out
}

func listMindLibrary(ctx context.Context, c *call) (reply, error) {
	ids := c.ids("ids")
	if len(ids) > 100 {
		return reply{}, fault.New(fault.Validation, "ids has %d entries; at most 100 are taken.", len(ids)).With("in", "query").With("path", "/ids")
	}
	rows, next, err := c.Minds.Library(ctx, mind.LibraryQuery{
		Search: c.text("search"), IDs: ids, Sort: c.text("sort"), Ascending: c.text("direction") == "asc",
		Category: c.text("category"), Limit: c.number("limit"), After: c.text("after"), Members: c.members(ctx),
	})
	if err != nil {
		return reply{}, err
	}
	info := map[string]any{"nextCursor": nil}
	if next != "" {
		info["nextCursor"] = next
	}
	return ok(map[string]any{"data": rows, "pageInfo": info})
}

// members gives the Minds of the Audience that the library is asked for; nil:
// every Mind.
func (c *call) members(ctx context.Context) func() ([]string, error) {
	id := c.text("audienceId")
	if id == "" {
		return nil
	}
	return func() ([]string, error) {
		a, err := c.Audiences.Get(ctx, id)
		if err != nil {
			return nil, err
		}
		return append([]string{}, a.MemberIDs...), nil
	}
}

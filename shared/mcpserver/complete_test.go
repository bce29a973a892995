package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/catalog"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// A completion counts what there is, not what it read: total is that of the
// list, hasMore is set whenever values are missing or may be, and a list that
// ends with a null offset has ended.
func TestCompletionCounts(t *testing.T) {
	type page map[string]any
	var have, asked int
	var search string
	last := any(nil)
	registry, err := tool.NewRegistry(tool.Tool{Name: "list_studies", Invoke: func(_ context.Context, args json.RawMessage) (any, error) {
		var in struct {
			Limit, Offset int
			SearchQuery   string
		}
		if err := json.Unmarshal(args, &in); err != nil {
			return nil, err
		}
		asked++
		if in.SearchQuery != "" {
			search = in.SearchQuery
			return page{"studies": []any{page{"id": brandID, "name": "Study 900"}}, "totalCount": 1}, nil
		}
		rows := []any{}
		for i := in.Offset; i < min(have, in.Offset+in.Limit); i++ {
			rows = append(rows, page{"id": fmt.Sprintf("00000000-0000-4000-8000-%012d", i), "name": fmt.Sprintf("Study %03d", i)})
		}
		out := page{"studies": rows, "totalCount": have, "nextOffset": last}
		if end := in.Offset + len(rows); end < have {
			out["nextOffset"] = end
		}
		return out, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	c := catalog.Minds().Only(registry.Names())
	d, err := tool.NewDispatcher(tool.DispatchOptions{Registry: registry, Catalogue: c})
	if err != nil {
		t.Fatal(err)
	}
	h := fixture(t, func(o *Options) { o.Catalogue, o.Invoker = c, tool.InProcess(d) })
	for _, c := range []struct {
		have                 int
		typed                string
		values, total, pages int
		more                 bool
	}{
		{0, "", 0, 0, 1, false},
		{3, "", 3, 3, 1, false},
		{100, "", 100, 100, 1, false},
		{101, "", 100, 101, 2, true},
		{120, "", 100, 120, 2, true},
		{120, "study 11", 10, 10, 2, false}, // all on the second page
		{120, "zzz", 0, 0, 2, false},
		{1000, "", 100, 1000, maxCompletionPages, true},
		{1000, "study 00", 10, 0, maxCompletionPages, true}, // how many there are is not known
		{1000, "study 900", 1, 0, maxCompletionPages + 1, true},
	} {
		t.Run(fmt.Sprintf("%d/%s", c.have, c.typed), func(t *testing.T) {
			have, asked, search = c.have, 0, ""
			w := post(t, h, `{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/resource","uri":"mindgate://studies/{study}"},"argument":{"name":"study","value":"`+c.typed+`"}}}`)
			var got struct {
				Result struct {
					Completion struct {
						Values  []string
						Total   int
						HasMore bool
					}
				}
			}
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
				t.Fatalf("%v in %s", err, w.Body)
			}
			out := got.Result.Completion
			if len(out.Values) != c.values || out.Total != c.total || out.HasMore != c.more || asked != c.pages {
				t.Errorf("%d values of %d, more %t, %d pages; want %d of %d, %t, %d", len(out.Values), out.Total, out.HasMore, asked, c.values, c.total, c.more, c.pages)
			}
			if out.Values == nil || search != "" && !strings.EqualFold(search, c.typed) {
				t.Errorf("%s", w.Body)
			}
		})
	}
}

package restapi

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

func operationOf(t testing.TB, id string) *operation {
	t.Helper()
	contract, err := readContract()
	if err != nil {
		t.Fatal(err)
	}
	rows, err := bind(table(), contract)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range rows {
		if o.id == id {
			return o
		}
	}
	t.Fatalf("no operation %s", id)
	return nil
}

func readCall(t testing.TB, id, contentType, body string, headers ...string) (*call, error) {
	t.Helper()
	o := operationOf(t, id)
	r := httptest.NewRequest(o.method, "http://x/", strings.NewReader(body))
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	for _, name := range pathParameters(o.path) {
		r.SetPathValue(name, "550E8400-E29B-41D4-A716-446655440000")
	}
	return o.read(httptest.NewRecorder(), r, MaxJSONBody)
}

// Bad bodies are refused with a code and a sentence that names the field, its
// rule and a way out.
func TestBadBodies(t *testing.T) {
	const js = "application/json"
	for _, c := range []struct {
		name, id, contentType, body string
		code                        fault.Code
		says                        []string
	}{
		{"broken JSON", "createMind", js, `{"name": "A`, fault.Validation, []string{"not valid JSON", "byte"}},
		{"two values", "createMind", js, `{"name":"Ada"} {}`, fault.Validation, []string{"not valid JSON"}},
		{"not an object", "createMind", js, `[]`, fault.Validation, []string{"The body must be an object, not an array"}},
		{"missing body", "createMind", js, ``, fault.Validation, []string{"body is missing", "name"}},
		{"missing field", "createMind", js, `{"mode":"manual"}`, fault.Validation, []string{"name is required", "for example"}},
		{"wrong type", "createMind", js, `{"name": 5}`, fault.Validation, []string{"name must be a string, not a number"}},
		{"too short", "createMind", js, `{"name": "A"}`, fault.Validation, []string{"name must have at least 2 characters"}},
		{"unknown field", "createMind", js, `{"name":"Ada","keyword":["x"]}`, fault.Validation, []string{"keyword is not a known field", `did you mean "keywords"?`}},
		{"bad choice", "createMind", js, `{"name":"Ada","mode":"copy"}`, fault.Validation, []string{"mode must be one of keywords, clone, link, manual"}},
		{"not a UUID", "createAudience", js, `{"name":"A","mindIds":["x"]}`, fault.Validation, []string{"mindIds[0] must be a UUID", "550e8400"}},
		{"nested unknown", "createStudy", js, `{"name":"S","audienceConfigs":[{"name":"x","mindsIds":[]}]}`, fault.Validation, []string{"audienceConfigs[0].mindsIds is not a known field", `"mindIds"`}},
		{"retired", "createAudience", js, `{"name":"A","sparkIds":[]}`, fault.RetiredField, []string{`sparkIds is a retired name; send "mindIds" instead`}},
		{"retired nested", "createStudy", js, `{"name":"S","panelIds":[]}`, fault.RetiredField, []string{`"audienceIds"`}},
		{"several at once", "createMind", js, `{"name":"A","mode":"x","tags":"t"}`, fault.Validation, []string{"name must", "mode must", "tags must be an array"}},
		{"wrong content type", "createMind", "text/plain", `{"name":"Ada"}`, fault.UnsupportedMediaType, []string{"application/json"}},
		{"no content type", "createMind", "", `{"name":"Ada"}`, fault.UnsupportedMediaType, []string{"application/json"}},
		{"not UTF-8", "createMind", js, "{\"name\":\"A\xff\xfe\"}", fault.Validation, []string{"UTF-8"}},
		{"question empty", "createStudyRun", js, `{"question":""}`, fault.Validation, []string{"question must not be empty", "steak"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := readCall(t, c.id, c.contentType, c.body)
			f := fault.From(err)
			if err == nil || f.Code != c.code {
				t.Fatalf("got %v, want %s", err, c.code)
			}
			for _, s := range c.says {
				if !strings.Contains(f.Message, s) {
					t.Errorf("%q does not say %q", f.Message, s)
				}
			}
		})
	}
}

func TestGoodBodies(t *testing.T) {
	c, err := readCall(t, "createMind", "application/json; charset=utf-8", `{"name":"Ada","idempotencyKey":"550E8400-E29B-41D4-A716-446655440000"}`)
	if err != nil {
		t.Fatal(err)
	}
	var in mindRequest
	if err := json.Unmarshal(c.body, &in); err != nil {
		t.Fatal(err)
	}
	if in.Mode != "keywords" || in.Type != "expert" || in.WebSearch == nil || !*in.WebSearch {
		t.Errorf("defaults: %+v", in)
	}
	if in.Key != "550e8400-e29b-41d4-a716-446655440000" {
		t.Errorf("key is not in lower case: %s", in.Key)
	}
	if c, err = readCall(t, "regenerateMindPrompt", "", ""); err != nil || c.id("mindId") != "550e8400-e29b-41d4-a716-446655440000" {
		t.Errorf("optional body: %v", err)
	}
}

// JSON Schema counts 5.0 as an integer, Go's decoder does not; and a number no
// int can hold is the caller's fault, not ours.
func TestWholeNumbersInBodies(t *testing.T) {
	c, err := readCall(t, "createStudyRun", "application/json", `{"question":"Why?","modelConnection":{"id":"550e8400-e29b-41d4-a716-446655440000","revision":5.0}}`)
	if err != nil {
		t.Fatal(err)
	}
	var in struct {
		ModelConnection struct{ Revision int }
	}
	if err := c.decode(&in); err != nil || in.ModelConnection.Revision != 5 {
		t.Errorf("revision 5.0 was read as %d: %v", in.ModelConnection.Revision, err)
	}
	c.body = json.RawMessage(`{"modelConnection":{"revision":1e300}}`)
	if err := c.decode(&in); !fault.Is(err, fault.Validation) || !strings.Contains(err.Error(), "evision") {
		t.Errorf("a number out of range is %v", err)
	}
}

// The Audience key is ignored when blank or above 128 characters (section 6);
// the Mind key must be a UUID.
func TestHeaders(t *testing.T) {
	const name = "x-minds-idempotency-key"
	for _, c := range []struct{ sent, want string }{{"k1", "k1"}, {"   ", ""}, {strings.Repeat("k", 129), ""}} {
		got, err := readCall(t, "createAudience", "application/json", `{"name":"A"}`, name, c.sent)
		if err != nil || got.sent(name) != c.want {
			t.Errorf("%.10q: %v, %v", c.sent, got, err)
		}
	}
	_, err := readCall(t, "createMind", "application/json", `{"name":"Ada"}`, "Idempotency-Key", "once")
	if !fault.Is(err, fault.Validation) || !strings.Contains(err.Error(), "header parameter Idempotency-Key must be a UUID") {
		t.Errorf("got %v", err)
	}
}

func TestQueries(t *testing.T) {
	s, err := operationOf(t, "listMinds").ready()
	if err != nil {
		t.Fatal(err)
	}
	for query, says := range map[string]string{
		"limit=0":         "query parameter limit must be at least 1",
		"limit=101":       "query parameter limit must be at most 100",
		"limit=ten":       "query parameter limit must be an integer, not a string",
		"limit=1e1":       "",
		"offset=-1":       "query parameter offset must be at least 0",
		"limit=1&limit=2": "send it once",
		"page=2":          "query parameter page is not a known field",
		"search=":         "",
		"":                "",
	} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		_, err = readQuery(values, s.query)
		if says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
			t.Errorf("%s: got %v, want %q", query, err, says)
		}
	}
}

// M-10: the envelope's shape, and that 401 carries no data.
func TestEnvelope(t *testing.T) {
	r := httptest.NewRequest("GET", "/api/v1/minds/x?token=secret", nil)
	raw, err := json.Marshal(EnvelopeOf(r, fault.New(fault.NotFound, "No Mind with this id.").With("k", 1)))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"statusCode":404,"statusMessage":"Not Found","message":"No Mind with this id.","url":"/api/v1/minds/x","error":true,"data":{"code":"NOT_FOUND","k":1}}`
	if string(raw) != want {
		t.Errorf("got  %s\nwant %s", raw, want)
	}
	raw, err = json.Marshal(EnvelopeOf(r, fault.New(fault.Unauthorized, "that key was revoked")))
	if err != nil {
		t.Fatal(err)
	}
	want = `{"statusCode":401,"statusMessage":"Unauthorized","message":"Unauthorized","url":"/api/v1/minds/x","error":true}`
	if string(raw) != want {
		t.Errorf("got  %s\nwant %s", raw, want)
	}
	// M-72 over REST.
	e := EnvelopeOf(r, fault.New(fault.PlanLimited, "x"))
	if e.Data["code"] != "PLAN_LIMIT" || e.Data["status"] != "plan_limited" {
		t.Errorf("plan_limited: %v", e.Data)
	}
}

func FuzzBody(f *testing.F) {
	for _, s := range []string{`{"name":"Ada"}`, `{"name":1,"x":{}}`, `[[[[`, `{"tags":[null]}`, "\x00", `{"name":"` + strings.Repeat("é", 60) + `"}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) {
		c, err := readCall(t, "createMind", "application/json", body)
		if err != nil {
			if fault.From(err).Status() >= 500 {
				t.Fatalf("%q: %v", body, err)
			}
			return
		}
		var in mindRequest
		if err := json.Unmarshal(c.body, &in); err != nil || len(in.Name) < 2 {
			t.Fatalf("%q passed: %v", body, err)
		}
	})
}

// A body of very many faults costs no more words than are read, and tells the same
// ones each time.
func TestManyFaultsAreCounted(t *testing.T) {
	var fields, items strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&fields, `,"k%06d":1`, i)
		fmt.Fprintf(&items, `,%d`, i)
	}
	for body, want := range map[string]string{
		`{"question":"Why?"` + fields.String() + `}`:                  "k000000 is not a known field",
		`{"question":"Why?","audienceIds":[0` + items.String() + `]}`: "audienceIds[0] must be a string",
	} {
		_, err := readCall(t, "createStudyRun", "application/json", body)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), fmt.Sprintf("And %d more.", 100_000-maxProblems)) && !strings.Contains(err.Error(), fmt.Sprintf("And %d more.", 100_001-maxProblems)) {
			t.Errorf("%.200s … %.80s", err, err.Error()[max(0, len(err.Error())-80):])
		}
	}
}

package restapi

import (
	"encoding/json"
	"io"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
)

// gate is the surface over a world, called as the holder of a key.
type gate struct {
	*API
	key   string
	world *researchtest.World
}

func at(t *testing.T, scopes ...string) gate {
	t.Helper()
	w := researchtest.New(t)
	a, err := New(Config{Research: &research.Research{Accounts: w.Accounts, Uploads: w.Uploads, Minds: w.Minds, Knowledge: w.Knowledge}, IDs: clock.RandomIDs{}, Clock: w.Clock})
	if err != nil {
		t.Fatal(err)
	}
	key, _, err := w.Accounts.CreateKey(t.Context(), "lab", account.Team, scopes)
	if err != nil {
		t.Fatal(err)
	}
	return gate{a, key, w}
}

func (g gate) do(method, url, body string, header ...string) (int, string) {
	r := httptest.NewRequest(method, url, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+g.key)
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	g.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

const announce = `{"name":"a.txt","folder":"context","sizeBytes":12}`

// Sending a file to a workspace changes it, so a key that may only read cannot.
func TestUploadsNeedTheRightToWrite_M313(t *testing.T) {
	if code, body := at(t, "sparks:read").do("POST", "/api/v1/uploads", announce); code != 403 || !strings.Contains(body, "sparks:write") {
		t.Errorf("a key that may read: %d %s", code, body)
	}
	if code, body := at(t, "sparks:write").do("POST", "/api/v1/uploads", announce); code != 201 {
		t.Errorf("a key that may write: %d %s", code, body)
	}
}

// A file that is refused at its address is told why, and what to do instead.
func TestAFileThatIsRefusedIsToldWhy(t *testing.T) {
	g := at(t)
	_, body := g.do("POST", "/api/v1/uploads", announce)
	var up struct {
		Data struct{ UploadURL, ReadURL string }
	}
	if err := json.Unmarshal([]byte(body), &up); err != nil || up.Data.UploadURL == "" {
		t.Fatal(body, err)
	}
	for _, tt := range []struct {
		name, url, body string
		code            int
		says            string
	}{
		{"empty", up.Data.UploadURL, "", 400, "The body is empty"},
		{"too short", up.Data.UploadURL, "tea", 400, "sizeBytes"},
		{"too long", up.Data.UploadURL, "I drink tea all day.", 400, "sizeBytes"},
		{"to where it is read", up.Data.ReadURL, "I drink tea.", 404, "uploadUrl"},
		{"right", up.Data.UploadURL, "I drink tea.", 204, ""},
		{"the same again", up.Data.UploadURL, "I drink tea.", 204, ""},
		{"another", up.Data.UploadURL, "I drink milk", 400, "Another file was sent"},
		{"none again", up.Data.UploadURL, "", 400, "The body is empty"},
	} {
		code, body := g.do("PUT", tt.url, tt.body)
		if code != tt.code || !strings.Contains(body, tt.says) || strings.Contains(body, "multipart") {
			t.Errorf("%s: %d %s", tt.name, code, body)
		}
	}
	// A line that breaks is the sender's, and the address takes the file again.
	in := &arriving{body: io.MultiReader(strings.NewReader("I dr"), broken{})}
	_, err := io.ReadAll(in)
	if f := in.fault(err); !strings.Contains(f.Error(), "ended early") || strings.Contains(f.Error(), "multipart") {
		t.Errorf("%v", f)
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

package main

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	pages     = 200
	textBytes = 50 << 20 // the most that an upload takes
	turns     = 25       // completions have a ceiling of 30 a minute
)

// know gives a Mind a report of 200 pages, chats about it, and then sends a text
// of 50 MB, each on a gateway of its own so that memory is told apart.
func know(program string) error {
	return errors.Join(alone(program, report), alone(program, longText))
}

func report(s *server) error {
	mind, err := s.mind()
	if err != nil {
		return err
	}
	content, characters := pdf(pages)
	stop := s.watch()
	began := time.Now()
	item, err := s.form(mind, "report.pdf", content)
	if err != nil {
		return err
	}
	state, err := s.read(mind, item)
	if err != nil {
		return err
	}
	took, most := time.Since(began), stop()
	if state.Status != "completed" {
		return fmt.Errorf("the report was not read: %s", state.Error)
	}
	fmt.Printf("a PDF of %d pages (%d characters, %d passages): found after %s, at most %s with its reader's process\n",
		pages, characters, state.EmbeddingCount, took.Round(time.Millisecond), most)
	return s.chat(mind)
}

func longText(s *server) error {
	mind, err := s.mind()
	if err != nil {
		return err
	}
	stop := s.watch()
	began := time.Now()
	var up struct {
		Data struct{ Path, UploadURL string }
	}
	if err := s.rest(http.MethodPost, "/api/v1/uploads", map[string]any{"name": "long.txt", "folder": "context", "sizeBytes": textBytes}, &up); err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPut, up.Data.UploadURL, io.LimitReader(&lines{}, textBytes))
	if err != nil {
		return err
	}
	req.ContentLength = textBytes
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("upload: %s", resp.Status)
	}
	var made struct{ Data struct{ ID string } }
	if err := s.rest(http.MethodPost, "/api/v1/minds/"+mind+"/knowledge", map[string]any{"file": map[string]any{"name": "long.txt", "url": up.Data.Path}}, &made); err != nil {
		return err
	}
	state, err := s.read(mind, made.Data.ID)
	if err != nil {
		return err
	}
	took, most := time.Since(began), stop()
	fmt.Printf("a text of %d MB: sent and %s after %s (%s), at most %s\n", textBytes>>20, state.Status, took.Round(time.Millisecond), strings.TrimSpace(state.Error), most)
	return nil
}

// chat asks questions in a lasting conversation and prints how long a turn takes.
func (s *server) chat(mind string) error {
	var chat struct{ Data struct{ ID string } }
	if err := s.rest(http.MethodPost, "/api/v1/chats", map[string]any{"mindId": mind}, &chat); err != nil {
		return err
	}
	var times []time.Duration
	cited := 0
	for i := range turns {
		var said struct {
			Metadata struct{ Citations []any }
		}
		began := time.Now()
		question := fmt.Sprintf("What did household %d of page %d say about heating?", i, 7*i+1)
		if err := s.rest(http.MethodPost, "/api/v1/chats/"+chat.Data.ID+"/messages", map[string]any{"content": question}, &said); err != nil {
			return err
		}
		times = append(times, time.Since(began))
		if len(said.Metadata.Citations) > 0 {
			cited++
		}
	}
	first := times[0]
	slices.Sort(times)
	fmt.Printf("a turn of a chat about it: p50 %s, slowest %s, the first %s (%d turns, %d with a source)\n", times[turns/2].Round(100*time.Microsecond),
		times[turns-1].Round(100*time.Microsecond), first.Round(100*time.Microsecond), turns, cited)
	return nil
}

func (s *server) mind() (string, error) {
	var out struct{ Mind struct{ ID string } }
	if err := s.call("create_mind", map[string]any{"name": "Reader", "mode": "clone", "includeWebSearch": false, "personaContext": "Age: 40"}, &out); err != nil {
		return "", err
	}
	for {
		ready, err := s.ready(out.Mind.ID)
		if err != nil || ready {
			return out.Mind.ID, err
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// form sends a file as a browser does.
func (s *server) form(mind, name string, content []byte) (string, error) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	part, err := w.CreateFormFile("file", name)
	if err == nil {
		_, err = part.Write(content)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return "", err
	}
	var out struct{ Data struct{ ID string } }
	return out.Data.ID, s.send(http.MethodPost, "/api/v1/minds/"+mind+"/knowledge", &b, w.FormDataContentType(), &out)
}

type state struct {
	Status, Error  string
	EmbeddingCount int
}

func (s *server) read(mind, item string) (state, error) {
	for {
		var out struct{ Data state }
		if err := s.rest(http.MethodGet, "/api/v1/minds/"+mind+"/knowledge/"+item+"/status", nil, &out); err != nil {
			return state{}, err
		}
		if out.Data.Status == "failed" || out.Data.Status == "completed" {
			return out.Data, nil
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func (s *server) rest(method, path string, body, out any) error {
	var r io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			return err
		}
		r = bytes.NewReader(raw)
	}
	return s.send(method, path, r, "application/json", out)
}

func (s *server) send(method, path string, body io.Reader, kind string, out any) error {
	req, err := http.NewRequestWithContext(context.Background(), method, s.url+path, body)
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", kind)
	req.Header.Set("Authorization", "Bearer "+key)
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("%s %s: %s %.300s", method, path, resp.Status, raw)
	}
	return json.Unmarshal(raw, out)
}

// watch samples the resident memory of the process and those that it started,
// pages that they share counted each time, until it is stopped, and tells the most.
func (s *server) watch() (stop func() megabytes) {
	done, most := make(chan struct{}), make(chan megabytes)
	go func() {
		top := s.family()
		for {
			select {
			case <-done:
				most <- top
				return
			case <-time.After(5 * time.Millisecond):
				top = max(top, s.family())
			}
		}
	}()
	return func() megabytes { close(done); return <-most }
}

func (s *server) family() megabytes {
	sum := s.resident()
	if sum < 0 {
		return sum
	}
	own := strconv.Itoa(s.cmd.Process.Pid)
	threads, _ := filepath.Glob("/proc/" + own + "/task/*/children")
	for _, list := range threads {
		raw, _ := os.ReadFile(list) // a thread may be gone
		for _, pid := range strings.Fields(string(raw)) {
			sum += max(0, residentOf(pid))
		}
	}
	return sum
}

// lines is a text without end, of lines that differ.
type lines struct {
	n    int
	rest []byte
}

func (l *lines) Read(p []byte) (int, error) {
	if len(l.rest) == 0 {
		l.n++
		l.rest = fmt.Appendf(nil, "Household %d said that heating was worth %d euros a month to them, more than the year before.\n\n", l.n, 40+l.n%60)
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// pdf is a report as office programs write them, with a header and a footer, and
// how many characters it has.
func pdf(pages int) ([]byte, int) {
	var b bytes.Buffer
	var at []int
	object := func(text string) {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", len(at), text)
	}
	b.WriteString("%PDF-1.7\n")
	object("<</Type/Catalog/Pages 2 0 R>>")
	var kids strings.Builder
	for p := range pages {
		fmt.Fprintf(&kids, "%d 0 R ", 4+2*p)
	}
	object(fmt.Sprintf("<</Type/Pages/Count %d/Kids[%s]>>", pages, kids.String()))
	object("<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>")
	characters := 0
	for p := range pages {
		var text bytes.Buffer
		fmt.Fprintf(&text, "BT /F 9 Tf 1 0 0 1 200 810 Tm (Household report) Tj ET BT /F 9 Tf 1 0 0 1 300 20 Tm (Page %d) Tj ET BT /F 10 Tf 14 TL 1 0 0 1 50 760 Tm\n", p+1)
		for l := range 50 {
			line := fmt.Sprintf("Household %d of page %d said that heating was worth %d euros a month, more than before.", l, p+1, 40+l)
			characters += len(line)
			fmt.Fprintf(&text, "(%s) Tj T*\n", line)
		}
		text.WriteString("ET")
		var packed bytes.Buffer
		z := zlib.NewWriter(&packed)
		_, _ = z.Write(text.Bytes()) // into memory
		_ = z.Close()
		object(fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents %d 0 R/Resources<</Font<</F 3 0 R>>>>>>", len(at)+2))
		object(fmt.Sprintf("<</Length %d/Filter/FlateDecode>>\nstream\n%s\nendstream", packed.Len(), packed.String()))
	}
	table := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, offset := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, table)
	return b.Bytes(), characters
}

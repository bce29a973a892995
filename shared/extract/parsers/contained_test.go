package parsers

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/extract"
)

// In the processes of these tests a CSV file may ask for what no reader should
// do, by its name.
var _ = func() bool {
	plain := readers[extract.CSV]
	readers[extract.CSV] = func(ctx context.Context, f *file) (extract.Info, error) {
		switch f.Filename {
		case "panic":
			panic("a reader's mistake")
		case "crash":
			go func() { panic("where nobody recovers") }()
			select {}
		case "recurse":
			return extract.Info{}, recurse(f, 0)
		case "hang":
			for n := 0; n >= 0; n = (n + 1) & 0xff { // without a call in which it could be stopped
			}
		case "grow":
			for all := [][]byte{nil}; len(all) > 0; {
				all = append(all, touched(1<<20))
			}
		case "leap":
			_ = touched(3 << 30)
		case "exit":
			os.Exit(0)
		case "environment":
			return extract.Info{}, f.put(strings.Join(os.Environ(), "\n"), "", "")
		case "failure":
			return extract.Info{}, errors.New("the disk is on fire")
		}
		return plain(ctx, f)
	}
	return true
}()

//go:noinline
func recurse(f *file, n int) error {
	var big [1 << 10]byte
	big[n%len(big)] = 1
	if n < 0 {
		return nil
	}
	if err := recurse(f, n+1); err != nil {
		return err
	}
	return f.put(string(big[:]), "", "")
}

func touched(n int) []byte {
	b := make([]byte, n)
	for i := 0; i < n; i += 4096 {
		b[i] = 1
	}
	return b
}

// What a reader may do wrong ends as a Problem of its file, soon, and leaves the
// process that asked as it was.
func TestReadersAreContained(t *testing.T) {
	for name, code := range map[string]string{
		"panic": extract.CodeDamaged, "crash": extract.CodeDamaged, "recurse": extract.CodeDamaged, "exit": extract.CodeDamaged,
		"hang": extract.CodeTimeout, "grow": extract.CodeTooLarge, "leap": extract.CodeTooLarge,
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			o := extract.Options{Kind: extract.CSV, Filename: name, Time: 3 * time.Second, Memory: 128 << 20}
			_, err := extract.Read(t.Context(), strings.NewReader("a\nb"), o, func(extract.Block) error { return nil })
			var p *extract.Problem
			if !errors.As(err, &p) || p.Code != code {
				t.Fatalf("err = %v, want a Problem %q", err, code)
			}
			if d := time.Since(start); d > 8*time.Second {
				t.Errorf("took %s", d)
			}
		})
	}
}

func TestFailuresAreNotTheFilesFault(t *testing.T) {
	_, err := extract.Read(t.Context(), strings.NewReader("a\nb"), extract.Options{Kind: extract.CSV, Filename: "failure"}, func(extract.Block) error { return nil })
	if err == nil || errors.As(err, new(*extract.Problem)) || !strings.Contains(err.Error(), "fire") {
		t.Errorf("err = %v", err)
	}
	broken := errors.New("the link broke")
	_, err = extract.Read(t.Context(), io.MultiReader(strings.NewReader("a"), failing{broken}), extract.Options{Kind: extract.CSV}, func(extract.Block) error { return nil })
	if !errors.Is(err, broken) {
		t.Errorf("err = %v, want the input's", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// A reader that is taken over finds no keys.
func TestReadersGetNoSecrets(t *testing.T) {
	t.Setenv("MINDGATE_MODEL_KEY", "sesame")
	var seen string
	_, err := extract.Read(t.Context(), strings.NewReader("a\nb"), extract.Options{Kind: extract.CSV, Filename: "environment"}, func(b extract.Block) error {
		seen += b.Text
		return nil
	})
	if err != nil || !strings.Contains(seen, "MINDGATE_EXTRACT") || strings.Contains(seen, "sesame") || strings.Contains(seen, "HOME=") {
		t.Errorf("%v: %s", err, seen)
	}
}

func TestCancellingEndsTheReader(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	start := time.Now()
	_, err := extract.Read(ctx, strings.NewReader("a\nb"), extract.Options{Kind: extract.CSV, Filename: "hang"}, func(extract.Block) error { return nil })
	if !errors.Is(err, context.Canceled) || time.Since(start) > 5*time.Second {
		t.Errorf("%v after %s", err, time.Since(start))
	}
}

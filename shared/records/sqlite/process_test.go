package sqlite_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/records/sqlite"
)

// The tests here start this test binary again as other processes.
const (
	childJob  = "SQLITE_TEST_CHILD"
	childPath = "SQLITE_TEST_PATH"
)

func TestMain(m *testing.M) {
	if job := os.Getenv(childJob); job != "" {
		if err := child(job, os.Getenv(childPath)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func process(t *testing.T, job, path string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childJob+"="+job, childPath+"="+path)
	cmd.Stderr = os.Stderr
	return cmd
}

const (
	processes = 3
	workers   = 4
	rounds    = 25
)

func child(job, path string) error {
	ctx := context.Background()
	s, err := sqlite.Open(ctx, path, sqlite.Options{CursorKey: cursorKey})
	if err != nil {
		return err
	}
	defer s.Close()
	switch job {
	case "open":
		return nil
	case "count":
		return countTogether(ctx, s)
	case "write":
		for i := 0; ; i++ {
			sk := fmt.Sprintf("%06d", i)
			err := s.Transact(ctx, "", records.PutItem(records.Item{Key: records.Key{PK: "p", SK: sk}, Body: []byte(`{"n":1}`)}, records.NotExists()),
				records.AddTo(records.Key{PK: "total", SK: "n"}, records.Delta{By: 1}))
			if err != nil {
				return err
			}
			fmt.Println(sk) // acknowledged
		}
	}
	return errors.New("no such job")
}

// countTogether changes one item and two counters in every way there is.
func countTogether(ctx context.Context, s *sqlite.Store) error {
	var wait sync.WaitGroup
	errs := make([]error, workers)
	for w := range workers {
		wait.Go(func() {
			for range rounds {
				_, err := s.Update(ctx, records.Key{PK: "shared", SK: "cas"}, 0, func(it *records.Item) error { it.N++; return nil })
				_, err2 := s.Add(ctx, records.Key{PK: "shared", SK: "add"}, records.Delta{By: 1})
				err3 := s.Transact(ctx, "", records.AddTo(records.Key{PK: "shared", SK: "transact"}, records.Delta{By: 1}))
				if errs[w] = errors.Join(err, err2, err3); errs[w] != nil {
					return
				}
			}
		})
	}
	wait.Wait()
	return errors.Join(errs...)
}

// Several processes open one file at the same time, the first of them a file
// that is not there yet, and lose no update.
func TestProcessesShareAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "records.db")
	fresh := filepath.Join(t.TempDir(), "fresh.db") // made by whoever comes first
	s, err := openPath(t, path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Put(t.Context(), records.Item{Key: records.Key{PK: "shared", SK: "cas"}}); err != nil {
		t.Fatal(err)
	}
	var cmds []*exec.Cmd
	for range processes {
		cmds = append(cmds, process(t, "count", path), process(t, "open", fresh))
	}
	for _, c := range cmds {
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
	}
	if err := countTogether(t.Context(), s); err != nil {
		t.Error(err)
	}
	for _, c := range cmds {
		if err := c.Wait(); err != nil {
			t.Error(err)
		}
	}
	const want = (processes + 1) * workers * rounds
	for _, sk := range []string{"cas", "add", "transact"} {
		it, err := s.Get(t.Context(), records.Key{PK: "shared", SK: sk})
		if err != nil || it.N != want {
			t.Errorf("%s: %d, %v; want %d", sk, it.N, err, want)
		}
	}
}

// What a process has acknowledged survives its kill at any moment, whole.
func TestKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "records.db")
	for round := range 5 {
		cmd := process(t, "write", path)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		var acked []string
		for lines.Scan() {
			if acked = append(acked, lines.Text()); len(acked) == 10+7*round {
				break
			}
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for lines.Scan() { // what it had said before it was killed
			acked = append(acked, lines.Text())
		}
		io.Copy(io.Discard, out)
		cmd.Wait()

		s, err := openPath(t, path)
		if err != nil {
			t.Fatal(err)
		}
		rows := 0
		for q := (records.Query{PK: "p"}); ; {
			p, err := s.Query(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			rows += len(p.Items)
			if q.Cursor = p.Cursor; q.Cursor == "" {
				break
			}
		}
		for _, sk := range acked {
			if _, err := s.Get(t.Context(), records.Key{PK: "p", SK: sk}); err != nil {
				t.Fatalf("round %d: %s was acknowledged: %v", round, sk, err)
			}
		}
		total, err := s.Get(t.Context(), records.Key{PK: "total", SK: "n"})
		if err != nil || int(total.N) != rows {
			t.Fatalf("round %d: %d rows, counter at %d, %v", round, rows, total.N, err)
		}
		// The next round starts from nothing.
		for sk := range rows {
			if err := s.Delete(t.Context(), records.Key{PK: "p", SK: fmt.Sprintf("%06d", sk)}); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Delete(t.Context(), records.Key{PK: "total", SK: "n"}); err != nil {
			t.Fatal(err)
		}
		s.Close()
	}
}

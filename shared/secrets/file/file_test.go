package file

import (
	"bytes"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/secrets"
	"github.com/mindgate-dev/mindgate/shared/secrets/secretstest"
)

func TestContract(t *testing.T) {
	secretstest.Run(t, func(t *testing.T) func() secrets.Source {
		dir := filepath.Join(t.TempDir(), "data")
		return func() secrets.Source {
			r, err := Open(dir, "")
			if err != nil {
				t.Errorf("open: %v", err)
			}
			return r
		}
	})
}

func TestFirstStartLeavesOneKeyForItsOwner(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(dir, ""); err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadDir(dir)
	if err != nil || len(list) != 1 || list[0].Name() != Name {
		t.Fatalf("%v, %v", list, err)
	}
	info, err := list[0].Info()
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("mode %v, %v", info.Mode(), err)
	}
}

func TestRefusals(t *testing.T) {
	key := hex.EncodeToString(bytes.Repeat([]byte{1}, 32))
	for _, c := range []struct {
		name, content, env, want string
		mode                     os.FileMode
	}{
		{"readable by others", key, "", "chmod 600", 0o644},
		{"readable by the group", key, "", "chmod 600", 0o640},
		{"empty", "", "", "backup", 0o600},
		{"broken", "not a key", "", "backup", 0o600},
		{"cut short", key[:40], "", "backup", 0o600},
		{"huge", strings.Repeat("x", maxFile+1), "", "bytes", 0o600},
		{"bad variable", key, "zz-canary", "MINDGATE_SECRET_KEY", 0o600},
		{"blank variable", key, " ", "MINDGATE_SECRET_KEY", 0o600},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, Name)
			if err := os.WriteFile(path, []byte(c.content), c.mode); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(path, c.mode); err != nil {
				t.Fatal(err)
			}
			_, err := Open(dir, c.env)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v, want %q in it", err, c.want)
			}
			if strings.Contains(err.Error(), "canary") || len(c.content) > 8 && c.content != "not a key" && strings.Contains(err.Error(), c.content[:8]) {
				t.Fatalf("the error quotes the key: %v", err)
			}
			// A refused key file is never replaced.
			if now, _ := os.ReadFile(path); string(now) != c.content {
				t.Fatal("the file was changed")
			}
		})
	}
}

func TestVariableGoesFirstAndLeavesTheFolderAlone(t *testing.T) {
	dir := t.TempDir()
	master := bytes.Repeat([]byte{1}, 32)
	r, err := Open(dir, hex.EncodeToString(master))
	if err != nil {
		t.Fatal(err)
	}
	want, err := secrets.NewRing(master)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(r.Derive("x", 32), want.Derive("x", 32)) {
		t.Error("another key than the variable's")
	}
	if list, _ := os.ReadDir(dir); len(list) != 0 {
		t.Errorf("wrote %v", list)
	}
}

func TestFolderThatCannotBeWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "taken")
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, ""); err == nil || errors.Is(err, secrets.ErrMalformed) {
		t.Fatalf("got %v", err)
	}
}

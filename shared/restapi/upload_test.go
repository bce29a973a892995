package restapi

import (
	"bytes"
	"errors"
	"mime/multipart"
	"net/textproto"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// An upload waits where the host says, for its user alone, and goes when done;
// a full disk there is told as such.
func TestUploadsWaitInTheSpool(t *testing.T) {
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	part, err := w.CreateFormFile("file", "a.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = part.Write([]byte("hello"))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	up, err := readUpload(multipart.NewReader(&body, w.Boundary()), dir)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := up.file.Stat(); filepath.Dir(up.file.Name()) != dir || err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%s: %v, %v", up.file.Name(), info.Mode(), err)
	}
	up.discard()
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("%v, %v", left, err)
	}
	full := uploadFault(&os.PathError{Op: "write", Path: dir, Err: syscall.ENOSPC})
	if !fault.Is(fault.From(full), fault.StorageUnavailable) || !errors.Is(full, syscall.ENOSPC) {
		t.Errorf("%v", full)
	}
}

// The media type of a file is a hint of bounded length; the refusal names it.
func TestMediaTypeOfAFileIsBounded(t *testing.T) {
	for n, fits := range map[int]bool{255: true, 256: false} {
		var body bytes.Buffer
		w := multipart.NewWriter(&body)
		part, err := w.CreatePart(textproto.MIMEHeader{
			"Content-Disposition": {`form-data; name="file"; filename="a.txt"`}, "Content-Type": {strings.Repeat("t", n)},
		})
		if err != nil {
			t.Fatal(err)
		}
		_, _ = part.Write([]byte("hello"))
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		up, err := readUpload(multipart.NewReader(&body, w.Boundary()), t.TempDir())
		if fits {
			if err != nil {
				t.Errorf("%d: %v", n, err)
			} else {
				up.discard()
			}
		} else if !fault.Is(err, fault.Validation) || !strings.Contains(err.Error(), "Content-Type of file has 256") {
			t.Errorf("%d: %v", n, err)
		}
	}
}

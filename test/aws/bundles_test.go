//go:build aws

package aws

import (
	"archive/zip"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// What is uploaded for a function stays below what AWS takes: 50 MB zipped without
// a detour over a bucket, and 250 MB unzipped.
func TestBundlesFit(t *testing.T) {
	const mostZipped, mostUnzipped = 50 << 20, 250 << 20
	for _, bundle := range []string{"mcp", "rest", "minds", "jobs"} {
		files, err := filepath.Glob("../../dist/" + bundle + "/*")
		if err != nil || len(files) == 0 {
			t.Fatalf("%s is not built: %v", bundle, err)
		}
		var zipped counter
		var unzipped int64
		z := zip.NewWriter(&zipped)
		for _, name := range files {
			n, err := pack(z, name)
			if err != nil {
				t.Fatal(err)
			}
			unzipped += n
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %.1f MB zipped, %.1f MB unzipped, %d files", bundle, float64(zipped)/1e6, float64(unzipped)/1e6, len(files))
		if int64(zipped) > mostZipped || unzipped > mostUnzipped {
			t.Errorf("%s is too large: %d bytes zipped, %d unzipped", bundle, zipped, unzipped)
		}
	}
}

func pack(z *zip.Writer, name string) (int64, error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	w, err := z.Create(filepath.Base(name))
	if err != nil {
		return 0, err
	}
	return io.Copy(w, f)
}

type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

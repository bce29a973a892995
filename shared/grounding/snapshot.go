package grounding

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/gowebpki/jcs"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// Kinds of snapshots (M-58).
const (
	KindPreview = "preview"
	KindImport  = "import"
)

// MaxSnapshot is the most characters that a snapshot may have.
const MaxSnapshot = 2_000_000

// MaxDistributions is the most axes that an allocation takes (M-120).
const MaxDistributions = 200

// Snapshot is what a reviewer accepts: the content of reviewedGroundingJson
// before its canonical encoding (M-51, M-58).
type Snapshot struct {
	Version             int              `json:"version"` // 1
	Kind                string           `json:"kind"`    // preview | import
	InputsSHA256        *string          `json:"inputsSha256"`
	AllocationSHA256    *string          `json:"allocationSha256"`
	MemberCount         *int             `json:"memberCount"`
	Distributions       []Distribution   `json:"distributions"`
	ReviewDistributions []Distribution   `json:"reviewDistributions"`
	Sources             []Source         `json:"sources"`
	HardConstraints     *HardConstraints `json:"hardConstraints"`
	Files               []SnapshotFile   `json:"files"`
}

// SnapshotFile is a file that the figures were read from.
type SnapshotFile struct {
	Name   string `json:"name"`
	URL    string `json:"url"`
	SHA256 string `json:"sha256"` // lower-case hex of its bytes
}

// Canonical is the snapshot as canonical JSON (RFC 8785). One of more than
// MaxSnapshot characters is refused.
func (s Snapshot) Canonical() ([]byte, error) {
	if s.Version == 0 {
		s.Version = 1
	}
	if s.Distributions == nil {
		s.Distributions = []Distribution{}
	}
	if s.ReviewDistributions == nil {
		s.ReviewDistributions = []Distribution{}
	}
	if s.Sources == nil {
		s.Sources = []Source{}
	}
	if s.Files == nil {
		s.Files = []SnapshotFile{}
	}
	raw, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("grounding: %w", err)
	}
	out, err := jcs.Transform(raw)
	if err != nil {
		return nil, fmt.Errorf("grounding: canonical form: %w", err)
	}
	if n := utf8.RuneCount(out); n > MaxSnapshot {
		return nil, fault.New(fault.Validation, "The reviewed grounding has %d characters; at most %d are allowed. Give fewer sources or exclude distributions.", n, MaxSnapshot).With("path", "/reviewedGroundingJson")
	}
	return out, nil
}

// Checksum is the lower-case hex SHA-256 of the bytes (M-51).
func Checksum(canonical []byte) string {
	sum := sha256.Sum256(canonical)
	return hex.EncodeToString(sum[:])
}

// ParseSnapshot reads a reviewed grounding. What does not fit is a VALIDATION
// fault that names the field. Dimensions and canonical labels are filled in again.
func ParseSnapshot(raw string) (Snapshot, error) {
	var s Snapshot
	bad := func(path, why string, args ...any) (Snapshot, error) {
		return Snapshot{}, fault.New(fault.Validation, "reviewedGroundingJson%s %s. Send back the text exactly as the preview returned it.", path, fmt.Sprintf(why, args...)).With("path", "/reviewedGroundingJson"+strings.ReplaceAll(path, ".", "/"))
	}
	if n := utf8.RuneCountInString(raw); n > MaxSnapshot {
		return bad("", "has %d characters, more than %d", n, MaxSnapshot)
	}
	if !utf8.ValidString(raw) {
		return bad("", "is not UTF-8")
	}
	dec := json.NewDecoder(strings.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&s); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) && wrong.Field != "" {
			return bad("."+wrong.Field, "has the wrong type, %s", wrong.Value)
		}
		return bad("", "is no grounding: %s", plain(err))
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return bad("", "has text after its end")
	}
	if s.Version != 1 {
		return bad(".version", "is %d, not 1", s.Version)
	}
	if s.Kind != KindPreview && s.Kind != KindImport {
		return bad(".kind", "is neither preview nor import")
	}
	for _, h := range []struct {
		path string
		sum  *string
	}{{".inputsSha256", s.InputsSHA256}, {".allocationSha256", s.AllocationSHA256}} {
		if h.sum != nil && !isSHA(*h.sum) {
			return bad(h.path, "is no SHA-256 in lower-case hex")
		}
	}
	if s.Kind == KindPreview && (s.InputsSHA256 == nil || s.AllocationSHA256 == nil || s.MemberCount == nil) {
		return bad(".kind", "is preview, so inputsSha256, allocationSha256 and memberCount are needed")
	}
	if s.MemberCount != nil && *s.MemberCount < 1 {
		return bad(".memberCount", "is %d, less than 1", *s.MemberCount)
	}
	for i, f := range s.Files {
		if f.Name == "" || f.URL == "" || !isSHA(f.SHA256) {
			return bad(fmt.Sprintf(".files.%d", i), "needs a name, a url and a sha256")
		}
	}
	for i, src := range s.Sources {
		if !(src.Confidence >= 0 && src.Confidence <= 1) {
			return bad(fmt.Sprintf(".sources.%d.confidence", i), "is not between 0 and 1")
		}
	}
	if len(s.Distributions) > MaxDistributions {
		return bad(".distributions", "has %d axes, more than %d", len(s.Distributions), MaxDistributions)
	}
	names := map[string]bool{}
	for _, list := range []struct {
		path   string
		all    []Distribution
		unique bool
	}{{".distributions", s.Distributions, true}, {".reviewDistributions", s.ReviewDistributions, false}} {
		for i := range list.all {
			d := &list.all[i]
			path := fmt.Sprintf("%s.%d", list.path, i)
			if field, why := d.fault(len(s.Sources)); why != "" {
				return bad(path+field, "%s", why)
			}
			if list.unique && names[d.Name] {
				return bad(path+".name", "stands twice: %q", cut(d.Name, 60))
			}
			names[d.Name] = names[d.Name] || list.unique
			d.Annotate()
		}
	}
	return s, nil
}

// fault says what is wrong with a distribution, with the field; "" when nothing.
func (d Distribution) fault(sources int) (field, why string) {
	switch {
	case strings.TrimSpace(d.Name) == "" || utf8.RuneCountInString(d.Name) > 200:
		return ".name", "is empty or longer than 200 characters"
	case d.Status != Sourced && d.Status != Proxy && d.Status != Assumed && d.Status != Missing:
		return ".status", "is none of sourced, proxy, assumed, missing"
	case !contains([]string{"", TierTarget, TierBroader, TierGeneral, TierGlobal}, d.Tier):
		return ".tier", "is none of target, broader, general, global"
	case !contains([]string{"", Demographic, Geographic, Psychographic, Behavioral, Firmographic}, d.Category):
		return ".category", "is not one of the five categories"
	case len(d.Distribution) == 0:
		return ".distribution", "has no segments"
	}
	labels := map[string]bool{}
	for i, s := range d.Distribution {
		at := fmt.Sprintf(".distribution.%d", i)
		switch {
		case strings.TrimSpace(s.Label) == "" || utf8.RuneCountInString(s.Label) > 200:
			return at + ".label", "is empty or longer than 200 characters"
		case labels[s.Label]:
			return at + ".label", "stands twice"
		case math.IsNaN(s.Pct) || s.Pct < 0 || s.Pct > 100:
			return at + ".pct", "is not between 0 and 100"
		case s.SourceIdx < -1 || s.SourceIdx >= sources:
			return at + ".sourceIdx", "points to no source"
		}
		labels[s.Label] = true
	}
	return "", ""
}

func plain(err error) string {
	return strings.TrimPrefix(strings.TrimPrefix(err.Error(), "json: "), "grounding: ")
}

func isSHA(s string) bool {
	if len(s) != 64 || s != strings.ToLower(s) {
		return false
	}
	_, err := hex.DecodeString(s)
	return err == nil
}

// hardJSON is the shape of hard constraints: gender, age, country and
// categoricalMemberships of the brief.
type hardJSON struct {
	Gender      []string   `json:"gender,omitempty"`
	Age         *ageJSON   `json:"age,omitempty"`
	Country     []string   `json:"country,omitempty"`
	Categorical []Required `json:"categoricalMemberships,omitempty"`
}

type ageJSON struct {
	Min *int `json:"min,omitempty"`
	Max *int `json:"max,omitempty"`
}

// MarshalJSON writes the contract's names.
func (h HardConstraints) MarshalJSON() ([]byte, error) {
	out := hardJSON{Gender: h.Genders, Country: h.Countries, Categorical: h.Categorical}
	if h.MinAge != nil || h.MaxAge != nil {
		out.Age = &ageJSON{Min: h.MinAge, Max: h.MaxAge}
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads the contract's names and no others.
func (h *HardConstraints) UnmarshalJSON(raw []byte) error {
	var in hardJSON
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&in); err != nil {
		return fmt.Errorf("hardConstraints: %w", err)
	}
	*h = HardConstraints{Genders: in.Gender, Countries: in.Country, Categorical: in.Categorical}
	if in.Age != nil {
		h.MinAge, h.MaxAge = in.Age.Min, in.Age.Max
	}
	return nil
}

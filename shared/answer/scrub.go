package answer

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/expression"
	"github.com/mindgate-dev/mindgate/shared/inert"
)

// scrubber reads a reply as it comes. It takes the marks out ([S1], [P], [N]) and
// remembers what they stand behind, takes quotation marks away from words that
// stand in no source, and gives on clean sentences. Given whole or in any pieces,
// a reply comes out the same.
//
// A sentence that names what it rests on is held against it (judge). With strict
// (knowledge_only) what stands nowhere is left out, and nothing is given on before
// something that does. Else such a sentence waits: it is left out once another of
// the reply is supported, so that a reply that counts as stated holds nothing that
// only claims to be; where none is, all is given at the end, as unsupported.
type scrubber struct {
	known  func(mark string) bool  // whether the prompt gave this mark
	quoted func(words string) bool // whether these words stand in what was given
	judge  func(sentence string, marks []string, persona bool) judged
	honest func() string // what a Mind is, instead of a claim to be a person
	strict bool
	emit   func(string) error

	pending string // read, not yet a whole sentence
	waiting []waits
	open    bool // something supported was said
	refused bool // something was left out, or may be, that was not supported
	honored bool // honest was said
	out     strings.Builder
	space   string // between what was given on and what comes
	said    []spoken
	persona bool // something rests on the persona
}

// waits is a clean text that was not given on yet.
type waits struct {
	clean   string
	refused bool
}

// judged is what a sentence rests on in truth.
type judged struct {
	marks   []string // of sources that hold it
	persona bool     // the persona does
	foreign bool     // as far as can be told between two languages
	refused bool     // it claims what nothing holds
	drop    bool     // it must not be shown, whatever else is
}

// spoken is a sentence with the marks behind it.
type spoken struct {
	text    string
	marks   []string
	foreign bool // in another language than what it rests on
}

var (
	marker  = expression.Of(`(?i)[ \t]*[\[［【]\s*((?:[SFEAIT]\d{1,2}|P|N)(?:\s*[,;、，/]\s*(?:[SFEAIT]\d{1,2}|P|N))*)\s*[\]］】]`)
	mark    = expression.Of(`(?i)[SFEAIT]\d{1,2}|P|N`)
	leading = expression.Of(`^\s*` + marker.String())
	// "Yes. [S1]." has one full stop too many when the mark is gone.
	stopped = expression.Of(`([.!?])(?:` + marker.String() + `)+\.`)
	quotes  = expression.Of(`"[^"\n]+"|“[^“”\n]+”|„[^„“”\n]+[“”]|«[^«»\n]+»`)
)

// maxPending bounds what waits for the end of a sentence.
const maxPending = 2000

// write takes one more piece.
func (s *scrubber) write(piece string) error {
	s.pending += piece
	for {
		n := cut(s.pending, false)
		if n == 0 {
			return nil
		}
		unit := s.pending[:n]
		s.pending = s.pending[n:]
		if err := s.sentence(unit); err != nil {
			return err
		}
	}
}

// close takes the end.
func (s *scrubber) close() error {
	for s.pending != "" {
		n := cut(s.pending, true)
		unit := s.pending[:n]
		s.pending = s.pending[n:]
		if err := s.sentence(unit); err != nil {
			return err
		}
	}
	if s.strict {
		return nil
	}
	return s.giveWaiting(true)
}

// cut gives the bytes of the first whole unit: a sentence with the marks and white
// space behind it. 0: it is not sure yet that there is one. What it gives does not
// depend on how much more is there already.
func cut(text string, last bool) int {
	end := sentenceEnd(text, last)
	switch {
	case end < 0 && last:
		return len(text)
	case end < 0:
		return 0
	case end >= maxPending:
		return end
	}
	for { // marks and white space behind the sentence; they may still be coming
		rest := text[end:]
		if loc := leading.FindStringIndex(rest); loc != nil {
			end += loc[1]
			for end < len(text) && strings.IndexByte(".,;:!?", text[end]) >= 0 { // "[S1]."
				end++
			}
			continue
		}
		trimmed := strings.TrimLeftFunc(rest, unicode.IsSpace)
		if !last && (trimmed == "" || maybeMarker(trimmed)) {
			return 0
		}
		return len(text) - len(trimmed)
	}
}

// sentenceEnd gives where the first sentence or line ends, -1 if that is not seen
// yet. What has no end within maxPending bytes is cut there.
func sentenceEnd(text string, last bool) int {
	for i, r := range text {
		after := i + utf8.RuneLen(r)
		switch {
		case i >= maxPending:
			return i
		case r == utf8.RuneError: // one byte that is no character
		case r == '\n', strings.ContainsRune("。！？", r):
			return after
		case strings.ContainsRune(".!?…", r):
			// It ends a sentence only before white space or a mark; "3.5" has none.
			next := strings.TrimLeft(text[after:], closers)
			c, _ := utf8.DecodeRuneInString(next)
			switch {
			case next == "" && !last:
				return -1
			case next == "", unicode.IsSpace(c), strings.ContainsRune("[［【", c):
				return len(text) - len(next)
			}
		}
	}
	return -1
}

// closers may stand between a sentence's full stop and the white space.
const closers = `.!?…"'”’»)`

// maybeMarker reports the beginning of a mark whose end is not there yet.
func maybeMarker(text string) bool {
	c, _ := utf8.DecodeRuneInString(text)
	return strings.ContainsRune("[［【", c) && !strings.ContainsAny(text, "]］】\n") && len(text) < 64
}

// sentence takes one unit.
func (s *scrubber) sentence(unit string) error {
	var marks []string
	persona := false
	for _, m := range marker.FindAllStringSubmatch(unit, -1) {
		for _, id := range mark.FindAllString(m[1], -1) {
			switch id = strings.ToUpper(id); {
			case id == "P":
				persona = true
			case s.known(id):
				marks = append(marks, id)
			}
		}
	}
	clean := unmarked(unit)
	text := strings.TrimSpace(clean)
	var of judged
	switch {
	case text == "" && len(marks) == 0:
	case human(text):
		s.refused = true
		if s.honored {
			return nil
		}
		s.honored = true
		clean = s.honest() + clean[len(strings.TrimRightFunc(clean, unicode.IsSpace)):]
	default:
		of = s.judge(text, marks, persona)
	}
	s.refused = s.refused || of.refused
	if of.refused && (s.strict || s.open || of.drop) {
		return nil
	}
	clean = quotes.ReplaceAllStringFunc(clean, func(q string) string {
		_, a := utf8.DecodeRuneInString(q)
		_, z := utf8.DecodeLastRuneInString(q)
		inner := q[a : len(q)-z]
		if len(strings.Fields(inner)) < 3 || s.quoted(inner) {
			return q // a word or two in quotation marks are no quotation
		}
		return inner
	})
	if text = strings.TrimSpace(clean); text != "" || len(of.marks) > 0 {
		s.said = append(s.said, spoken{text, of.marks, of.foreign})
	}
	s.persona = s.persona || of.persona
	s.open = s.open || len(of.marks) > 0 || of.persona && !s.strict
	s.waiting = append(s.waiting, waits{clean, of.refused})
	if !s.open && (s.strict || s.anyRefused()) {
		return nil
	}
	return s.giveWaiting(false)
}

func (s *scrubber) anyRefused() bool {
	for _, w := range s.waiting {
		if w.refused {
			return true
		}
	}
	return false
}

// giveWaiting gives on what waited, what was refused only where all is given.
func (s *scrubber) giveWaiting(all bool) error {
	clean := ""
	for _, w := range s.waiting {
		if all || !w.refused {
			clean += w.clean
		}
	}
	s.waiting = nil
	if clean == "" {
		return nil
	}
	return s.give(clean)
}

// unmarked takes the marks out of a text, and turns back the entities of inert.
func unmarked(text string) string {
	return inert.Restore(marker.ReplaceAllString(stopped.ReplaceAllString(text, "$1"), ""))
}

// give gives on, without white space at the beginning and keeping back that at the
// end until something follows.
func (s *scrubber) give(clean string) error {
	if s.out.Len() == 0 {
		clean = strings.TrimLeftFunc(clean, unicode.IsSpace)
	}
	text := strings.TrimRightFunc(clean, unicode.IsSpace)
	if text == "" {
		return nil
	}
	if s.out.Len() > 0 {
		text = s.space + text
	}
	s.space = clean[len(strings.TrimRightFunc(clean, unicode.IsSpace)):]
	s.out.WriteString(text)
	return s.emit(text)
}

package answer

import (
	"strings"
	"unicode"

	"github.com/mindgate-dev/mindgate/shared/inert"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// given is everything that a prompt held, for telling what a reply may quote
// and name.
type given struct {
	texts  []string
	folded string
}

func givenBy(s *sources, r simulate.Respondent, message string, history []simulate.Earlier) *given {
	g := &given{texts: []string{message, r.Name, r.SystemPrompt, r.Profile.Raw}}
	for _, h := range history {
		g.texts = append(g.texts, h.Question, h.Text)
	}
	for _, m := range s.order {
		switch of := s.by[m]; {
		case of.passage != nil:
			g.texts = append(g.texts, of.passage.Text, of.passage.Source, of.passage.Where)
		case of.brought != nil:
			g.texts = append(g.texts, of.brought.text, of.brought.name)
		case of.figure != nil:
			g.texts = append(g.texts, inWords(of.figure))
		default:
			g.texts = append(g.texts, earlierInWords(of.earlier))
		}
	}
	return g
}

// quotes tells whether these words stand in what was given, but for case, white
// space and the form of quotation marks and dashes.
func (g *given) quotes(words string) bool {
	if g.folded == "" {
		folded := make([]string, len(g.texts))
		for i, t := range g.texts {
			folded[i] = foldQuote(t)
		}
		g.folded = strings.Join(folded, "\n")
	}
	w := strings.TrimRight(foldQuote(words), ".,;:!?…")
	return w != "" && strings.Contains(g.folded, w)
}

func foldQuote(text string) string {
	return strings.Join(strings.FieldsFunc(strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune("‘’‚′`", r):
			return '\''
		case strings.ContainsRune("“”„«»″", r):
			return '"'
		case strings.ContainsRune("‐‑‒–—−", r):
			return '-'
		case inert.Hidden(r):
			if unicode.IsSpace(r) {
				return ' '
			}
			return -1
		}
		return unicode.ToLower(r)
	}, text), unicode.IsSpace), " ")
}

package chat

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/simulate"
	"golang.org/x/sync/errgroup"
)

// mostSpeakers is how many Minds speak to one message, each once (M-280).
const mostSpeakers = 5

// relevant is the least share of a message that a Mind's knowledge or persona
// must hold for it to speak up by itself.
const relevant = .2

// looking bounds how many Minds are looked through at once.
const looking = 8

// moderate chooses who speaks to a message, by rules and not by chance: whom the
// message names, in the order of their names; else those to whose knowledge and
// persona it is nearest; else those who have spoken least. Ties go to the order
// in which the Minds joined.
func (s *Service) moderate(ctx context.Context, row chatRow, minds []mind.Mind, message string) ([]mind.Mind, error) {
	if len(minds) <= 1 {
		return minds, nil
	}
	if named := namedIn(message, minds); len(named) > 0 {
		return named[:min(len(named), mostSpeakers)], nil
	}
	near := make([]float64, len(minds))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(looking)
	for i, m := range minds {
		g.Go(func() error {
			me, err := s.d.Minds.Answering(ctx, m)
			if err != nil {
				return err
			}
			near[i], err = nearness(ctx, me, m, message)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	order := make([]int, 0, len(minds))
	for i, n := range near {
		if n >= relevant {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case near[a] > near[b]:
			return -1
		case near[a] < near[b]:
			return 1
		}
		return 0
	})
	if len(order) == 0 {
		for i := range minds {
			order = append(order, i)
		}
		slices.SortStableFunc(order, func(a, b int) int { return row.Spoken[minds[a].ID] - row.Spoken[minds[b].ID] })
	}
	out := make([]mind.Mind, 0, mostSpeakers)
	for _, i := range order[:min(len(order), mostSpeakers)] {
		out = append(out, minds[i])
	}
	return out, nil
}

// namedIn gives the Minds whom a message names, in the order of the names: by
// the whole name, or by its first word where only one Mind has it.
func namedIn(message string, minds []mind.Mind) []mind.Mind {
	text := " " + strings.Join(wordsOf(message), " ") + " "
	first := map[string]int{}
	for _, m := range minds {
		if w := wordsOf(m.Name); len(w) > 0 {
			first[w[0]]++
		}
	}
	type at struct {
		place int
		m     mind.Mind
	}
	var found []at
	for _, m := range minds {
		w := wordsOf(m.Name)
		if len(w) == 0 {
			continue
		}
		place := strings.Index(text, " "+strings.Join(w, " ")+" ")
		if place < 0 && first[w[0]] == 1 && capital(message, w[0]) {
			place = strings.Index(text, " "+w[0]+" ")
		}
		if place >= 0 {
			found = append(found, at{place, m})
		}
	}
	slices.SortStableFunc(found, func(a, b at) int { return a.place - b.place })
	out := make([]mind.Mind, len(found))
	for i, f := range found {
		out[i] = f.m
	}
	return out
}

// capital reports whether a word stands in a text as names do, or is called on
// with an @: "may" and "will" are names only then.
func capital(text, word string) bool {
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return r != '@' && !unicode.IsLetter(r) && !unicode.IsMark(r) }) {
		name := strings.TrimPrefix(w, "@")
		if strings.ToLower(name) == word && (name != w || unicode.IsUpper([]rune(name)[0]) || !unicode.IsLower([]rune(name)[0])) {
			return true
		}
	}
	return false
}

// nearness is how near a message is to a Mind, 0 to 1: the best passage of its
// knowledge, or the share of the message's words in its persona, whichever is
// more.
func nearness(ctx context.Context, me simulate.Respondent, m mind.Mind, message string) (float64, error) {
	asked := contentWords(message)
	if len(asked) == 0 {
		return 0, nil
	}
	best := cover(asked, m.Name+" "+m.Discipline+" "+m.Description+" "+strings.Join(m.Tags, " ")+" "+strings.Join(m.Keywords, " ")+" "+me.Profile.Raw)
	if me.Recall != nil {
		hits, err := me.Recall.Recall(ctx, message, 1)
		if err != nil {
			return 0, err
		}
		for _, h := range hits {
			best = max(best, h.Lexical)
		}
		return best, nil
	}
	for _, p := range me.Passages {
		if best = max(best, cover(asked, p.Text)); best == 1 {
			break
		}
	}
	return best, nil
}

// cover is the share of words that stand in a text.
func cover(asked []string, text string) float64 {
	have := map[string]bool{}
	for _, w := range wordsOf(text) {
		have[w] = true
	}
	n := 0
	for _, w := range asked {
		if have[w] {
			n++
		}
	}
	return float64(n) / float64(len(asked))
}

func wordsOf(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) })
}

// contentWords are the distinct words of four letters or more, which in most
// languages leaves out what holds sentences together.
func contentWords(s string) []string {
	seen := map[string]bool{}
	var out []string
	for _, w := range wordsOf(s) {
		if len([]rune(w)) >= 4 && !seen[w] {
			seen[w] = true
			out = append(out, w)
		}
	}
	return out
}

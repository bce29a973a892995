package answer

import (
	"context"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/embed"
	"github.com/mindgate-dev/mindgate/shared/inert"
	"github.com/mindgate-dev/mindgate/shared/retrieve"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// Bounds of what one prompt shows of a Mind's knowledge. Sizes are in characters.
const (
	mostPassages   = 8
	maxPassage     = 1_200
	maxPassagesAll = 8_000
	leastPassage   = 100
	mostFigures    = 3
	mostOptions    = 12 // of a figure
	maxFigure      = 600
	mostEarlier    = 10
	maxEarlier     = 300
	maxTitle       = 160
)

// leastRelevance is from where on a passage is worth a place in a prompt: it may
// help although it does not answer. A figure needs this share of the words.
const (
	leastRelevance = retrieve.Relevant / 2
	leastLexical   = .5
)

// source is one thing that a reply may rest on.
type source struct {
	passage *simulate.Passage  // S
	figure  *simulate.Evidence // F
	earlier *simulate.Earlier  // E
	brought *brought           // A, I, T
}

// brought is what the caller gave with a message or a question: a text, a picture,
// or what a tool of the caller's gave.
type brought struct {
	name, text string
	picture    bool
	tool       bool
}

// sources is what one prompt gives, by its mark: S1, F1, E1, A1, I1, T1.
type sources struct {
	by       map[string]source
	order    []string
	relevant bool // something of the Mind's own speaks of what is asked
}

func (s *sources) add(letter string, n int, of source) string {
	if s.by == nil {
		s.by = map[string]source{}
	}
	mark := letter + strconv.Itoa(n)
	s.by[mark] = of
	s.order = append(s.order, mark)
	return mark
}

// gather finds what a Mind knows on a topic.
func gather(ctx context.Context, r simulate.Respondent, topic string, p simulate.Policy) (*sources, error) {
	s := &sources{}
	found, err := recallFrom(ctx, r, topic)
	if err != nil {
		return nil, err
	}
	room, n := maxPassagesAll, 0
	seen := map[string]bool{}
	for _, f := range found {
		if f.Relevance < leastRelevance || seen[f.ID+"\x00"+f.Text] || strings.TrimSpace(f.Text) == "" {
			continue
		}
		if room < leastPassage {
			break
		}
		text := clip(f.Text, min(maxPassage, room))
		room -= len([]rune(text))
		seen[f.ID+"\x00"+f.Text] = true
		s.relevant = s.relevant || f.Relevance >= retrieve.Relevant
		n++
		passage := f.Passage
		passage.Text = strings.TrimSuffix(text, " …") // what may be quoted is what was shown
		s.add("S", n, source{passage: &passage})
	}
	figures, err := figuresOn(r, topic, p)
	if err != nil {
		return nil, err
	}
	for i, e := range figures {
		s.add("F", i+1, source{figure: e})
		s.relevant = true
	}
	from := max(0, len(r.Earlier)-mostEarlier)
	for i := range r.Earlier[from:] {
		s.add("E", i+1, source{earlier: &r.Earlier[from+i]})
	}
	return s, nil
}

// recallFrom asks the Mind's own recaller, or looks through its passages by words.
func recallFrom(ctx context.Context, r simulate.Respondent, topic string) ([]simulate.Recalled, error) {
	if r.Recall != nil {
		return r.Recall.Recall(ctx, topic, mostPassages)
	}
	if len(r.Passages) == 0 {
		return nil, nil
	}
	texts := make([]string, len(r.Passages))
	for i, p := range r.Passages {
		texts[i] = p.Text
	}
	corpus, err := retrieve.New(retrieve.Part{Texts: texts})
	if err != nil {
		return nil, err
	}
	hits, err := corpus.Search(topic, embed.Vector{}, mostPassages)
	if err != nil {
		return nil, err
	}
	out := make([]simulate.Recalled, len(hits))
	for i, h := range hits {
		out[i] = simulate.Recalled{Passage: r.Passages[h.Index], Relevance: h.Relevance, Lexical: h.Lexical, Cosine: h.Cosine}
	}
	return out, nil
}

// figuresOn gives published distributions on the topic, nearest first. With
// knowledge_only those that an Audience was given are none of the Mind's (M-27).
func figuresOn(r simulate.Respondent, topic string, p simulate.Policy) ([]*simulate.Evidence, error) {
	var all []*simulate.Evidence
	var texts []string
	seen := map[string]bool{}
	for _, e := range r.Evidence {
		if e == nil || p.KnowledgeOnly && e.Origin == simulate.OriginAudience || seen[e.Digest+"\x00"+e.ID] {
			continue
		}
		seen[e.Digest+"\x00"+e.ID] = true
		words := []string{e.Question}
		for _, o := range e.Options {
			words = append(words, o.Label)
		}
		all, texts = append(all, e), append(texts, strings.Join(words, " "))
	}
	if len(all) == 0 {
		return nil, nil
	}
	corpus, err := retrieve.New(retrieve.Part{Texts: texts})
	if err != nil {
		return nil, err
	}
	hits, err := corpus.Search(topic, embed.Vector{}, mostFigures)
	if err != nil {
		return nil, err
	}
	var out []*simulate.Evidence
	for _, h := range hits {
		if h.Lexical >= leastLexical {
			out = append(out, all[h.Index])
		}
	}
	return out, nil
}

// bring adds what the caller gave.
func (s *sources) bring(letter string, of brought) (mark string) {
	n := 1
	for s.has(letter + strconv.Itoa(n)) {
		n++
	}
	return s.add(letter, n, source{brought: &of})
}

// shown writes what the caller gave, for the turn in which it stands.
func (s *sources) shown(marks []string) string {
	if len(marks) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("<sources>\n")
	for _, mark := range marks {
		of := s.by[mark].brought
		name := inert.Attribute(clip(of.name, maxTitle))
		if of.picture {
			fmt.Fprintf(&b, "<source id=\"%s\" kind=\"picture that you are shown\" from=\"%s\"></source>\n", mark, name)
			continue
		}
		fmt.Fprintf(&b, "<source id=\"%s\" from=\"%s\">\n%s\n</source>\n", mark, name, strings.TrimSpace(inert.Lines(of.text)))
	}
	b.WriteString("</sources>\n")
	return b.String()
}

// block writes the sources for the prompt, but for what the caller gave; empty when
// there are none. All that others wrote stands inside a source element, as
// inert.Line makes it.
func (s *sources) block() string {
	own := 0
	for _, mark := range s.order {
		if s.by[mark].brought == nil {
			own++
		}
	}
	if own == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("<sources>\n")
	for _, mark := range s.order {
		switch of := s.by[mark]; {
		case of.brought != nil:
		case of.passage != nil:
			fmt.Fprintf(&b, `<source id="%s"`, mark)
			if t := inert.Attribute(clip(of.passage.Source, maxTitle)); t != "" {
				fmt.Fprintf(&b, ` from="%s"`, t)
			}
			if w := inert.Attribute(clip(of.passage.Where, maxTitle)); w != "" {
				fmt.Fprintf(&b, ` at="%s"`, w)
			}
			fmt.Fprintf(&b, ">%s</source>\n", inert.Line(of.passage.Text))
		case of.figure != nil:
			fmt.Fprintf(&b, "<source id=\"%s\" kind=\"published figures\">%s</source>\n", mark, inert.Line(clip(inWords(of.figure), maxFigure)))
		default:
			fmt.Fprintf(&b, "<source id=\"%s\" kind=\"your own earlier answer\">%s</source>\n", mark, inert.Line(clip(earlierInWords(of.earlier), maxEarlier)))
		}
	}
	b.WriteString("</sources>\n")
	return b.String()
}

// inWords says a distribution, largest shares first.
func inWords(e *simulate.Evidence) string {
	opts := append([]simulate.OptionShare(nil), e.Options...)
	sort.SliceStable(opts, func(i, j int) bool { return opts[i].Share > opts[j].Share })
	var shares []string
	for _, o := range opts[:min(len(opts), mostOptions)] {
		shares = append(shares, fmt.Sprintf("%s %.0f%%", o.Label, 100*o.Share))
	}
	var facts []string
	for _, f := range []string{e.Source, e.Dates, e.Population} {
		if f != "" {
			facts = append(facts, f)
		}
	}
	if e.N != nil {
		facts = append(facts, fmt.Sprintf("n = %d", *e.N))
	}
	out := "Asked: " + e.Question + " Answers: " + strings.Join(shares, ", ") + "."
	if len(facts) > 0 {
		out += " (" + strings.Join(facts, "; ") + ")"
	}
	return out
}

func earlierInWords(a *simulate.Earlier) string {
	said := a.Text
	switch {
	case a.Option != "":
		said = a.Option
	case len(a.Options) > 0:
		said = strings.Join(a.Options, ", ")
	case a.Number != nil:
		said = strconv.FormatFloat(*a.Number, 'f', -1, 64)
	}
	return "Asked: " + a.Question + " You answered: " + said
}

package simulate

import (
	"context"
	"strings"
)

// open answers in words: the sentences of the Mind's own knowledge that answer
// the question, verbatim, or plainly nothing. It invents nothing.
func (p *prepared) open(ctx context.Context, r Respondent) (Answer, error) {
	lang := p.pol.speaks(p.q.Text)
	f := frames[lang]
	own, ok, err := p.eng.record(ctx, r, p.topic, p.search, p.q.Text, sentencesOf(p.pol.ResponseForm, 3))
	if err != nil {
		return Answer{}, err
	}
	if !ok {
		if p.pol.Strict {
			return Answer{Status: CannotAnswer, Reason: ReasonNoEvidence, Message: "Nothing in this Mind's record speaks to this question."}, nil
		}
		t := f.nothing(r, p.key)
		return Answer{Status: Answered, State: Unsupported, Text: t, Message: t}, nil
	}
	a := Answer{Status: Answered, State: Stated, Text: own.text, SourceIDs: own.ids, Citations: own.citations}
	switch {
	case own.profile:
		a.Text = fieldsIn(own.fields, lang) + f.stop
		a.Message = "From this Mind's own profile: " + a.Text
	default:
		a.Message = own.heading(lang) + f.extracts(own, "From this Mind's own record: %s")
		if said := own.pointsOut(lang); said != "" {
			a.Message += "\n" + said
		}
	}
	return a, nil
}

// sentencesOf is how many sentences a form of response quotes.
func sentencesOf(form string, most int) int {
	switch form {
	case "concise":
		return 1
	case "expanded":
		return most
	}
	return 2
}

// record is what a Mind has on record on a topic, in words.
type record struct {
	text      string
	profile   bool // profile fields, no passages
	fields    []Field
	ids       []string
	citations []Citation
	runs      [][]int // citations that stand in one place and run on
	peak      *standing
	overview  bool // the leading extracts of whole sources
	pointing  bool // asked for by a pronoun alone, which a conversation may explain otherwise
}

// record finds what a Mind's own record says on a topic: the profile fields that
// it names, else the sentences that answer. Studies and conversations read the
// record by it alike.
func (o *Offline) record(ctx context.Context, r Respondent, topic bag, q query, asked string, most int) (record, bool, error) {
	if whole, ok := o.overview(r, asked); ok {
		return whole, true, nil
	}
	if fields := fromFields(r, topic, asked); len(fields) > 0 {
		return record{text: fieldsIn(fields, langEN) + ".", fields: fields, profile: true}, true, nil
	}
	hits, err := o.find(ctx, r, q, most)
	if err != nil {
		return record{}, false, err
	}
	return recordOf(hits), len(hits) > 0, nil
}

func recordOf(hits []found) record {
	var out record
	var texts []string
	for i, h := range hits {
		texts = append(texts, h.text)
		if h.peak != nil {
			out.peak = h.peak
		}
		out.ids = appendNew(out.ids, h.passage.ID)
		out.citations = append(out.citations, h.citation())
		if i > 0 && h.passageN == hits[i-1].passageN {
			last := &out.runs[len(out.runs)-1]
			*last = append(*last, i)
			continue
		}
		out.runs = append(out.runs, []int{i})
	}
	out.text = strings.Join(texts, " ")
	return out
}

// extracts frames quotes, those of one place under one source. own frames what
// has no source but the Mind.
func (f frame) extracts(rec record, own string) string {
	var parts []string
	for _, run := range rec.runs {
		first := rec.citations[run[0]]
		var quotes []string
		for _, i := range run {
			quotes = append(quotes, f.quote(rec.citations[i].Quote))
		}
		said := strings.Join(quotes, " ")
		if from := f.source(first.Source, first.Where); from != "" && first.SourceID != PersonaID {
			parts = append(parts, fill(f.from, from, said))
		} else {
			parts = append(parts, fill(own, said))
		}
	}
	return strings.Join(parts, "\n")
}

// fill puts texts into a frame.
func fill(form string, with ...string) string {
	for _, w := range with {
		at := strings.Index(form, "%s")
		if at < 0 {
			return form
		}
		head := form[:at]
		form = head + strings.ReplaceAll(w, "%s", "%\x00s") + form[at+2:]
	}
	return strings.ReplaceAll(form, "%\x00s", "%s")
}

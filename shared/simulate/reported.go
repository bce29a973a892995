package simulate

import (
	"context"
	"strings"
)

// fromReport answers a closed question by a sentence of what the Mind has read
// that answers it and names exactly one of the options: "The most common reason
// for leaving was the commute." A question of the Mind's own doing or view is
// answered by its own words alone.
func (p *prepared) fromReport(ctx context.Context, r Respondent) (Answer, bool, error) {
	q := p.search
	if p.q.Type != Categorical || q.you || q.negated || q.asks == asksWhy || isYesNo(p.labels) || addressesMind(p.q.Text) {
		return Answer{}, false, nil
	}
	hits, err := p.eng.find(ctx, r, q, 1)
	if err != nil || len(hits) == 0 {
		return Answer{}, false, err
	}
	hit, best := hits[0], -1
	for _, h := range hits {
		if h.passage.ID == PersonaID {
			return Answer{}, false, nil
		}
		if h.peak != nil {
			hit = h
		}
	}
	if hit.peak != nil {
		best, _ = p.named1(fold(hit.peak.row), false)
	} else if len(hits) == 1 {
		best, _ = p.namedIn(fold(hit.text))
	}
	if best < 0 {
		return Answer{}, false, nil
	}
	rec := recordOf(hits)
	a := p.stated(best, "", nil)
	if a.Message == "" {
		lang := p.pol.speaks(p.q.Text)
		a.Message = frames[lang].extracts(rec, "From this Mind's own record: %s")
		if said := rec.pointsOut(lang); said != "" {
			a.Message += "\n" + said
		}
	}
	a.SourceIDs, a.Citations = rec.ids, rec.citations
	return a, true, nil
}

// addressed are words for the one who is asked: what a report found says nothing
// of that one.
var addressed = wordSet(`you your yours yourself du dich dir dein deine deinen deinem ihnen tu toi te ton ta tes vous votre vos usted ustedes tú ti sen sana senin siz size sizin 你 您 あなた 당신 أنت`)

func addressesMind(text string) bool {
	for _, w := range tokens(text) {
		if addressed[w] {
			return true
		}
	}
	for _, s := range []string{"你", "您", "あなた", "당신", "귀하", "أنت"} {
		if strings.Contains(text, s) {
			return true
		}
	}
	return strings.Contains(text, " Sie ") || strings.Contains(text, " Ihr")
}

// namedIn gives the one option that a sentence names: of those in the part that
// holds what is asked for where a question asks for an end of an order, else of
// all its parts. A part that denies names none.
func (p *prepared) namedIn(low string) (int, bool) {
	w := p.search.wants.end
	if w == nil {
		return p.named1(low, true)
	}
	found := -1
	for _, c := range orderClauses(low) {
		if !w.says(c) {
			continue
		}
		i, ok := p.named1(c, true)
		if !ok || found >= 0 && i != found {
			return -1, false
		}
		found = i
	}
	return found, found >= 0
}

// orderClauses parts a sentence where another place in the order begins.
func orderClauses(low string) []string {
	for _, c := range []string{" and ", " but ", " while ", " whereas ", " followed by ", " then ", " before ", " ahead of ", ";", ",", " und ", " gefolgt ", " aber ", " et ", " suivi", " mais ", " y ", " seguid", " pero ", " ve ", "，", "；", "、", "،"} {
		low = strings.ReplaceAll(low, c, "\x00")
	}
	return strings.Split(low, "\x00")
}

// named1 is the only option whose words stand in a text that does not deny it.
func (p *prepared) named1(low string, sense bool) (int, bool) {
	if sense {
		for _, w := range words(low) {
			if negations[w.text] || nots[w.text] || strings.HasSuffix(w.text, "n't") || unsaid[w.text] {
				return -1, false
			}
		}
	}
	asked := fold(Stem(p.q.Text, p.q.Options))
	rest, found := low, -1
	for {
		best, form := -1, ""
		for i, l := range p.labels {
			if l.outside {
				continue
			}
			for _, f := range l.forms() {
				if f != "" && len(f) > len(form) && contains(rest, f) && !contains(asked, f) {
					best, form = i, f
				}
			}
		}
		if best < 0 {
			break
		}
		if found >= 0 && best != found {
			return -1, false
		}
		found = best
		at := indexPhrase(rest, form)
		rest = rest[:at] + " \x00 " + rest[at+len(form):]
	}
	return found, found >= 0
}

// forms are an option's label as a sentence may have it: without its article and
// what stands in brackets, and in the other number.
func (l label) forms() []string {
	base := l.folded
	if at := strings.IndexAny(l.text, "(["); at > 0 {
		base = foldLabel(l.text[:at])
	}
	for _, article := range []string{"the ", "a ", "an ", "der ", "die ", "das ", "le ", "la ", "les ", "el ", "los ", "las "} {
		base = strings.TrimPrefix(base, article)
	}
	out := []string{base}
	if len(base) > 3 && !dense([]rune(base)[0]) {
		if strings.HasSuffix(base, "s") {
			out = append(out, strings.TrimSuffix(base, "s"))
		} else {
			out = append(out, base+"s")
		}
	}
	return out
}

package simulate

import (
	"context"
	"strconv"
	"strings"
)

// fromRecord answers from what the Mind itself has on record: an earlier answer
// to the same question, a profile field, or a sentence of its own knowledge
// that holds exactly one option by its own words.
func (p *prepared) fromRecord(ctx context.Context, r Respondent) (Answer, bool, error) {
	for i := len(r.Earlier) - 1; i >= 0; i-- {
		if a, ok := p.fromEarlier(r.Earlier[i]); ok {
			return a, true, nil
		}
	}
	if p.q.Type == Multiselect {
		return Answer{}, false, nil
	}
	if i, field, ok := p.fromProfile(r.Profile); ok {
		return p.stated(i, "From this Mind's own profile: "+field+".", nil), true, nil
	}
	passages, err := p.atHand(ctx, r)
	if err != nil {
		return Answer{}, false, err
	}
	if i, passage, sentence, ok := p.fromPassages(r.Name, passages); ok {
		c := Citation{SourceID: passage.ID, Source: passage.Source, Where: passage.Where, URL: passage.URL, Quote: sentence, Origin: OriginMind}
		said := frames[langEN].extracts(record{citations: []Citation{c}, runs: [][]int{{0}}}, "From this Mind's own record: %s")
		return p.stated(i, said, &c), true, nil
	}
	return Answer{}, false, nil
}

func (p *prepared) stated(i int, message string, c *Citation) Answer {
	a := Answer{Status: Answered, State: Stated, Message: message, Probabilities: make([]float64, len(p.labels))}
	a.Probabilities[i] = 1
	p.set(&a, i)
	if p.pol.ResponseForm == "concise" {
		a.Message = p.labels[i].text + "."
	}
	if c != nil {
		a.SourceIDs = appendNew(a.SourceIDs, c.SourceID)
		a.Citations = []Citation{*c}
	}
	return a
}

// fromEarlier repeats an answer to the same wording: people are held to their
// own words.
func (p *prepared) fromEarlier(e Earlier) (Answer, bool) {
	if e.Question == "" || !p.repeats(e.Question) {
		return Answer{}, false
	}
	const why = "As this Mind answered before."
	switch p.q.Type {
	case Scale:
		if e.Number != nil && *e.Number >= float64(p.q.Min) && *e.Number <= float64(p.q.Max) && *e.Number == float64(int(*e.Number)) {
			return p.stated(int(*e.Number)-p.q.Min, why, nil), true
		}
	case Categorical:
		if e.Option == "" {
			break
		}
		for i, l := range p.labels {
			if l.folded == readLabels([]string{e.Option})[0].folded {
				return p.stated(i, why, nil), true
			}
		}
	}
	return Answer{}, false
}

// repeats tells whether an earlier question has the wording of this one. All Minds
// of a run come with the same earlier questions: each is compared once.
func (p *prepared) repeats(earlier string) bool {
	if same, ok := p.worded.Load(earlier); ok {
		return same.(bool)
	}
	same := foldLabel(earlier) == foldLabel(p.q.Text)
	p.worded.Store(earlier, same)
	return same
}

// demographic words: a question made of them alone asks for the profile itself.
var demographicWords = map[string]dimension{
	"age": dimAge, "old": dimAge, "gender": dimGender, "sex": dimGender, "education": dimEducation, "educat": dimEducation,
	"region": dimRegion, "country": dimRegion, "state": dimRegion, "income": dimIncome,
	"alt": dimAge, "alter": dimAge, "edad": dimAge, "âge": dimAge, "geschlecht": dimGender, "género": dimGender, "sexe": dimGender,
}

var demographicFrame = wordSet("group highest level complet household annual year identify liv live part exact total range bracket attain school before tax come fall")

// fromProfile answers from a "Key: value" field: the question's topic is the
// key, the value is one of the options.
func (p *prepared) fromProfile(pr Profile) (int, string, bool) {
	if len(pr.Fields) == 0 {
		return 0, "", false
	}
	if yes, field, ok := p.self.in(pr); ok {
		if i, ok := yesOrNo(p.labels, yes); ok {
			return i, field, true
		}
	}
	if d, ok := asksDemographic(p.topic); ok {
		var groups []group
		for i, l := range p.labels {
			groups = append(groups, readGroup(d, l.text, i == len(p.labels)-1))
		}
		for _, v := range pr.values(d) {
			if i := matchGroup(d, v, groups); i >= 0 && p.q.Type == Categorical {
				return i, string(d) + " " + v, true
			}
		}
		return 0, "", false
	}
	for _, f := range pr.Fields {
		about, ok := p.keys.Load(f.Key)
		if !ok { // Minds share their keys: each is compared once a question
			about, _ = p.keys.LoadOrStore(f.Key, p.about(newBag(f.Key, nil)))
		}
		if !about.(bool) {
			continue
		}
		if i, ok := p.optionIn(f.Value); ok {
			return i, f.Key + ": " + f.Value, true
		}
	}
	return 0, "", false
}

func asksDemographic(topic bag) (dimension, bool) {
	var d dimension
	for _, s := range topic.stems {
		switch x, ok := demographicWords[s]; {
		case ok && (d == "" || d == x):
			d = x
		case ok:
			return "", false
		case !demographicFrame[s]:
			return "", false
		}
	}
	return d, d != ""
}

// about reports whether a short key names the question's topic: all of the
// key's content is in the question, and it is at least half of it.
func (p *prepared) about(key bag) bool {
	if len(key.stems) == 0 {
		return false
	}
	hit, total, missed := 0.0, 0.0, 0
	for _, s := range p.topic.stems {
		w := min(p.topic.weight[s], weightWord) // a name in the question is one word of it
		total += w
		if _, ok := key.weight[s]; ok {
			hit += w
		}
	}
	for _, s := range key.stems {
		if _, ok := p.topic.weight[s]; !ok {
			missed++
		}
	}
	// "Steak doneness" may stand for "how is your steak prepared": one word may
	// be missing from the question when the options are the topic's own.
	if missed > 0 && (missed*2 > len(key.stems) || generic(p.labels)) {
		return false
	}
	need := .5
	switch {
	case p.q.Type == Scale:
		need = .8 // "Household size: 4" is no satisfaction with it
	case !generic(p.labels):
		need = .4 // the option itself names the topic
	default:
		for _, s := range p.topic.stems { // "Car: Yes" does not say that it is liked
			if _, ok := key.weight[s]; !ok && weakWords[s] {
				return false
			}
		}
	}
	return total > 0 && hit/total >= need
}

// optionIn finds the one option that a short value is, by label or synonym.
func (p *prepared) optionIn(value string) (int, bool) {
	if p.q.Type == Scale {
		n, err := strconv.Atoi(strings.TrimSpace(value))
		if err == nil && n >= p.q.Min && n <= p.q.Max {
			return n - p.q.Min, true
		}
		if p.named == nil {
			return 0, false
		}
	}
	ls := p.labels
	if p.named != nil {
		ls = p.named
	}
	v := readLabels([]string{value})[0].folded
	for i, l := range ls {
		if l.folded == v {
			return i, true
		}
	}
	for i, l := range ls {
		if l.family == "" || strings.HasPrefix(l.family, "signed:") {
			continue
		}
		if h, ok := formIndex[l.family+"\x00"+v]; ok && float64(h.step) == l.rank {
			return i, true
		}
	}
	return 0, false
}

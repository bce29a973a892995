package simulate

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// Reply answers one chat message with extracts of what the Mind has on record
// and with published figures, each attributed; else it says plainly that
// nothing is recorded. A question that the Mind's evidence asks in the same
// words is answered as in a Study (M-344).
func (o *Offline) Reply(ctx context.Context, r Respondent, message string, p Policy) (Reply, error) {
	if err := ctx.Err(); err != nil {
		return Reply{}, err
	}
	if strings.TrimSpace(message) == "" {
		return Reply{}, fault.New(fault.Validation, "message must not be blank, e.g. \"What matters to you in a car?\".").With("field", "message")
	}
	lang := p.speaks(message)
	f := frames[lang]
	if isAskedReal(message) {
		return Reply{Text: f.honest, State: Unsupported}, nil
	}
	if rep, ok := remember(message, r, p); ok {
		return rep, nil
	}
	if rep, ok := f.greeted(message, lang, p.Language != "", r); ok {
		return rep, nil
	}
	message = withoutGreeting(message, r.Name)
	if yes, field, ok := readSelf(message).in(r.Profile); ok {
		word := f.no
		if yes {
			word = f.yes
		}
		return Reply{Text: word + f.stop + f.gap() + fill(f.field, field+f.stop), State: Stated}, nil
	}
	if whole, ok := o.overview(r, message); ok && (!whole.pointing || !slices.ContainsFunc(p.History, func(e Earlier) bool { return !noQuestion(e) })) {
		if l := summaryIn(message); l != "" && p.Language == "" {
			lang, f = l, frames[l]
		}
		return Reply{Text: whole.heading(lang) + f.extracts(whole, f.own), State: Stated, SourceIDs: whole.ids, Citations: whole.citations}, nil
	}
	asked := follow(message, p.History)
	topic := newBag(asked.text, nil)
	topic.asks = asked.asks
	q := newQuery(asked.text)
	q.asks = asked.asks
	q.closed = q.closed && q.asks == asksYesNo
	if asksWho(message) || len(topic.stems) == 0 && q.empty() {
		return f.introduced(r), nil
	}
	if rep, ok, err := o.asInStudy(ctx, r, message, p); err != nil || ok {
		return rep, err
	}
	most := sentencesOf(p.ResponseForm, 4)
	rep := Reply{State: Stated}
	var parts []string
	own, recorded, err := o.inChat(ctx, r, topic, q, message, asked.more, p.History, most)
	switch {
	case err != nil:
		return Reply{}, err
	case own.profile:
		return Reply{Text: fill(f.field, fieldsIn(own.fields, lang)+f.stop), State: Stated}, nil
	case recorded:
		rep.SourceIDs, rep.Citations = own.ids, own.citations
		parts = append(parts, own.heading(lang)+f.extracts(own, f.own))
		if said := own.pointsOut(lang); said != "" {
			parts = append(parts, said)
		}
	}
	if figures := o.nearest(topic, r.Evidence, p); len(figures) > 0 && len(parts) < most {
		if !recorded {
			rep.State = Related
		}
		for _, e := range figures {
			parts = append(parts, f.figures(e))
			rep.SourceIDs = appendNew(rep.SourceIDs, e.ID)
			rep.Citations = append(rep.Citations, Citation{SourceID: e.ID, Source: e.Source, Dates: e.Dates, URL: e.URL, N: e.N, Origin: e.Origin})
		}
	}
	if len(parts) > 0 {
		rep.Text = strings.Join(parts, "\n\n")
		return rep, nil
	}
	key := seedOf("chat", fold(message))
	if p.KnowledgeOnly {
		return Reply{Text: f.introduce(r) + f.gap() + f.nothing(r, key), State: Unsupported, Fallback: true}, nil
	}
	return Reply{Text: f.nothing(r, key) + f.gap() + f.noModel, State: Unsupported}, nil
}

// inChat reads the record; who asks for more is not told the same again.
func (o *Offline) inChat(ctx context.Context, r Respondent, topic bag, q query, message string, more bool, history []Earlier, most int) (record, bool, error) {
	if !more {
		return o.record(ctx, r, topic, q, message, most)
	}
	q.more = true
	hits, err := o.find(ctx, r, q, most+mostAgain)
	if err != nil {
		return record{}, false, err
	}
	var fresh []found
	for _, h := range hits {
		told := false
		for _, e := range history {
			told = told || strings.Contains(e.Text, h.text)
		}
		if !told && len(fresh) < most {
			fresh = append(fresh, h)
		}
	}
	return recordOf(fresh), len(fresh) > 0, nil
}

// mostAgain is how many sentences may have been told before.
const mostAgain = 8

// asInStudy answers a message that is a published question of the Mind's.
func (o *Offline) asInStudy(ctx context.Context, r Respondent, message string, p Policy) (Reply, bool, error) {
	topic := newBag(message, nil)
	for _, e := range r.Evidence {
		if e == nil || (p.KnowledgeOnly && e.Origin == OriginAudience) {
			continue
		}
		if of := o.bags.of(e); !topic.touches(of.bag) {
			continue
		}
		q, ok := FromEvidence(message, e)
		if !ok {
			continue
		}
		asked, err := o.Ask(ctx, q, p)
		if err != nil {
			return Reply{}, false, err
		}
		a, err := asked.Answer(ctx, r)
		if err != nil {
			return Reply{}, false, err
		}
		if a.Status != Answered || (a.State != Stated && a.State != Grounded && a.State != Related) {
			continue
		}
		text := a.Message
		if len(a.Warnings) > 0 {
			text += " Note: " + strings.Join(a.Warnings, "; ") + "."
		}
		return Reply{Text: text, State: a.State, SourceIDs: a.SourceIDs, Citations: a.Citations}, true, nil
	}
	return Reply{}, false, nil
}

// asksWho reports a message that asks for nothing but the persona.
func asksWho(message string) bool {
	m := foldLabel(message)
	for _, c := range []string{"who are you", "tell me about yourself", "introduce yourself", "what is your name", "what's your name", "describe yourself", "wer bist du", "wer sind sie", "quién eres", "quién es usted", "qui es-tu", "qui êtes-vous", "sen kimsin", "siz kimsiniz", "你是谁", "あなたは誰", "누구세요", "من أنت"} {
		if contains(m, c) {
			return true
		}
	}
	return false
}

// introduced is the persona with what its profile says; without a profile there
// is nothing on record that it could state.
func (f frame) introduced(r Respondent) Reply {
	rep := Reply{Text: f.introduce(r), State: Trait}
	if len(r.Profile.Fields) > 0 {
		rep.State = Stated
	}
	return rep
}

// introduce gives the persona only: its name and what its profile says.
func (f frame) introduce(r Respondent) string {
	out := f.presents(r.Name)
	if facts := r.Profile.Fields; len(facts) > 0 {
		out += f.gap() + fill(f.field, fieldsIn(facts[:min(6, len(facts))], f.lang)+f.stop)
	}
	return out
}

// fromFields gives the profile fields that a question names.
// "How old are you?" names the age, "Where do you live?" the place.
func fromFields(r Respondent, topic bag, asked string) []Field {
	d, demographic := asksDemographic(topic)
	job := false
	switch low := fold(asked); {
	case ownPlace.MatchString(low):
		d, demographic = dimRegion, true
	case ownAge.MatchString(low):
		d, demographic = dimAge, true
	case ownJob.MatchString(low):
		job = true
	}
	var hits []Field
	asks := map[string]bool{} // classes of the words asked for: "job" is "occupation"
	for _, s := range topic.stems {
		if c, ok := kin[s]; ok {
			asks[c] = true
		}
	}
	for _, f := range r.Profile.Fields {
		if of, known := dimensionOf(f.Key); demographic && known && of == d || job && kin[f.Key] == "occupation" {
			hits = append(hits, f)
			continue
		}
		k := newBag(f.Key, nil)
		if len(k.stems) == 0 {
			continue
		}
		all, hit, total := true, 0.0, 0.0
		for _, s := range k.stems {
			_, ok := topic.weight[s]
			all = all && (ok || asks[kin[s]])
		}
		names := map[string]bool{}
		for _, s := range k.stems {
			names[kin[s]] = true
		}
		delete(names, "")
		for _, s := range topic.stems {
			total += topic.weight[s]
			if _, ok := k.weight[s]; ok || names[kin[s]] {
				hit += topic.weight[s]
			}
		}
		if all && hit/total >= .5 {
			hits = append(hits, f)
		}
	}
	return hits
}

// nearest gives up to two distributions whose topic the message names.
func (o *Offline) nearest(topic bag, all []*Evidence, p Policy) []*Evidence {
	type hit struct {
		e     *Evidence
		score float64
	}
	var hits []hit
	seen := map[string]bool{}
	for _, e := range all {
		if e == nil || seen[e.Digest] || (p.KnowledgeOnly && e.Origin == OriginAudience) {
			continue
		}
		seen[e.Digest] = true
		b := o.bags.of(e)
		if !topic.touches(b.bag) || !sameAsking(topic.asks, b.asks) || topic.subject != b.subject || topic.asks != asksAny && adds(topic, b.bag) || topic.closed() && !b.yesNo {
			continue
		}
		cover, total := 0.0, 0.0
		for _, s := range topic.stems {
			total += topic.weight[s]
			if _, ok := b.weight[s]; ok {
				cover += topic.weight[s]
			}
		}
		if total > 0 && cover/total >= .5 {
			hits = append(hits, hit{e, cover / total})
		}
	}
	sort.SliceStable(hits, func(i, j int) bool { return hits[i].score > hits[j].score })
	var out []*Evidence
	for _, h := range hits {
		if len(out) == 2 {
			break
		}
		out = append(out, h.e)
	}
	return out
}

// figures says a distribution in a sentence, largest shares first.
func (f frame) figures(e *Evidence) string {
	opts := append([]OptionShare(nil), e.Options...)
	sort.SliceStable(opts, func(i, j int) bool { return opts[i].Share > opts[j].Share })
	var shares []string
	for i, o := range opts {
		if i == 4 {
			break
		}
		shares = append(shares, fmt.Sprintf("%s %.0f%%", o.Label, 100*o.Share))
	}
	from := sourcesInWords([]*Evidence{e})
	if e.Population != "" {
		from += f.comma + e.Population
	}
	return fill(f.published, from, f.quote(e.Question), strings.Join(shares, f.comma))
}

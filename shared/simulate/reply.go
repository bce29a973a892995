package simulate

import (
	"context"
	"fmt"
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
	if asksReal.MatchString(plainAsk(message)) {
		return Reply{Text: Honest, State: Unsupported}, nil
	}
	if yes, field, ok := readSelf(message).in(r.Profile); ok {
		word := "No"
		if yes {
			word = "Yes"
		}
		return Reply{Text: word + ". On record for me: " + field + ".", State: Stated}, nil
	}
	topic := newBag(message, nil)
	if len(topic.stems) == 0 && len(p.History) > 0 { // "Why?": what was asked before
		topic = newBag(p.History[len(p.History)-1].Question+" "+message, nil)
		topic.asks = askingOf(message)
	}
	if asksWho(message) || len(topic.stems) == 0 {
		return Reply{Text: introduce(r), State: Stated}, nil
	}
	if rep, ok, err := o.asInStudy(ctx, r, message, p); err != nil || ok {
		return rep, err
	}
	most := 2
	switch p.ResponseForm {
	case "concise":
		most = 1
	case "expanded":
		most = 4
	}
	rep := Reply{State: Stated}
	var parts []string
	own, recorded := recall(topic, message, r, most)
	switch {
	case own.profile:
		return Reply{Text: "On record for me: " + own.text, State: Stated}, nil
	case recorded:
		rep.SourceIDs, rep.Citations = own.ids, own.citations
		parts = append(parts, "From my own record: "+quote(own.text))
	}
	if figures := nearest(topic, r.Evidence, p); len(figures) > 0 && len(parts) < most {
		if !recorded {
			rep.State = Related
		}
		for _, e := range figures {
			parts = append(parts, inWords(e))
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
		return Reply{Text: introduce(r) + " " + noViewWords(r, key), State: Unsupported, Fallback: true}, nil
	}
	return Reply{Text: noViewWords(r, key) + " No model connection is set, so I can only repeat what is on record for me.", State: Unsupported}, nil
}

// asInStudy answers a message that is a published question of the Mind's.
func (o *Offline) asInStudy(ctx context.Context, r Respondent, message string, p Policy) (Reply, bool, error) {
	for _, e := range r.Evidence {
		if e == nil || (p.KnowledgeOnly && e.Origin == OriginAudience) {
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
	for _, c := range []string{"who are you", "tell me about yourself", "introduce yourself", "what is your name", "what's your name", "describe yourself"} {
		if contains(m, c) {
			return true
		}
	}
	switch m {
	case "hi", "hello", "hey", "good morning", "good afternoon", "good evening", "hi there", "hello there":
		return true
	}
	return false
}

// introduce gives the persona only: its name and what its profile says.
func introduce(r Respondent) string {
	var facts []string
	for _, f := range r.Profile.Fields {
		if len(facts) == 6 {
			break
		}
		facts = append(facts, f.Key+": "+f.Value)
	}
	out := "I am a synthetic persona."
	if r.Name != "" {
		out = "I am " + r.Name + ", a synthetic persona."
	}
	if len(facts) > 0 {
		out += " On record for me: " + strings.Join(facts, "; ") + "."
	}
	return out
}

// fromFields gives the profile fields that a question names, as "key: value".
// "How old are you?" names the age, "Where do you live?" the place.
func fromFields(r Respondent, topic bag, asked string) []string {
	d, demographic := asksDemographic(topic)
	if contains(fold(asked), "where do you live") || contains(fold(asked), "where are you from") {
		d, demographic = dimRegion, true
	}
	var hits []string
	for _, f := range r.Profile.Fields {
		if of, known := dimensionOf(f.Key); demographic && known && of == d {
			hits = append(hits, f.Key+": "+f.Value)
			continue
		}
		k := newBag(f.Key, nil)
		if len(k.stems) == 0 {
			continue
		}
		all, hit, total := true, 0.0, 0.0
		for _, s := range k.stems {
			_, ok := topic.weight[s]
			all = all && ok
		}
		for _, s := range topic.stems {
			total += topic.weight[s]
			if _, ok := k.weight[s]; ok {
				hit += topic.weight[s]
			}
		}
		if all && hit/total >= .5 {
			hits = append(hits, f.Key+": "+f.Value)
		}
	}
	return hits
}

// nearest gives up to two distributions whose topic the message names.
func nearest(topic bag, all []*Evidence, p Policy) []*Evidence {
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
		labels := make([]string, len(e.Options))
		for i, o := range e.Options {
			labels[i] = o.Label
		}
		b := newBag(e.Question, labels)
		if !sameAsking(topic.asks, b.asks) || topic.subject != b.subject || topic.asks != asksAny && adds(topic, b) || topic.closed() && !isYesNo(readLabels(labels)) {
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

// inWords says a distribution in a sentence, largest shares first.
func inWords(e *Evidence) string {
	opts := append([]OptionShare(nil), e.Options...)
	sort.SliceStable(opts, func(i, j int) bool { return opts[i].Share > opts[j].Share })
	var shares []string
	for i, o := range opts {
		if i == 4 {
			break
		}
		shares = append(shares, fmt.Sprintf("%s %.0f%%", o.Label, 100*o.Share))
	}
	where := ""
	if e.Population != "" {
		where = ", " + e.Population
	}
	return "Published, not my own view: " + sourcesInWords([]*Evidence{e}) + where + ", asked " + quote(e.Question) + ": " + strings.Join(shares, ", ") + "."
}

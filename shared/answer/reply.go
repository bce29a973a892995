package answer

import (
	"context"
	"slices"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

const emptyAnswer = "the answer is empty"

const chatTask = "You are in a conversation. "

// Reply answers one message as the Mind r. With knowledge_only a Mind that knows
// nothing on the topic is not asked about it at all, and a reply that cites nothing
// of what was given is not shown: in both cases the answer is the fallback (M-27).
func (e *Engine) Reply(ctx context.Context, r simulate.Respondent, message string, p simulate.Policy) (simulate.Reply, error) {
	return e.reply(ctx, r, message, p, nil)
}

// ReplyStream is Reply, sentence by sentence as they come.
func (e *Engine) ReplyStream(ctx context.Context, r simulate.Respondent, message string, p simulate.Policy, delta func(string) error) (simulate.Reply, error) {
	return e.reply(ctx, r, message, p, delta)
}

func (e *Engine) reply(ctx context.Context, r simulate.Respondent, said string, p simulate.Policy, delta func(string) error) (simulate.Reply, error) {
	whole := func(rep simulate.Reply, err error) (simulate.Reply, error) {
		if err == nil && delta != nil {
			err = delta(rep.Text)
		}
		return rep, err
	}
	// The offline engine refuses what is no message, and says what a Mind is to
	// whoever asks whether it is a person: no model is trusted with that.
	honest, err := offline.Reply(ctx, simulate.Respondent{ID: r.ID}, said, simulate.Policy{KnowledgeOnly: true, Language: p.Language})
	if err != nil || honest.State == simulate.Unsupported && !honest.Fallback { // neither a greeting nor a topic
		return whole(honest, err)
	}
	known, err := gather(ctx, r, topicOf(said, p.History), p)
	if err != nil {
		return simulate.Reply{}, err
	}
	rep, shown, err := e.converse(ctx, r, known, said, p, delta)
	if err != nil || shown {
		return rep, err
	}
	return whole(rep, nil)
}

// converse has the model speak. shown tells that delta was given the reply already.
func (e *Engine) converse(ctx context.Context, r simulate.Respondent, known *sources, said string, p simulate.Policy, delta func(string) error) (rep simulate.Reply, shown bool, err error) {
	if p.KnowledgeOnly && !known.relevant {
		rep, err = fallback(ctx, r, said, p)
		return rep, false, err
	}
	form := formOf(p)
	rep, _, shown, err = e.speak(ctx, r, known, said, p, model.Request{
		System: system(r, p, chatTask+formRules[form]), CacheSystem: true, MaxTokens: formTokens[form],
		Messages: turns(p.History, known.block()+message(clip(said, maxMessage))),
	}, delta)
	return rep, shown, err
}

// speak asks the model and reads what it says.
func (e *Engine) speak(ctx context.Context, r simulate.Respondent, known *sources, said string, p simulate.Policy, req model.Request, delta func(string) error) (rep simulate.Reply, res model.Response, shown bool, err error) {
	g := givenBy(known, r, said, p.History)
	j := &judge{sources: known, who: r, asked: said, strict: p.KnowledgeOnly, given: g}
	s := &scrubber{
		known: known.has, quoted: g.quotes, judge: j.sentence, strict: p.KnowledgeOnly, emit: delta,
		honest: func() string { return honestIn(ctx, p.Language) },
	}
	if delta == nil {
		s.emit = func(string) error { return nil }
		if res, err = e.client.Complete(ctx, req); err == nil {
			err = s.write(res.Text)
		}
	} else {
		res, err = e.client.Stream(ctx, req, s.write)
	}
	e.count(ctx, res.Usage, err)
	if err == nil {
		err = s.close()
	}
	if err == nil && res.Stop == model.StopFiltered && s.out.Len() == 0 {
		err = &model.Error{Kind: model.KindFiltered}
	}
	if err == nil && strings.TrimSpace(res.Text) == "" && len(res.Calls) == 0 {
		err = &model.Error{Kind: model.KindMalformed, Detail: emptyAnswer, Usage: res.Usage}
	}
	switch {
	case err != nil:
		return simulate.Reply{}, res, false, err
	case s.out.Len() == 0 && len(res.Calls) > 0:
		return simulate.Reply{State: simulate.Unsupported}, res, false, nil
	case s.out.Len() == 0: // nothing supported with knowledge_only, or nothing but a mark that there is no view
		if rep, ok := known.instead(said, p); ok && s.refused {
			return rep, res, false, nil
		}
		rep, err = fallback(ctx, r, said, p)
		rep.Fallback = p.KnowledgeOnly
		return rep, res, false, err
	}
	on := known.rests(s.said, s.persona)
	return simulate.Reply{Text: s.out.String(), State: on.state, SourceIDs: on.ids, Citations: on.citations}, res, true, nil
}

var offline = simulate.NewOffline()

// fallback is what a Mind says that knows nothing on a topic: who it is, no facts.
// What its own profile answers is no fact from outside, and is said.
func fallback(ctx context.Context, r simulate.Respondent, said string, p simulate.Policy) (simulate.Reply, error) {
	bare := simulate.Respondent{ID: r.ID, Name: r.Name, Slot: r.Slot, Profile: simulate.Profile{Fields: r.Profile.Fields}, Register: r.Register}
	return offline.Reply(ctx, bare, said, simulate.Policy{KnowledgeOnly: true, Language: p.Language})
}

func (s *sources) has(mark string) bool { _, ok := s.by[mark]; return ok }

// pictures are those of the marks that stand for one.
func (s *sources) pictures(marks []string) (out []string) {
	for _, m := range marks {
		if of := s.by[m].brought; of != nil && of.picture {
			out = append(out, m)
		}
	}
	return out
}

// tool tells whether one of the marks stands for what a tool gave.
func (s *sources) tool(marks []string) bool {
	return slices.ContainsFunc(marks, func(m string) bool { of := s.by[m].brought; return of != nil && of.tool })
}

// resting is what an answer rests on.
type resting struct {
	state     simulate.State
	ids       []string
	citations []simulate.Citation
}

// rests tells what an answer rests on: its own sources before published figures and
// what the caller brought, those before the persona (M-341). What could not be compared word by word, since
// it is in another language than its source, is no more than related. What names nothing that was given is
// unsupported.
func (s *sources) rests(all []spoken, persona bool) resting {
	out := resting{state: simulate.Unsupported}
	own, figures := false, false
	for _, said := range all {
		for _, m := range said.marks {
			cite, ok := s.cite(m, said.text)
			others := s.by[m].figure != nil || s.by[m].brought != nil || said.foreign
			own, figures = own || !others, figures || others
			if !ok {
				continue
			}
			if !slices.Contains(out.citations, cite) {
				out.citations = append(out.citations, cite)
			}
			if cite.SourceID != "" && !slices.Contains(out.ids, cite.SourceID) {
				out.ids = append(out.ids, cite.SourceID)
			}
		}
	}
	switch {
	case own:
		out.state = simulate.Stated
	case figures:
		out.state = simulate.Related
	case persona:
		out.state = simulate.Trait
	}
	return out
}

// cite is the citation of a mark; an earlier answer has none.
func (s *sources) cite(mark, said string) (simulate.Citation, bool) {
	switch of := s.by[mark]; {
	case of.passage != nil:
		return simulate.Citation{
			SourceID: of.passage.ID, Source: of.passage.Source, Where: of.passage.Where, URL: of.passage.URL,
			Quote: nearest(of.passage.Text, said), Origin: simulate.OriginMind,
		}, true
	case of.figure != nil:
		e := of.figure
		return simulate.Citation{SourceID: e.ID, Source: e.Source, Dates: e.Dates, URL: e.URL, N: e.N, Origin: e.Origin}, true
	case of.brought != nil:
		c := simulate.Citation{Source: of.brought.name, Origin: OriginRequest}
		if !of.brought.picture {
			c.Quote = nearest(of.brought.text, said)
		}
		return c, true
	}
	return simulate.Citation{}, false
}

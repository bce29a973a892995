package simulate

import (
	"context"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/mindgate-dev/mindgate/shared/embed"
	"github.com/mindgate-dev/mindgate/shared/fault"
)

// Name and version of the offline engine. The version changes with every
// change that alters an answer.
const (
	EngineName    = "offline-respondent"
	EngineVersion = "1.7.0"
)

// Offline is the respondent engine that needs no model. It has no state but
// vectors that it would make again.
type Offline struct {
	embedder embed.Embedder // nil: words alone
	space    string         // in which passages are found, "" without vectors
	memo     *memo
	bags     *bags
}

// Option sets up the engine.
type Option func(*Offline)

// WithEmbedder lets the engine compare sentences by their vectors. Only spaces
// that were measured count (hashed, MiniLM): of another, such as one over a
// network, the engine makes none, and answers by words. Give it the embedder
// that the Minds' knowledge was embedded with.
func WithEmbedder(e embed.Embedder) Option {
	return func(o *Offline) {
		if e == nil {
			return
		}
		o.space = e.Space().String()
		if _, measured := cutsOf(e.Space().Model); measured {
			o.embedder = embed.Cached(e, cachedQuestions)
		}
	}
}

// cachedQuestions is how many questions' vectors are kept.
const cachedQuestions = 512

// NewOffline gives the offline engine.
func NewOffline(options ...Option) *Offline {
	o := &Offline{memo: newMemo(), bags: &bags{kept: map[string]askedIn{}}}
	for _, set := range options {
		set(o)
	}
	return o
}

var _ Respondents = (*Offline)(nil)

// Info names the engine, and the space of the vectors that its answers depend on.
func (o *Offline) Info() Info {
	return Info{Name: EngineName, Version: EngineVersion, Embeddings: o.space}
}

// Ask prepares a question: its key, labels, order, loads and type prior.
// Evidence is compared once per distinct distribution, at the first Mind that
// holds it.
func (o *Offline) Ask(_ context.Context, q Question, p Policy) (Asked, error) {
	of, err := newPrepared(q, p)
	if err != nil {
		return nil, err
	}
	of.eng = o
	return of, nil
}

// prepared is a question read once. All fields but the caches are fixed.
type prepared struct {
	eng     *Offline
	q       Question
	pol     Policy
	key     seed
	labels  []label // options, or the points of a scale
	named   []label // a scale's points by their label text, when all have one
	place           // where a Mind stands without a published question
	scale   []bool
	ordered bool
	topic   bag
	prior   []float64
	vision  bool
	real    bool      // asks whether the Mind is a person
	things  bool      // its options are the items of a battery, or levels of an attribute
	told    *toldIn   // asks yes or no in a language with a grammar
	self    *selfAsk  // asks for what a profile holds, yes or no
	matches sync.Map  // digest -> *match (nil when the evidence does not apply)
	search  query     // the question as passages are looked through for it
	likes   anchorSet // of the options, when first needed
	indexes sync.Map  // Recaller -> *once
	keys    sync.Map  // profile key -> whether it names the topic
	worded  sync.Map  // earlier question -> whether it is this one
	task    task      // of forms and methods with a model of their own
}

// maxPoints bounds a scale: the contract's widest runs from -100 to 100.
const maxPoints = 201

func newPrepared(q Question, pol Policy) (*prepared, error) {
	if strings.TrimSpace(q.Text) == "" {
		return nil, fault.New(fault.Validation, "text must not be blank, e.g. \"Do you own a car?\".").With("field", "text")
	}
	p := &prepared{eng: NewOffline(), q: q, pol: pol}
	for _, k := range q.StimulusKinds {
		p.vision = p.vision || k == "image" || k == "video"
	}
	switch q.Type {
	case Scale:
		if q.Min >= q.Max || q.Max-q.Min+1 > maxPoints {
			return nil, fault.New(fault.Validation, "scaleRange must be [minimum, maximum] with minimum < maximum and at most 201 points, e.g. [1, 5].").With("field", "scaleRange")
		}
		p.labels = pointLabels(q)
		if len(q.ScaleLabels) == len(p.labels) {
			texts := make([]string, len(p.labels))
			for i := range texts {
				texts[i] = q.ScaleLabels[q.Min+i]
			}
			p.named = readLabels(texts)
		}
	case Categorical, Multiselect:
		if len(q.Options) < 2 {
			return nil, fault.New(fault.Validation, "categoricalOptions must hold at least two labels, e.g. [\"Yes\", \"No\"].").With("field", "categoricalOptions")
		}
		if q.MaxSelections < 0 || q.MinSelections < 0 || q.MinSelections > len(q.Options) || (q.MaxSelections > 0 && q.MinSelections > q.MaxSelections) {
			return nil, fault.New(fault.Validation, "minSelections must be at most maxSelections, and both at most the number of options, e.g. 0 and 3.").With("field", "minSelections")
		}
		p.labels = readLabels(q.Options)
	case Ranking, BestWorst:
		if err := checkItems(q); err != nil {
			return nil, err
		}
		p.labels = readLabels(q.Options)
	case Numeric:
		if err := checkNumeric(q); err != nil {
			return nil, err
		}
	case Qualitative:
	default:
		return nil, fault.New(fault.Validation, "type must be scale, categorical, multiselect, qualitative, numeric, ranking or best_worst, not %q.", string(q.Type)).With("field", "type")
	}
	texts := make([]string, 0, len(p.labels))
	for _, l := range p.labels {
		if q.Type != Scale {
			texts = append(texts, l.text)
		}
	}
	p.topic = newBag(q.Text, texts)
	p.things = q.Type == Multiselect && q.Battery != nil && len(q.Battery.Items) > 0
	p.search = newQuery(Stem(q.Text, texts))
	p.real = isAskedReal(Stem(q.Text, texts))
	if q.Type == Categorical && isYesNo(p.labels) {
		p.self = readSelf(Stem(q.Text, texts))
		p.told = readToldIn(yesNoLanguage(p.search.lang, p.labels), p.search.text)
	}
	p.key = questionKey(q, withoutNow(p.topic.folded), p.labels)
	if q.Type == Qualitative {
		return p, nil
	}
	if t, err := taskOf(p); err != nil || t != nil {
		p.task = t
		return p, err
	}
	_, p.scale, p.ordered = canonicalOrder(p.key, p.labels, q.Ordinal || q.Type == Scale)
	p.place = *p.placeOf(p.topic, p.labels)
	if q.Type == Multiselect {
		p.prior = multiPrior(p.key, p.labels)
	} else {
		p.prior = typePrior(p.key, q, p.labels, p.order, p.scale, p.ordered)
	}
	return p, nil
}

// questionKey names a question by what it asks: the order and rotation of its
// options leave it as it is.
func questionKey(q Question, text string, ls []label) seed {
	f := []string{"question", text, string(q.Type)}
	if q.Type == Scale {
		f = append(f, strconv.Itoa(q.Min), strconv.Itoa(q.Max), strconv.FormatBool(q.TopLow))
		return seedOf(f...)
	}
	opts := make([]string, len(ls))
	for i, l := range ls {
		opts[i] = l.strict // "Well" and "Well done" are one answer
	}
	sort.Strings(opts)
	return seedOf(append(f, opts...)...)
}

// Answer gives one Mind's answer.
func (p *prepared) Answer(ctx context.Context, r Respondent) (Answer, error) {
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	if p.vision {
		return Answer{Status: CannotAnswer, Reason: ReasonNeedsVision, Message: "There is no model that can see the image or video of this question."}, nil
	}
	if p.real {
		return Answer{Status: CannotAnswer, Reason: ReasonNoEvidence, Message: Honest}, nil
	}
	r = p.sharing(r)
	if p.q.Type == Qualitative {
		return p.open(ctx, r)
	}
	if p.task != nil {
		return p.fromTask(ctx, r)
	}
	if a, ok, err := p.fromRecord(ctx, r); err != nil || ok {
		return a, err
	}
	b := p.distribution(r)
	if b.state != Grounded && b.state != Related {
		if a, ok, err := p.fromReport(ctx, r); err != nil || ok {
			return a, err
		}
	}
	if b.state != Grounded { // published figures for the very question stay as they are
		l, err := p.like(ctx, r)
		if err != nil {
			return Answer{}, err
		}
		if l != nil {
			l.blend(&b, p.scale)
		}
	}
	if b.state == Unsupported && p.pol.Strict {
		return Answer{Status: CannotAnswer, Reason: ReasonNoEvidence, Message: "Nothing in this Mind's record or sources speaks to this question.", Warnings: b.warnings}, nil
	}
	a := Answer{Status: Answered, State: b.state, Probabilities: b.p, Warnings: b.warnings}
	a.cite(b.from)
	if b.like != nil {
		a.SourceIDs = appendNew(a.SourceIDs, b.like.cite.SourceID)
		a.Citations = append(a.Citations, b.like.cite)
	}
	if p.q.Type == Multiselect {
		p.drawMany(&a, r, b.place)
	} else {
		p.set(&a, pick(b.p, b.place.order, p.uniform(r, b.place)))
	}
	p.rated(&a, b.like)
	a.Message = p.message(a, b)
	return a, nil
}

// cite names the distributions that an answer rests on.
func (a *Answer) cite(from []*Evidence) {
	for _, m := range from {
		a.SourceIDs = appendNew(a.SourceIDs, m.ID)
		a.Citations = append(a.Citations, Citation{SourceID: m.ID, Source: m.Source, Dates: m.Dates, URL: m.URL, N: m.N, Origin: m.Origin})
	}
}

// set writes the picked option in the answer's form.
func (p *prepared) set(a *Answer, i int) {
	if p.q.Type == Scale {
		v := float64(p.q.Min + i)
		a.Number = &v
		return
	}
	a.Option = p.q.Options[i]
}

func appendNew(list []string, s string) []string {
	if s == "" {
		return list
	}
	for _, x := range list {
		if x == s {
			return list
		}
	}
	return append(list, s)
}

package formation

import (
	"context"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/grounding"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/words"
)

// defaultInput stands for a blank one (M-156).
const defaultInput = "Split this audience into meaningful subgroups."

// PreviewRequest asks for a proposal.
type PreviewRequest struct {
	AudienceID      string
	UserInput       string
	PriorHypothesis *Hypothesis // to be reworked
}

// Preview proposes a split and stores nothing (M-156, M-158). VALIDATION,
// INVALID_HYPOTHESIS for a prior one or an Audience without members, NOT_FOUND,
// PREVIEW_FAILED when nothing can be proposed.
func (s *Service) Preview(ctx context.Context, r PreviewRequest) (Preview, error) {
	a, err := s.audience(ctx, r.AudienceID)
	if err != nil {
		return Preview{}, err
	}
	r.UserInput = strings.TrimSpace(r.UserInput)
	if n := utf8.RuneCountInString(r.UserInput); n > MaxInput {
		return Preview{}, fault.New(fault.Validation, "userInput has %d characters; at most %d are taken.", n, MaxInput).With("field", "userInput")
	}
	if r.UserInput == "" {
		r.UserInput = defaultInput
	}
	if err := peopled(a); err != nil {
		return Preview{}, err
	}
	out := Preview{MemberCount: len(a.MemberIDs), SoftWarn: len(a.MemberIDs) >= SoftMembers, HardCapExceeded: len(a.MemberIDs) > MaxMembers, Phase: Hypothesizing}
	if r.PriorHypothesis != nil {
		prior, err := r.PriorHypothesis.checked()
		if err != nil {
			return Preview{}, err
		}
		if out.Hypothesis, err = rework(prior, r.UserInput); err != nil {
			return Preview{}, err
		}
		return out, out.check()
	}
	// What members have in common is read as the owner: a viewer sees the Audience,
	// and of its Minds no more than the proposal says.
	owner, err := s.d.Accounts.Internal(ctx, a.Workspace, a.Owner)
	if err != nil {
		return Preview{}, err
	}
	axes, err := s.axesOf(account.With(ctx, owner), a.Audience)
	if err != nil {
		return Preview{}, err
	}
	if out.Hypothesis, err = propose(axes, r.UserInput); err != nil {
		return Preview{}, err
	}
	return out, out.check()
}

// peopled refuses an Audience that has nobody to sort.
func peopled(a seen) error {
	switch {
	case len(a.MemberIDs) > 0:
		return nil
	case a.State == audience.Creating:
		return fault.New(fault.InvalidHypothesis, "This Audience is still being created and has no members yet. Wait until get_audience says that it is ready.")
	}
	return fault.New(fault.InvalidHypothesis, "This Audience has no members to sort. Add members first.")
}

// propose takes the axis that the input names first, else the one that parts the
// members most evenly.
func propose(axes []axis, input string) (Hypothesis, error) {
	text := phrase(input)
	best, first := -1, len(text)
	for i, ax := range axes {
		if len(ax.segments) < minBuckets {
			continue
		}
		if at := mention(text, ax); at >= 0 && at < first {
			best, first = i, at
		}
	}
	if best < 0 {
		top := 0.0
		for i, ax := range axes {
			if n := ax.populated(); n < minBuckets || n > maxBuckets {
				continue
			}
			if e := ax.entropy(); e > top {
				best, top = i, e
			}
		}
	}
	if best < 0 {
		return Hypothesis{}, fault.New(fault.PreviewFailed, "No split could be proposed: nothing is known by which at least two groups of these members differ. State the buckets yourself and create the Formation with them.")
	}
	return splitBy(axes[best]), nil
}

// splitBy states an axis as buckets: the populated segments, at most 15, the
// largest ones where there are more; all segments when fewer than two have
// anybody.
func splitBy(ax axis) Hypothesis {
	parts := make([]part, 0, len(ax.segments))
	for _, p := range ax.segments {
		if p.members > 0 {
			parts = append(parts, p)
		}
	}
	if len(parts) < minBuckets {
		parts = append(parts[:0], ax.segments...)
	}
	if len(parts) > maxBuckets {
		kept := append([]part(nil), parts...)
		sort.SliceStable(kept, func(i, j int) bool { return kept[i].members > kept[j].members })
		least := kept[maxBuckets-1].members
		room := maxBuckets
		for _, p := range kept[:maxBuckets] {
			if p.members > least {
				room--
			}
		}
		parts = keep(parts, least, room)
	}
	h := Hypothesis{Intent: short("By "+lowered(ax.name), maxIntent)}
	for _, p := range parts {
		h.Subgroups = append(h.Subgroups, Bucket{Label: short(p.label, maxLabel), Definition: short(definition(ax.name, p.label), maxDefinition)})
	}
	h.Subgroups = slugs(h.Subgroups)
	return h
}

// keep leaves the parts above least, and the first room of those that equal it.
func keep(parts []part, least, room int) []part {
	var out []part
	for _, p := range parts {
		switch {
		case p.members > least:
			out = append(out, p)
		case p.members == least && room > 0:
			out = append(out, p)
			room--
		}
	}
	return out
}

// lowered writes a name inside a sentence: "By household income", but "By NPS".
func lowered(name string) string {
	r := []rune(name)
	if len(r) > 1 && strings.ToUpper(string(r[1])) == string(r[1]) && strings.ToLower(string(r[1])) != string(r[1]) {
		return name
	}
	return strings.ToLower(string(r[:1])) + string(r[1:])
}

func short(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}

// synonyms name the core pool's dimensions in other words.
var synonyms = map[string][]string{
	grounding.DimAge:            {"age", "ages", "age group", "age groups", "age band", "age bands", "generation", "generations", "young and old", "younger and older", "how old", "alter", "altersgruppe", "altersgruppen", "âge", "edad", "età", "idade", "leeftijd", "wiek", "ålder"},
	grounding.DimGender:         {"gender", "genders", "sex", "men and women", "women and men", "male and female", "female and male", "geschlecht", "genre", "sexe", "género", "sexo", "genere", "geslacht", "płeć", "kön"},
	grounding.DimRepresentation: {"race", "ethnicity", "ethnic group", "ethnic groups", "ethnic background", "representation"},
	grounding.DimGeography:      {"region", "regions", "geography", "location", "locations", "place", "country", "countries", "city", "cities", "state", "states", "where they live", "bundesland", "land", "wohnort", "région", "pays", "región", "país", "regione", "regio"},
	grounding.DimEducation:      {"education", "educational level", "education level", "level of education", "degree", "degrees", "schooling", "qualification", "qualifications", "bildung", "abschluss", "diplôme", "educación", "estudios", "istruzione", "opleiding"},
	grounding.DimEmployment:     {"employment", "employment status", "work status", "working status", "job", "jobs", "occupation", "occupations", "profession", "beruf", "erwerbsstatus", "emploi", "empleo", "trabajo", "lavoro", "beroep"},
	grounding.DimIncome:         {"income", "incomes", "household income", "earnings", "salary", "wealth", "how much they earn", "einkommen", "gehalt", "revenu", "ingresos", "reddito", "renda", "inkomen"},
	grounding.DimHousehold:      {"household size", "size of household", "family size", "household", "haushaltsgröße", "taille du foyer", "tamaño del hogar"},
}

// mention is where a text first names an axis: its name, a synonym or a segment;
// -1: nowhere.
func mention(text string, ax axis) int {
	at := -1
	look := func(s string) {
		p := phrase(s)
		if strings.TrimSpace(p) == "" {
			return
		}
		if i := strings.Index(text, p); i >= 0 && (at < 0 || i < at) {
			at = i
		}
	}
	look(ax.name)
	for _, s := range synonyms[ax.dim] {
		look(s)
	}
	for _, p := range ax.segments {
		if utf8.RuneCountInString(p.label) >= 3 {
			look(p.label)
		}
	}
	return at
}

// phrase is a text as folded words, with a space on either side of each.
func phrase(s string) string {
	var b strings.Builder
	b.WriteByte(' ')
	words.Each(s, func(w []byte) {
		b.Write(w)
		b.WriteByte(' ')
	})
	return b.String()
}

// What may be done with a prior split.
var (
	mergeWords = []string{"merge", "combine", "join", "together", "unite", "group", "zusammenlegen", "zusammenfassen", "kombiniere", "fusionner", "regrouper", "combinar", "unir", "fusionar"}
	dropWords  = []string{"drop", "remove", "without", "delete", "leave out", "exclude", "skip", "omit", "ohne", "entferne", "lösche", "weglassen", "supprimer", "sans", "enlever", "quitar", "eliminar", "sin"}
)

// rework merges and drops the buckets that the input names, and changes nothing
// else. Each bucket belongs to the verb before it, the ones before any verb to the
// first.
func rework(prior Hypothesis, input string) (Hypothesis, error) {
	text := phrase(input)
	type verb struct {
		at   int
		drop bool
	}
	var verbs []verb
	for _, list := range []struct {
		words []string
		drop  bool
	}{{mergeWords, false}, {dropWords, true}} {
		for _, w := range list.words {
			for from := 0; ; {
				i := strings.Index(text[from:], phrase(w))
				if i < 0 {
					break
				}
				verbs = append(verbs, verb{from + i, list.drop})
				from += i + 1
			}
		}
	}
	if len(verbs) == 0 {
		return prior, nil
	}
	sort.Slice(verbs, func(i, j int) bool { return verbs[i].at < verbs[j].at })
	drop := make([]bool, len(prior.Subgroups))
	merge := map[int][]int{} // verb: buckets
	for i, b := range prior.Subgroups {
		at := strings.Index(text, phrase(b.Label))
		if at < 0 {
			if at = strings.Index(text, phrase(b.ID)); at < 0 {
				continue
			}
		}
		by := 0
		for k, v := range verbs {
			if v.at <= at {
				by = k
			}
		}
		if verbs[by].drop {
			drop[i] = true
		} else {
			merge[by] = append(merge[by], i)
		}
	}
	into := map[int]int{}
	merged := map[int]Bucket{}
	for _, list := range merge {
		if len(list) < 2 {
			continue
		}
		var labels, defs []string
		for _, i := range list {
			labels = append(labels, prior.Subgroups[i].Label)
			defs = append(defs, prior.Subgroups[i].Definition)
			into[i] = list[0]
		}
		merged[list[0]] = Bucket{Label: short(strings.Join(labels, " / "), maxLabel), Definition: short(strings.Join(defs, either), maxDefinition)}
	}
	out := Hypothesis{Intent: prior.Intent}
	taken := map[string]bool{}
	for i, b := range prior.Subgroups {
		at, part := into[i]
		switch {
		case drop[i], part && at != i:
			continue
		case part:
			b = merged[i]
			b.ID = slug(b.Label)
		}
		for base, n := b.ID, 2; taken[b.ID]; n++ {
			b.ID = base + "-" + strconv.Itoa(n)
		}
		taken[b.ID] = true
		out.Subgroups = append(out.Subgroups, b)
	}
	if len(out.Subgroups) < minBuckets {
		return Hypothesis{}, fault.New(fault.PreviewFailed, "No split could be proposed: this would leave %d bucket, and a split has at least %d. Merge or drop fewer.", len(out.Subgroups), minBuckets)
	}
	return out, nil
}

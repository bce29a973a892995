package audience_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
)

// M-140, M-141, M-144: who is left out is nobody any more, those concerned alone
// become others, under their ids, and no prompt has the words of the instruction.
func TestLeavingOutChangesWhoIsMeant_M140_M144(t *testing.T) {
	for text, tt := range map[string]struct {
		axis string
		out  func(label string) bool
		left []string // segments afterwards, where they are cut
	}{
		"exclude Bavaria":                 {"Geography", func(l string) bool { return l == "Bavaria" }, nil},
		"ohne Bayern und Hessen":          {"Geography", func(l string) bool { return l == "Bavaria" || l == "Hesse" }, nil},
		"drop the women":                  {"Gender", func(l string) bool { return l == "Woman" }, nil},
		"sans hommes":                     {"Gender", func(l string) bool { return l == "Man" }, nil},
		"remove everyone over 40":         {"Age", nil, []string{"25-34", "35-40"}},
		"nobody aged 30 to 35":            {"Age", nil, []string{"25-29", "36-45"}},
		"exclude the highest fifth":       {"Household income", func(l string) bool { return l == "Highest fifth" }, nil},
		"nobody with a bachelor's degree": {"Education", func(l string) bool { return strings.HasPrefix(l, "Bachelor") }, nil},
	} {
		t.Run(text, func(t *testing.T) {
			w := researchtest.New(t)
			ctx := w.As(t, "lab", account.Team)
			a := made(t, w, ctx, parents, 20)
			before, was := snapshot(t, w, ctx, a), detail(t, w, ctx, a.ID)
			r := must[audience.Recalibration](t)(again(t, w, ctx, audience.RecalibrateRequest{AudienceID: a.ID, Instruction: text}))
			d := detail(t, w, ctx, a.ID)
			now := must[audience.Audience](t)(w.Audiences.Get(ctx, a.ID))
			if r.Reach != audience.ReachComposition || fmt.Sprint(now.MemberIDs) != fmt.Sprint(a.MemberIDs) {
				t.Errorf("%+v, %d members", r, len(now.MemberIDs))
			}
			after, moved := snapshot(t, w, ctx, now), 0
			people := must[[]mind.Mind](t)(w.Minds.GetMany(ctx, a.MemberIDs))
			for i, m := range d.Minds {
				old, label := was.Minds[i].CohortProfile[tt.axis], m.CohortProfile[tt.axis]
				concerned := tt.out != nil && tt.out(old)
				if tt.out != nil && tt.out(label) || tt.left != nil && !slices.Contains(tt.left, label) {
					t.Errorf("%s is still %s", m.Name, label)
				}
				if before[m.ID] != after[m.ID] {
					moved++
					if tt.out != nil && !concerned {
						t.Errorf("%s changed, and was %s", m.Name, old)
					}
				}
				if strings.Contains(people[i].SystemPrompt, text) {
					t.Errorf("the words of the instruction stand in a prompt: %s", people[i].SystemPrompt)
				}
				if age := people[i].Identity.Age; text == "remove everyone over 40" && age > 40 || text == "nobody aged 30 to 35" && age >= 30 && age <= 35 {
					t.Errorf("%s is %d", m.Name, age)
				}
			}
			if moved == 0 || moved != r.Refreshed+r.Evolved || moved == 20 {
				t.Errorf("%d moved, %+v", moved, r)
			}
			for i, x := range d.Grounding.Distributions {
				if x.Name != tt.axis && fmt.Sprint(x) != fmt.Sprint(was.Grounding.Distributions[i]) {
					t.Errorf("%s changed", x.Name)
				}
			}
		})
	}
}

// M-140, M-143: who was left out stays so in another country; bounds that hold
// change nobody, others the fewest.
func TestLeavingOutLastsAndBoundsHold_M143(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	a := made(t, w, ctx, parents, 20)
	for _, s := range []struct {
		text          string
		moved         int
		axis, segment string
		members       int
	}{
		{"no more than 10 % unemployed", 0, "Employment", "Employed", 20},
		{"at least 50 % women", 0, "Gender", "Woman", 12},
		{"at most 50 % women", 2, "Gender", "Woman", 10},
		{"at least 60 % men", 2, "Gender", "Man", 12},
		{"30 % with a bachelor's degree", -1, "Education", "Bachelor's degree or higher", 6},
		{"no one over 40", -1, "Age", "35-45", 0},
		{"now in Austria", 20, "Age", "41-45", 0},
	} {
		r := must[audience.Recalibration](t)(again(t, w, ctx, audience.RecalibrateRequest{AudienceID: a.ID, Instruction: s.text}))
		d := detail(t, w, ctx, a.ID)
		if n := count(d, s.axis, s.segment); n != s.members || s.moved >= 0 && r.Refreshed+r.Evolved != s.moved {
			t.Errorf("%s: %d are %s, %d moved", s.text, n, s.segment, r.Refreshed+r.Evolved)
		}
		for _, x := range d.Grounding.Distributions {
			if x.Name == "Education" && s.text != "now in Austria" && len(x.Distribution) != 3 {
				t.Errorf("%s: a degree has two segments: %+v", s.text, x.Distribution)
			}
		}
	}
	for _, m := range must[[]mind.Mind](t)(w.Minds.GetMany(ctx, a.MemberIDs)) {
		if m.Identity.Age > 40 {
			t.Errorf("%s is %d", m.Name, m.Identity.Age)
		}
	}
}

// M-143: what the axes cannot follow is refused before anything is done, and the
// refusal says what can be said.
func TestLeavingOutIsRefused_M143(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	a := made(t, w, ctx, parents, 12)
	before := snapshot(t, w, ctx, a)
	for text, say := range map[string]string{
		"remove 2 men": "manage_audience", "without smokers": "0 % smokers", "no parents": "Nobody would be left", "exclude Germany": "Nobody would be left", "exclude Munich": "Geography tells apart",
		"make them older": "how much", "more from Stockholm": "add 5 from Berlin", "add zero people": "adds 0 people", "nobody over 20": "Nobody would be left", "no more than 10 % vegan": "Write the share",
		"make them 20 % women and add 5 men": "two instructions", "remove women over 40": "several things at once", "exclude the unicorns": "No axis of this Audience tells who is “unicorns”", "add 5 people but no students": "Say who they are",
	} {
		_, err := again(t, w, ctx, audience.RecalibrateRequest{AudienceID: a.ID, Instruction: text})
		if f := fault.From(err); err == nil || f.Code != fault.Validation || !strings.Contains(f.Message, say) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if d := detail(t, w, ctx, a.ID); d.State != audience.Ready || d.Calibration.Active || fmt.Sprint(snapshot(t, w, ctx, a)) != fmt.Sprint(before) {
		t.Error("something was done")
	}
}

// M-140: newcomers keep what the words said of them when they change later, and take
// their own country's figures.
func TestNewcomersKeepWhoTheyAre_M140(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	a := made(t, w, ctx, parents, 20)
	was := detail(t, w, ctx, a.ID)
	must[audience.Recalibration](t)(again(t, w, ctx, audience.RecalibrateRequest{AudienceID: a.ID, Instruction: "add 10 nurses from Austria"}))
	for i, x := range detail(t, w, ctx, a.ID).Grounding.Distributions {
		if x.Name == "Education" && fmt.Sprint(x.Distribution) == fmt.Sprint(was.Grounding.Distributions[i].Distribution) {
			t.Error("the education of Austria counts for nothing")
		}
		if len(x.Distribution) > len(was.Grounding.Distributions[i].Distribution) && x.Name != "Geography" {
			t.Errorf("%s doubles its segments: %+v", x.Name, x.Distribution)
		}
	}
	for _, text := range []string{"make it 50 % women", "they are all vegan now", "remove everyone over 40", "0 % smokers"} {
		must[audience.Recalibration](t)(again(t, w, ctx, audience.RecalibrateRequest{AudienceID: a.ID, Instruction: text}))
		now := must[audience.Audience](t)(w.Audiences.Get(ctx, a.ID))
		for i, m := range must[[]mind.Mind](t)(w.Minds.GetMany(ctx, now.MemberIDs)) {
			nurse := strings.Contains(m.PersonaContext, "Population: nurses from Austria")
			if nurse != (i >= 20) || nurse && !strings.Contains(m.PersonaContext, "Country: Austria") {
				t.Errorf("%s, member %d: %s", text, i, m.PersonaContext)
			}
			if text != "make it 50 % women" && !strings.Contains(m.PersonaContext, "Vegan") {
				t.Errorf("%s, member %d is not vegan: %s", text, i, m.PersonaContext)
			}
		}
	}
	// Another population has no newcomers.
	must[audience.Recalibration](t)(again(t, w, ctx, audience.RecalibrateRequest{AudienceID: a.ID, Instruction: "now all teachers in Spain"}))
	for _, m := range must[[]mind.Mind](t)(w.Minds.GetMany(ctx, must[audience.Audience](t)(w.Audiences.Get(ctx, a.ID)).MemberIDs)) {
		if strings.Contains(m.PersonaContext, "nurses") || !strings.Contains(m.PersonaContext, "Spain") {
			t.Errorf("%s: %s", m.Name, m.PersonaContext)
		}
	}
}

// M-140: bands and places do not overlap when the Audience grows.
func TestGrowthHasNoOverlap_M140(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	a := made(t, w, ctx, parents, 20)
	for _, text := range []string{"add 3 women from Berlin aged 30", "add 2 people aged 43 to 45", "add twenty", "add 4 men aged 20 to 28"} {
		must[audience.Recalibration](t)(again(t, w, ctx, audience.RecalibrateRequest{AudienceID: a.ID, Instruction: text}))
		for _, x := range detail(t, w, ctx, a.ID).Grounding.Distributions {
			years := map[int]string{}
			for _, s := range x.Distribution {
				var low, high int
				if n, _ := fmt.Sscanf(s.Label, "%d-%d", &low, &high); x.Name != "Age" || n == 0 {
					continue
				} else if n == 1 {
					high = low
				}
				for y := low; y <= high; y++ {
					if years[y] != "" {
						t.Fatalf("%s: %d is in %s and in %s", text, y, years[y], s.Label)
					}
					years[y] = s.Label
				}
			}
		}
	}
	if n := len(detail(t, w, ctx, a.ID).Minds); n != 49 {
		t.Errorf("%d members", n)
	}
}

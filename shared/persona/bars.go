package persona

import "slices"

// Axis is one axis of a cohort, its segments as members stand for them.
type Axis struct {
	Name, Dimension string
	Segments        []Segment
}

// Segment is one segment of an axis.
type Segment struct{ Label, Canonical string }

// Bar says that who stands for Segment of Axis stands for none of Others of Other:
// nobody is both, or so few are that a cohort of some hundred has none.
type Bar struct {
	Axis, Segment string
	Other         string
	Others        []string
	Why           string
}

// Bars finds the segments of different axes that exclude one another: by age, paid
// work, schooling, occupation, household and marriage. Gender and representation
// have no part in it. Labels that are not understood bar nothing.
func Bars(axes []Axis) []Bar {
	var out []Bar
	var said [][]*traits
	all := axes
	axes = nil
	for _, a := range all {
		of, useful := make([]*traits, len(a.Segments)), false
		for k, s := range a.Segments {
			of[k] = traitsOf(a, s)
			useful = useful || of[k] != nil
		}
		if useful { // few of many axes are of this kind
			axes, said = append(axes, a), append(said, of)
		}
	}
	for i, a := range axes {
		for j := i + 1; j < len(axes); j++ {
			for k, s := range a.Segments {
				bar := Bar{Axis: a.Name, Segment: s.Label, Other: axes[j].Name}
				for l, o := range axes[j].Segments {
					if why := said[i][k].against(said[j][l]); why != "" {
						bar.Others = append(bar.Others, o.Label)
						bar.Why = why
					}
				}
				if len(bar.Others) > 0 {
					out = append(out, bar)
				}
			}
		}
	}
	return out
}

// traits are what one segment says of who stands for it; nil: nothing of use.
type traits struct {
	lo, hi    int // ages; hi 0: none
	work      work
	education level // the least that the label says
	top       level // the most
	job       *occupation
	major     int
	size      int // of the household, exactly; 0 unknown
	parent    int
	marital   marital
}

type marital int

const (
	maritalUnknown marital = iota
	married
	parted // divorced or separated
	widowed
)

var maritalAxes = []cue[bool]{{true, cues("marital,marriage,relationship status,civil status,familienstand,état civil,situation matrimoniale,estado civil,stato civile,burgerlijke staat,stan cywilny,civilstånd")}}

var maritalCues = []cue[marital]{
	{maritalUnknown, cues("unmarried,never married,not married,single,unverheiratet,ledig,célibataire,solter,celib,nubile,ongehuwd,ogift")},
	{widowed, cues("widow,verwitwet,veuf,veuve,viud,vedov,viúv,weduw,wdow,änk")},
	{parted, cues("divorc,separated,geschieden,getrennt,séparé,separad,separat,gescheiden,rozwied,skild")},
	{married, cues("married,civil partner,verheiratet,marié,casad,sposat,coniug,gehuwd,getrouwd,zamęż,żonat,gift")},
}

func traitsOf(a Axis, s Segment) *traits {
	cell := Assigned{Axis: a.Name, Dimension: a.Dimension, Segment: s.Label, Canonical: s.Canonical}
	if _, ok := find(maritalAxes, a.Name); ok {
		m, known := find(maritalCues, s.Label)
		if !known || m == maritalUnknown {
			return nil
		}
		return &traits{education: eduUnknown, marital: m}
	}
	dimension := dimensionOf(cell)
	switch dimension {
	case "age", "employment", "education", "occupation", "household_size", "parent", "seniority":
	default:
		return nil
	}
	f := read(Spec{Cell: []Assigned{cell}})
	t := traits{work: f.work, education: f.education, top: topOf(s.Label, f.education), job: f.job, major: f.major, parent: f.parent}
	if f.ageSet {
		t.lo, t.hi = f.ageLo, f.ageHi
	}
	if f.sizeMore == 0 {
		t.size = f.size
	}
	if dimension == "seniority" && f.seniority >= 2 {
		t.major = 1
	}
	if dimension != "employment" && (f.job != nil || f.major > 0) {
		t.work = workUnknown // an axis of occupations says what those do who work
	}
	return &t
}

// Bounds of age that hardly anybody is beyond. Schooling has those of eduFloor,
// occupations those of the list.
const (
	retiredFrom   = 55
	studentsUntil = 44
	workFrom      = 15 // the youngest of whom statistics of work speak (ILO)
	workUntil     = 79
	marriedFrom   = 18
	widowedFrom   = 30
	aloneFrom     = 18
	parentFrom    = 18
	leaderFrom    = 23
)

// against says why nobody is both; empty: somebody may be.
func (t *traits) against(o *traits) string {
	if t == nil || o == nil {
		return ""
	}
	if why := t.excludes(o); why != "" {
		return why
	}
	return o.excludes(t)
}

func (t *traits) excludes(o *traits) string {
	if t.hi > 0 {
		if why := o.ofAge(t.lo, t.hi); why != "" {
			return why
		}
	}
	switch {
	case t.parent > 0 && o.size == 1:
		return "who lives alone has no children at home"
	case t.marital == married && o.size == 1:
		return "married people share a household"
	case t.education == eduUnknown:
		return ""
	case o.job != nil && o.job.least() > t.top:
		return "the occupation asks for more schooling"
	case o.job == nil && o.major > 0 && skill(o.major) > t.top:
		return "occupations of this group ask for more schooling"
	}
	return ""
}

// skill is the least schooling of a major group of ISCO-08: the skill levels that
// the International Labour Organization maps to ISCED, each taken one step lower,
// since people also rise by experience.
func skill(major int) level {
	switch major {
	case 2: // level 4
		return eduShort
	case 1, 3: // levels 3 and 4
		return eduUpper
	}
	return eduNone
}

// ofAge says why nobody of these ages has the traits.
func (t *traits) ofAge(lo, hi int) string {
	switch {
	case t.work == retired && hi < retiredFrom:
		return "retired before 55"
	case t.work == student && lo > studentsUntil:
		return "a student after 44"
	case t.work.paid() && (hi < workFrom || lo > workUntil):
		return "in paid work at this age"
	case t.work == unemployed && (hi < workFrom || lo > 69):
		return "looking for work at this age"
	case t.education != eduUnknown && eduFloor(t.education) > hi:
		return "this schooling is not reached at this age"
	case t.job != nil && t.job.age > hi:
		return "the occupation is not reached at this age"
	case t.job == nil && t.major == 1 && hi < leaderFrom:
		return "nobody leads at this age"
	case t.parent > 0 && hi < parentFrom:
		return "a parent at this age"
	case t.marital != maritalUnknown && hi < marriedFrom, t.marital == widowed && hi < widowedFrom:
		return "married or widowed at this age"
	case t.size == 1 && hi < aloneFrom:
		return "living alone at this age"
	}
	return ""
}

// Barred lists in words what of a cell nobody can be: for the audit of a cohort.
func Barred(cell []Assigned) []string {
	var out []string
	said := make([]*traits, len(cell))
	for i, a := range cell {
		said[i] = traitsOf(Axis{Name: a.Axis, Dimension: a.Dimension}, Segment{a.Segment, a.Canonical})
	}
	for i := range cell {
		for j := i + 1; j < len(cell); j++ {
			if why := said[i].against(said[j]); why != "" && !slices.Contains(out, why) {
				out = append(out, why)
			}
		}
	}
	return out
}

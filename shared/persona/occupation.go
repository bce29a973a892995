package persona

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

//go:embed data/occupations.txt
var occupationData string

// occupation is one row of the list: what it asks for and how it is called.
type occupation struct {
	key       string
	major     int // ISCO-08 major group
	education level
	age       int // from
	industry  string
	pay       int // 1 low to 4 high, against others of the country
	weight    int // how often it is drawn; 0: only when it was asked for
	titles    map[string][2]string
	also      []string
}

func (o *occupation) english() string { return o.titles["en"][0] }

var occupations = sync.OnceValue(func() []*occupation {
	var out []*occupation
	for line := range strings.Lines(occupationData) {
		p := strings.Split(strings.TrimRight(line, "\r\n"), "|")
		if strings.HasPrefix(line, "#") || len(p) != 17 {
			continue
		}
		n := func(i int) int { v, _ := strconv.Atoi(p[i]); return v }
		o := &occupation{key: p[0], major: n(1), education: level(n(2)), age: n(3), industry: p[4], pay: n(5), weight: n(6), titles: map[string][2]string{}}
		for i, l := range languages {
			m, w, ok := strings.Cut(p[7+i], "/")
			if !ok {
				w = m
			}
			o.titles[l] = [2]string{m, w}
		}
		if p[16] != "" {
			o.also = strings.Split(p[16], ",")
		}
		out = append(out, o)
	}
	return out
})

// title is the occupation as a person of this gender says it.
func (o *occupation) title(lang, gender string) string {
	t := o.titles[lang]
	switch gender {
	case man:
		return t[0]
	case woman:
		return t[1]
	}
	return neutral(lang, t[0], t[1])
}

// neutral writes one form for everybody, the way it is usual in the language
// ("Lehrer:in", "enseignant·e"), or both forms where they share no stem.
func neutral(lang, m, w string) string {
	if m == w {
		return m
	}
	switch {
	case lang == "de" && w == m+"in" && !strings.Contains(m, " "):
		return m + ":in"
	case lang == "fr" && w == m+"e" && !strings.Contains(m, " "):
		return m + "·e"
	}
	return w + " / " + m
}

// occupationText is what the person does, in the brief's language.
func (f *facts) occupationText(job *occupation) string {
	switch {
	case f.title != "":
		return f.title
	case job != nil && (f.works() || f.work == workUnknown):
		return job.title(f.lang, f.gender)
	case f.work == workUnknown, f.works():
		return ""
	}
	return phrasesOf(f.lang).standing[f.work]
}

// occupation is the one that the spec names; nil when it names none.
func (f *facts) occupation() *occupation {
	if f.work != workUnknown && !f.works() {
		return nil
	}
	return f.job
}

// drawOccupation chooses an occupation that education, age, standing and what
// was assigned of industry and seniority allow. Gender and representation have
// no part in it.
func (f *facts) drawOccupation(d drawer) *occupation {
	list := occupations()
	weights := make([]int, len(list))
	for _, strict := range []int{3, 2, 1, 0} { // what was asked for first, then what is possible
		found := false
		for i, o := range list {
			weights[i] = 0
			if !f.fits(o, strict) {
				continue
			}
			weights[i] = o.weight
			if f.work == selfEmployed && alone[o.key] {
				weights[i] = max(o.weight, 2) * 3
			}
			if f.education != eduUnknown && o.education >= f.education-1 {
				weights[i] *= 3 // most people work near the level they reached
			}
			found = found || weights[i] > 0
		}
		if found {
			o := list[choose(d.even("occupation"), weights)]
			f.assume("Occupation")
			return o
		}
	}
	return nil
}

// alone are occupations that people often follow on their own account.
var alone = wordSet("physio dentist lawyer architect consultant estateagent hairdresser electrician plumber carpenter mechanic baker courier gardener farmer graphicdesigner journalist softwaredev accountant psychologist cleaner insurance businessowner")

func (f *facts) fits(o *occupation, strict int) bool {
	if o.age > f.age {
		return false
	}
	if f.education != eduUnknown {
		if o.education > topOf(f.educationLabel, f.education) {
			return false
		}
		if f.education >= eduBachelor && o.education < eduUpper {
			return false
		}
	} else if o.education >= eduMaster && f.age < o.age+2 {
		return false
	}
	if strict >= 1 && f.work == selfEmployed && !alone[o.key] {
		return false
	}
	if f.work != selfEmployed && (o.key == "farmer" || o.key == "businessowner") && strict >= 1 {
		return false
	}
	if strict >= 1 && f.major > 0 && o.major != f.major {
		return false
	}
	if strict >= 2 && f.industry != "" && !sameIndustry(f.industry, o.industry) {
		return false
	}
	if strict >= 1 && f.seniority >= 2 && o.major != 1 || f.seniority == -1 && o.major == 1 {
		return false
	}
	if strict >= 3 {
		switch f.income.rank {
		case -1:
			return o.pay <= 2
		case 1:
			return o.pay >= 2
		}
	}
	return true
}

// industryCues are the words of industries in the list, under what else they go
// by.
//
//nolint:misspell // other languages
var industryCues = []cue[string]{
	{"health", cues("health,hospital,medical,pharma,gesundheit,santé,salud,sanit,saúde,zorg,zdrow,vård")},
	{"education", cues("educat,school,universit,bildung,enseignement,istruzione,onderwijs,edukac,utbildning")},
	{"information technology", cues("information tech,software, it,tech,telecom,saas,comput,informatik,digital")},
	{"manufacturing", cues("manufactur,industrial,automotive,chemical,engineering,industrie,herstell,producci,manifatt,indústria,przemysł,tillverkning")},
	{"construction", cues("construct,building,bau,bâtiment,construcc,edil,constru,bouw,budow,bygg")},
	{"finance", cues("financ,bank,insur,versicher,assuranc,segur,assicur,verzeker")},
	{"retail", cues("retail,e-commerce,ecommerce,shop,consumer goods,handel,commerce,comercio,commercio,comércio,detail")},
	{"hospitality", cues("hospital,hotel,restaurant,tourism,food service,gastgewerbe,gastro,restauration,hostel,horeca")},
	{"transport", cues("transport,logistic,shipping,warehous,verkehr,logist,spedition")},
	{"public administration", cues("public,government,administration,verwaltung,öffentlich,publique,pública,pubblica,overheid")},
	{"business services", cues("business serv,professional serv,consult,marketing,advertis,services,dienstleist")},
	{"agriculture", cues("agric,farm,forest,landwirt,agricol,landbouw,rolnic,lantbruk")},
	{"media", cues("media,entertain,publish,creative,medien")},
	{"legal services", cues("legal,law")},
	{"real estate", cues("real estate,property,immobil")},
	{"public safety", cues("safety,defence,defense,police,security")},
	{"social services", cues("social,non-profit,nonprofit,charity,ngo")},
	{"research", cues("research,science")},
}

func sameIndustry(label, industry string) bool {
	if i, ok := find(industryCues, label); ok {
		return i == industry
	}
	return low(label) == industry
}

// seniorityOf is 3 for the top, 2 for who leads, 1 for the rest, -1 for who leads
// nobody, 0 unknown.
func seniorityOf(label string) int {
	s, _ := find([]cue[int]{
		{3, cues("c-level,c-suite,c level,chief,executive,board,vorstand,geschäftsführ,owner,founder,partner,vp,vice president")},
		{2, cues("director,head of,senior manag,manager,management,leit,führung,cadre,directiv,dirigen,gerente,kierown,chef")},
		{-1, cues("individual contrib,entry,junior,staff,non-manag,no management,associate,trainee,intern,employee,specialist,mitarbeiter")},
	}, label)
	return s
}

// majors are the ten groups of ISCO-08 by their words.
var majors = []cue[int]{
	{8, cues("plant and machine,machine operator,assembler,anlagen")},
	{9, cues("elementary,unskilled,labourer,laborer,hilfsarb,hilfskr")},
	{6, cues("skilled agric,agricultural,fachkräfte in land")},
	{7, cues("craft,trades,handwerk,skilled manual")},
	{5, cues("service and sales,services and sales,service worker,sales worker,dienstleistungsberuf")},
	{4, cues("clerical,office worker,administrative support,bürokräfte")},
	{3, cues("technicians and associate,associate professional,techniker und")},
	{2, cues("professionals,akademische berufe,professions intellectuelles")},
	{1, cues("managers,senior officials,führungskräfte,directeurs, cadres")},
}

// occupationSegment reads the segment of an axis of occupations.
func (f *facts) occupationSegment(label, canonical string) {
	if w, ok := find(workCues, label); ok && f.work == workUnknown && !w.paid() {
		f.work, f.workLabel = w, label
		return
	}
	if o := findOccupation(label); o != nil {
		f.job = o
	} else if m, ok := find(majors, label); ok {
		f.major = m
	} else if o := findOccupation(canonical); o != nil {
		f.job = o
	} else {
		f.title = singular(label)
	}
	if f.work == workUnknown {
		f.work = employed
	}
}

// names finds occupations by each of their names, folded.
var occupationNames = sync.OnceValue(func() map[string]*occupation {
	m := map[string]*occupation{}
	put := func(n string, o *occupation) {
		if n = low(n); n != "" && m[n] == nil {
			m[n] = o
		}
	}
	for _, o := range occupations() {
		for _, n := range o.also {
			put(n, o)
		}
		for _, l := range languages {
			put(o.titles[l][0], o)
			put(o.titles[l][1], o)
		}
	}
	return m
})

// endings of plurals, as they are put on titles of one word.
var plurals = []string{"s", "es", "n", "en", "nen", "e", "er", "i", "x", "r", "are", "na", "or"}

// findOccupation finds the listed occupation that a term names, in the singular
// or plural; nil when it names none.
func findOccupation(term string) *occupation {
	names := occupationNames()
	t := low(term)
	for _, c := range []string{t, singular(t)} {
		if o := names[c]; o != nil {
			return o
		}
	}
	for _, e := range plurals {
		if stem, ok := strings.CutSuffix(t, e); ok {
			if o := names[stem]; o != nil && len(stem) > 3 {
				return o
			}
		}
	}
	// "registered nurses in intensive care": by the words before what qualifies them
	for _, cut := range []string{" in ", " at ", " of ", " with ", " who ", " working ", " from ", ","} {
		if head, _, ok := strings.Cut(t, cut); ok && head != t {
			return findOccupation(head)
		}
	}
	// plurals that change the stem: -eur/-euses, -tor/-trici, -ka/-ki
	if len([]rune(t)) >= 6 {
		r := []rune(t)
		for _, n := range []string{string(r[:len(r)-2]) + "a", string(r[:len(r)-1]) + "a", string(r[:len(r)-1]) + "o", string(r[:len(r)-1]) + "e"} {
			if o := names[n]; o != nil && !strings.Contains(n, " ") {
				return o
			}
		}
	}
	return nil
}

var titleEnds = []string{"ologist", "ician", "engineer", "manager", "officer", "director", "technician", "nurse", "specialist", "consultant", "analyst", "operator", "worker", "assistant",
	"developer", "designer", "administrator", "therapist", "physician", "surgeon", "doctor", "teacher", "farmer", "driver", "coordinator", "supervisor", "planner", "executive", "agent", "adviser", "advisor", "broker", "clerk", "inspector", "instructor", "midwife", "paramedic", "pilot", "writer", "editor", "artist", "musician", "photographer", "chef", "mechanic", "scientist", "economist", "optician", "radiographer", "carer"}

// occupationTitle is a term that names an occupation by its last word, in the
// singular: "dairy farmers" is "dairy farmer".
func occupationTitle(term string) string {
	one := singular(term)
	w := strings.Fields(low(one))
	if len(w) == 0 || len(w) > 5 {
		return ""
	}
	for _, e := range titleEnds {
		if strings.HasSuffix(w[len(w)-1], e) {
			return one
		}
	}
	return ""
}

// singular takes an English plural off the last word.
func singular(term string) string {
	t := strings.TrimSpace(term)
	switch l := strings.ToLower(t); {
	case strings.HasSuffix(l, "midwives"):
		return t[:len(t)-3] + "fe"
	case strings.HasSuffix(l, "women"), strings.HasSuffix(l, "men") && len(l) > 4:
		return t[:len(t)-2] + "an"
	case strings.HasSuffix(l, "ies"):
		return t[:len(t)-3] + "y"
	case strings.HasSuffix(l, "sses"), strings.HasSuffix(l, "ches"):
		return t[:len(t)-2]
	case strings.HasSuffix(l, "s") && !strings.HasSuffix(l, "ss") && !strings.HasSuffix(l, "us") && len(l) > 3:
		return t[:len(t)-1]
	}
	return t
}

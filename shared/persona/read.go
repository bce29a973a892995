package persona

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
)

// facts is a Spec, read: what was assigned, in a form that rules can use.
type facts struct {
	s    Spec
	lang string

	age, ageLo, ageHi int
	ageOpen, ageSet   bool
	ageLabel          string

	gender, genderLabel string // gender is one of the three, or drawn when none was assigned
	genderSet           bool
	representation      string

	country, countryLabel, region string
	settlement                    settlement

	education      level
	educationLabel string

	work        work
	workLabel   string
	workAssumed bool // nobody said so: only the age does
	job         *occupation
	title       string // an occupation as written, when no listed one is meant
	major       int    // ISCO major group that was assigned
	industry    string
	seniority   int

	income   span
	incomeOf string

	size, sizeMore int // people in the household; 0 unknown, at least when sizeMore is 1
	parent         int // 1 yes, -1 no
	groups         []string
	trade          bool // one of groups may be an occupation that no list knows

	fields    []Field
	assumed   []string
	conflicts []string
}

//nolint:misspell // other languages
var dimensions = []cue[string]{
	{"age", cues(" age , ages , age group, age band, age range, alter , altersgr, âge, edad , età , idade , leeftijd, wiek , ålder")},
	{"gender", cues("gender, sex ,geschlecht, genre ,género,genere,sesso,gênero,geslacht,płeć, kön")},
	{"representation", cues("representation,ethnic, race ,migration,herkunft,etni,origine")},
	{"income", cues("income,earnings,salary,einkommen,revenu,ingreso,reddito,renda,rendimento,inkomen,dochód,inkomst")},
	{"household_size", cues("household size,household_size,size of household,people in household,persons in household,haushaltsgröße,personen im haushalt,taille du ménage,taille du foyer,tamaño del hogar,dimensione famil,componenti,tamanho do agregado,huishoudgrootte,wielkość gosp,hushållsstorlek")},
	{"parent", cues("parent,children,kids,kinder,enfants,hijos,figli,filhos,kinderen,dzieci,barn")},
	{"education", cues("educat,qualification,schooling,bildung,schulabschluss,diplôme,niveau d,educac,estudios,istruzione,titolo di studio,educaç,escolaridade,opleiding,wykształc,utbildning")},
	{"industry", cues("industry, sector,branche,secteur,sector,settore,setor,branża, bransch")},
	{"seniority", cues("seniority,job level,management level,hierarch,karriere")},
	{"employment", cues("employ,work status,working status,labour,labor force,erwerb,beschäftig,berufsstatus,emploi,situation profession,situación laboral,occupazionale,condizione,situação profissional,werksituatie,arbeidssituatie,zatrudn,aktywność,sysselsättning,arbetssit")},
	{"occupation", cues("occupation, profession , job , job title,job role,job function, beruf ,métier,ocupación,profesión,professione,profissão, beroep ,zawód, yrke ")},
	{"settlement", cues("urban,area type,settlement,community type,living area,type of place,wohnort,siedlung,habitat")},
	{"geography", cues("geograph,country,region,location, state ,province, land ,bundesland, pays , país , paese , kraj , city ")},
}

// dimensionOf names what an axis is about; empty when it is none that a person
// is built from.
func dimensionOf(a Assigned) string {
	d := strings.ReplaceAll(low(a.Dimension), "-", "_")
	switch d {
	case "age", "gender", "representation", "geography", "education", "employment", "income", "household_size", "occupation", "industry", "seniority":
		return d
	case "household_income":
		return "income"
	}
	switch d {
	case "psychographic", "behavioral", "behavioural":
		return ""
	case "", "demographic", "geographic", "firmographic": // a category, no key
		d = a.Axis
	}
	d = strings.ReplaceAll(d, "_", " ")
	if len(strings.Fields(d)) > 4 {
		return "" // a question, say
	}
	d, _ = find(dimensions, d)
	if d == "occupation" && strings.Contains(low(a.Axis), "satisf") {
		return ""
	}
	return d
}

func read(s Spec) *facts {
	f := &facts{s: s, lang: languageOf(s.Locale), education: eduUnknown, country: strings.ToUpper(strings.TrimSpace(s.Country)), region: strings.TrimSpace(s.Region)}
	f.countryLabel = countryName(f.country)
	var rest []Assigned
	for _, a := range s.Cell {
		if strings.TrimSpace(a.Segment) == "" || !f.take(dimensionOf(a), a) {
			rest = append(rest, a)
		}
	}
	for _, r := range append(append([]string{}, s.Roles...), s.Required...) {
		f.role(r)
	}
	f.fields = f.assignedFields(rest)
	return f
}

// take reads one segment; false when it is kept as it is written, a field and no
// more.
func (f *facts) take(dimension string, a Assigned) bool {
	label := strings.TrimSpace(a.Segment)
	both := a.Canonical + " " + label
	switch dimension {
	case "age":
		lo, hi, open, ok := ageBand(label)
		if !ok {
			lo, hi, open, ok = ageBand(a.Canonical)
		}
		if !ok {
			return false
		}
		f.ageLo, f.ageHi, f.ageOpen, f.ageSet, f.ageLabel = lo, hi, open, true, label
	case "gender":
		f.gender, f.genderLabel, f.genderSet = genderOf(a.Canonical, label), label, true
	case "representation":
		f.representation = label
	case "settlement":
		if _, ok := begins(settlementCues, label); !ok {
			return false
		}
		f.place(a)
	case "geography":
		f.place(a)
	case "education":
		f.educationLabel = label
		f.education = eduUnknown
		if l, ok := find(eduCues, both); ok {
			f.education = l
		}
	case "employment":
		w, ok := find(workCues, label)
		if !ok {
			w, ok = find(workCues, a.Canonical)
		}
		if !ok {
			return false
		}
		f.work, f.workLabel = w, label
	case "occupation":
		f.occupationSegment(label, a.Canonical)
		return false // the segment is kept beside what it is read as
	case "industry":
		f.industry = label
		return false
	case "seniority":
		f.seniority = seniorityOf(both)
		return false
	case "income":
		f.incomeOf = label
		f.income = incomeBand(label)
	case "household_size":
		f.size, f.sizeMore = sizeOf(label)
		return false
	case "parent":
		if yes, ok := find(parentCues, label); ok {
			f.parent = map[bool]int{true: 1, false: -1}[yes]
		}
		return false
	default:
		return false
	}
	return true
}

// place reads a country, a region or a kind of settlement.
func (f *facts) place(a Assigned) {
	label := strings.TrimSpace(a.Segment)
	// Where all live in one country, a segment that no axis calls a country is a part of
	// it, even when another country bears the name or the code, as Georgia does.
	if home := strings.ToUpper(strings.TrimSpace(f.s.Country)); home != "" && !strings.Contains(low(a.Axis), "countr") {
		if c := cmp.Or(countryCode(a.Canonical), countryCode(label)); c != "" && c != home {
			f.region = label
			return
		}
	}
	if c := countryCode(a.Canonical); c != "" {
		f.country, f.countryLabel = c, countryName(c)
		if countryCode(label) != c || nations[low(label)] {
			f.region = label
		}
		return
	}
	if c := countryCode(label); c != "" {
		if nations[low(label)] {
			f.region = label
		}
		f.country, f.countryLabel = c, countryName(c)
		return
	}
	if s, ok := begins(settlementCues, label); ok && len(strings.Fields(label)) <= 4 {
		f.settlement = s
		f.fields = append(f.fields, Field{"Area", label})
		return
	}
	f.region = label
}

var standingWords = wordSet("working employed self-employed freelance full-time part-time retired unemployed former berufstätige angestellte selbstständige")

// nations are parts of a country that go by a name of their own.
var nations = map[string]bool{"england": true, "scotland": true, "wales": true, "northern ireland": true}

var notRoles = wordSet("adults people persons person individuals consumers consumer shoppers shopper customers customer users user buyers respondents residents citizens voters adult members erwachsene verbraucher leute personen consommateurs adultes personnes consumidores adultos personas consumatori adulti persone consumenten volwassenen konsumenci dorośli konsumenter vuxna")

func wordSet(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

// role reads what holds for every member: an occupation, a standing, parenthood,
// a gender. What is none of these is a group that the person belongs to.
func (f *facts) role(r string) {
	r = strings.TrimSpace(r)
	t := low(r)
	if t == "" || notRoles[t] {
		return
	}
	known := false
	var bare []string // without words for gender and standing: "retired female teachers"
	for _, w := range strings.FieldsFunc(r, func(c rune) bool { return c == ' ' || c == '/' || c == ',' }) {
		g := genderOf(w)
		if g != "" && len(w) > 2 && low(w) != "other" {
			known = true
			if !f.genderSet {
				f.gender, f.genderLabel, f.genderSet = g, g, true
			}
			continue
		}
		if !standingWords[low(w)] {
			bare = append(bare, w)
		}
	}
	job := findOccupation(strings.Join(bare, " "))
	if job == nil {
		job = findOccupation(r)
	}
	if yes, ok := find(parentCues, t); ok && job == nil && (!yes || len(strings.Fields(t)) <= 5) {
		known = true
		if f.parent == 0 {
			f.parent = map[bool]int{true: 1, false: -1}[yes]
		}
	}
	if w, ok := find(workCues, t); ok && len(strings.Fields(t)) <= 4 {
		known = true
		if f.work == workUnknown || f.work == employed && w.paid() {
			f.work = w
			if f.workLabel == "" {
				f.workLabel = r
			}
		}
	}
	if job != nil {
		if f.job == nil {
			f.job = job
		}
		if f.work == workUnknown {
			f.work = employed
		}
		return
	}
	if title := occupationTitle(strings.Join(bare, " ")); title != "" && f.parent == 0 {
		f.title = title
		if f.work == workUnknown {
			f.work = employed
		}
		return
	}
	if known {
		return
	}
	f.groups = append(f.groups, r)
	f.trade = f.trade || !pastime(t)
}

var pastimes = cues("owner,user,gamer,player,fan,subscriber,viewer,shopper,buyer,commuter,cyclist,runner,traveller,traveler,renter,tenant,patient,voter,smoker,vegan,vegetarian,drinker,reader,lover,enthusiast,holder,member,citizen,resident,household,listener,collector,consumer,customer,people,adult,person,millennial,gen z,visitor,guest,donor,volunteer,believer,driver of,besitzer,nutzer,käufer,kunden,kundinnen,mieter,raucher,wähler,patienten,fahrer von,propriétaire,utilisateur,acheteur,client,fumeur,locataire,électeur,usuario,comprador,cliente,propietario,votante,fumador,proprietari,utent,acquirent,fumator,elettor,utilizador,proprietári,eigenaar,gebruiker,koper,klant,roker,kiezer,właściciel,użytkowni,klient,wyborc,ägare,användare,köpare,kunder,väljare")

// pastime reports a group that says nothing of what somebody works as.
func pastime(t string) bool {
	for _, c := range pastimes {
		if strings.Contains(t, c) {
			return true
		}
	}
	return false
}

func (f *facts) works() bool { return f.work.paid() }

// genderField is what a profile says.
func (f *facts) genderField() string {
	if !f.genderSet {
		return ""
	}
	if f.gender != "" {
		return f.gender
	}
	return f.genderLabel
}

var numbers = regexp.MustCompile(`\d+`)

// sizeOf reads "3", "5+", "4 or more", "1 person", "Single-person household".
func sizeOf(label string) (n, more int) {
	t := low(label)
	if m := numbers.FindString(t); m != "" {
		n, _ = strconv.Atoi(m)
		if n < 1 || n > 20 {
			return 0, 0
		}
		if strings.Contains(t, "+") || strings.Contains(t, "more") || strings.Contains(t, "oder mehr") || strings.Contains(t, "et plus") || strings.Contains(t, "ou plus") ||
			strings.Contains(t, "o más") || strings.Contains(t, "o più") || strings.Contains(t, "ou mais") || strings.Contains(t, "of meer") || strings.Contains(t, "więcej") || strings.Contains(t, "eller fler") {
			more = 1
		}
		if all := numbers.FindAllString(t, -1); len(all) > 1 { // "3-4": at least the first
			more = 1
		}
		return n, more
	}
	for i, w := range []string{"one,single,alone,ein-person,einperson,eine person,une personne,seul,una persona,unipersonal,una sola,uma pessoa,eenpersoon,alleen,jednoosob,ensam,en person", "two,couple,zwei,deux,dos personas,due persone,duas pessoas,twee,dwie,dwuosob,två", "three,drei,trois,tres,tre persone,três,drie,trzy,tre personer", "four,vier,quatre,cuatro,quattro,quatro,cztery,fyra", "five,fünf,cinq,cinco,cinque,vijf,pięć,fem"} {
		for _, c := range strings.Split(w, ",") {
			if strings.Contains(t, c) {
				if strings.Contains(t, "more") || strings.Contains(t, "mehr") || strings.Contains(t, "plus") {
					more = 1
				}
				return i + 1, more
			}
		}
	}
	return 0, 0
}

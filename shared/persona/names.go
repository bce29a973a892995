package persona

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed data/names.txt
var nameData string

// written is one name: as people there write it, and in Latin letters when that
// is another script.
type written struct {
	text, latin string
	id          int // of the string: first names count over all lists, surnames within a group
}

// nameList holds the names of one kind; their order is how usual they are, where
// that is known.
type nameList []written

// pool is one set of lists. Cohorts are people born up to 1959, up to 1979, up to
// 1997, and later; index 0 of first is for names of any age.
type pool struct {
	group   *nameGroup
	first   [2][5]nameList // woman, man
	surname [2]nameList
}

// nameGroup holds pools whose surnames may be the same strings. Surnames of
// different groups never are. A group shares out indexes among classes classes of
// surnames, and the rest of them among 1024/classes classes of first names.
type nameGroup struct {
	classes int
	pools   []*pool
}

// spaces is how many indexes have names of their own.
const spaces = 1024

var namePools = sync.OnceValue(func() map[string]*pool {
	pools := map[string]*pool{}
	firsts := map[string]int{}
	var group *nameGroup
	var p *pool
	var surnames map[string]int
	for line := range strings.Lines(nameData) {
		kind, rest, _ := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		switch kind {
		case "group":
			_, size, _ := strings.Cut(rest, " ")
			group = &nameGroup{classes: atoi(size)}
			surnames = map[string]int{}
			continue
		case "pool":
			p = &pool{group: group}
			pools[rest] = p
			group.pools = append(group.pools, p)
			continue
		}
		if rest == "" {
			continue
		}
		ids := firsts
		if kind[0] == 's' {
			ids = surnames
		}
		var list nameList
		for _, n := range strings.Split(rest, ",") {
			text, latin, _ := strings.Cut(n, "=")
			id, ok := ids[text]
			if !ok {
				id = len(ids)
				ids[text] = id
			}
			list = append(list, written{text, latin, id})
		}
		switch kind[0] {
		case 's':
			if kind != "sm" {
				p.surname[0] = list
			}
			if kind != "sf" {
				p.surname[1] = list
			}
		case 'f':
			p.first[0][atoi(kind[1:])] = list
		case 'm':
			p.first[1][atoi(kind[1:])] = list
		}
	}
	return pools
})

func atoi(s string) int {
	n := 0
	for _, c := range s {
		n = n*10 + int(c-'0')
	}
	return n
}

func cohortOf(born int) int {
	switch {
	case born <= 1959:
		return 1
	case born <= 1979:
		return 2
	case born <= 1997:
		return 3
	}
	return 4
}

// name gives the person's name. Uniqueness is by construction, so that nobody
// depends on others: the index, permuted by the cohort's seed, names a class of
// surnames and a class of first names, every string is in one class, and surnames
// of different groups are different strings. So two people with one name have one
// index, as long as there are no more than 1,024.
func (f *facts) name(d drawer) string {
	pools := namePools()
	mix := f.mixture(d)
	weights := make([]int, len(mix))
	for i, m := range mix {
		weights[i] = m.percent
	}
	from := mix[d.weighted("name source", weights)]
	side := 0
	switch {
	case f.gender == man:
		side = 1
	case f.gender != woman:
		side = int(2 * d.at("name form"))
	}
	last := pools[from.last]
	if last.empty(side) {
		last = pools[from.first]
	}
	group := last.group
	class, given := classesOf(d.seed, d.index%spaces, group.classes)
	surname, ok := last.surnameOf(side, class, d.at("surname"))
	if !ok {
		for _, other := range group.pools {
			if surname, ok = other.surnameOf(side, class, d.at("surname")); ok {
				break
			}
		}
	}
	first := firstOf(pools[from.first], side, cohortOf(present-f.age), given, spaces/group.classes, d)
	return compose(f, d, from, first, surname)
}

func (p *pool) empty(side int) bool { return len(p.surname[side]) == 0 }

// classesOf gives an index its class of surnames, of size many, and its class of
// first names: each pair to one index, another for each seed. People in a row have
// surnames of different classes, until all classes are through.
func classesOf(seed string, index, size int) (surname, given int) {
	h := hash(uint64(size), seed, "names")                       //nolint:gosec // not negative
	odd, shift := int(h%uint64(size))|1, int(h>>32%uint64(size)) //nolint:gosec // below size
	surname = (index%size*odd + shift) % size                    // a bijection of a power of two, since odd is odd
	turn := int(hash(uint64(surname), seed, "given") % spaces)   //nolint:gosec // below 1,024
	given = (index/size + turn) % (spaces / size)                // for one surname class, each round another
	return surname, given
}

func (p *pool) surnameOf(side, class int, u float64) (written, bool) {
	return p.surname[side].pick(p.group.classes, class, u)
}

// pick chooses a name of a class, the usual ones more often.
func (l nameList) pick(classes, class int, u float64) (written, bool) {
	total := 0.0
	for rank, n := range l {
		if n.id%classes == class {
			total += usual(rank)
		}
	}
	if total == 0 {
		return written{}, false
	}
	left := u * total
	var last written
	for rank, n := range l {
		if n.id%classes != class {
			continue
		}
		last = n
		if left -= usual(rank); left < 0 {
			break
		}
	}
	return last, true
}

// usual is a weight after Zipf, flattened: lists are short, and their order is
// not always by use.
func usual(rank int) float64 { return 1 / float64(rank+12) }

// firstOf chooses a first name of the class: of the person's birth years, often
// of the years beside them, else any.
func firstOf(p *pool, side, cohort, class, classes int, d drawer) written {
	u := d.at("first name")
	order := []int{cohort, cohort - 1, cohort + 1, 0}
	if d.at("first name years") < .2 { // names stay in use longer than a cohort
		order = []int{cohort - 1, cohort + 1, cohort, 0}
	}
	order = append(order, 1, 2, 3, 4)
	for _, c := range order {
		if c < 0 || c > 4 {
			continue
		}
		if n, ok := p.first[side][c].pick(classes, class, u); ok {
			return n
		}
	}
	for _, other := range p.group.pools {
		for _, c := range order {
			if c < 0 || c > 4 {
				continue
			}
			if n, ok := other.first[side][c].pick(classes, class, u); ok {
				return n
			}
		}
	}
	return written{}
}

// surnameFirst are the lists whose people put the surname first.
var surnameFirst = wordSet("jp cn tw kr vn hu")

// compose puts the parts together as is usual there.
func compose(f *facts, d drawer, from source, first, surname written) string {
	sep := " "
	text, latin := surname.text, surname.latin
	switch from.last {
	case "es", "mx", "co":
		if second := secondSurname(from.last, d); second != surname.text {
			text += " " + second
		}
	case "br", "pt":
		if second := secondSurname(from.last, d); second != surname.text {
			text = second + " " + text // the father's stands last
		}
	}
	initial := ""
	if round := d.index / spaces; round > 0 && first.latin == "" {
		initial = " " + string(rune('A'+(round-1)%26)) + "."
	}
	given, family := first.text+initial, text
	if latin == "" {
		latin = latinOf(surname.text)
	}
	givenLatin := first.latin
	if givenLatin == "" {
		givenLatin = latinOf(first.text)
	}
	switch from.last {
	case "cn", "tw", "kr":
		sep = ""
	}
	full := given + sep + family
	if surnameFirst[from.last] {
		full = family + sep + given
	}
	if latin == "" || givenLatin == "" || f.readsOwnScript() {
		return full
	}
	if surnameFirst[from.last] {
		return full + " (" + latin + " " + givenLatin + ")"
	}
	return full + " (" + givenLatin + " " + latin + ")"
}

func secondSurname(pool string, d drawer) string {
	list := namePools()[pool].surname[0]
	n, _ := list.pick(1, 0, d.at("second surname"))
	return n.text
}

// readsOwnScript reports whether the brief is in a language of the country, so
// that a Latin form helps nobody.
func (f *facts) readsOwnScript() bool {
	l, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(f.s.Locale, "_", "-")), "-")
	for _, r := range strings.Fields(countries[f.home()].reads) {
		if r == l {
			return true
		}
	}
	return false
}

// origins are lists that a representation is often named from. Only part of the
// people have such a name, so that no name gives a representation away, and none
// is needed for one.
var origins = map[string][]cue[[]source]{
	"US": {
		{[]source{{"us", "hisp", 100}}, cues("hispanic,latin,chican")},
		{[]source{{"us", "asia", 100}}, cues("asian,pacific")},
	},
	"CA": {{[]source{{"us", "asia", 100}}, cues("asian,chinese,filipino")}, {[]source{{"in", "in", 50}, {"us", "in", 50}}, cues("south asian,indian")}},
	"AU": {{[]source{{"gb", "asia", 100}}, cues("asian")}},
	"GB": {
		{[]source{{"in", "in", 50}, {"gb", "in", 30}, {"gb", "asia", 20}}, cues("asian,indian,pakistan,bangladesh")},
		{[]source{{"ng", "ng", 30}, {"gb", "ng", 20}, {"gb", "gb", 50}}, cues("black,african,caribbean")},
	},
	"DE": {{[]source{{"tr", "tr", 30}, {"pl", "pl", 20}, {"it", "it", 15}, {"hr", "hr", 15}, {"ro", "ro", 10}, {"de", "de", 10}}, cues("migrationshintergrund,migration background,einwanderung,migrant,immigrant")}},
	"AT": {{[]source{{"tr", "tr", 25}, {"hr", "hr", 40}, {"hu", "hu", 15}, {"ro", "ro", 20}}, cues("migrationshintergrund,migration background,migrant,immigrant")}},
}

// fromOrigin is how many in a hundred people of a representation are named from
// its lists; the others from the country's, as everybody.
const fromOrigin = 60

// mixture is where the person's name comes from, in shares.
func (f *facts) mixture(d drawer) []source {
	home := f.home()
	mix := countries[home].mix
	if home == "CA" {
		mix = canada(low(f.region))
	}
	if f.representation == "" || strings.HasPrefix(low(f.representation), "no ") || strings.HasPrefix(low(f.representation), "without") || strings.HasPrefix(low(f.representation), "ohne") ||
		strings.HasPrefix(low(f.representation), "non") || strings.HasPrefix(low(f.representation), "kein") {
		return mix
	}
	if from, ok := find(origins[home], f.representation); ok && d.at("origin")*100 < fromOrigin {
		return from
	}
	return mix
}

func canada(region string) []source {
	switch {
	case region == "":
		return countries["CA"].mix
	case strings.Contains(region, "qu") && strings.Contains(region, "bec"):
		return []source{{"qc", "qc", 85}, {"us", "gb", 15}}
	}
	return []source{{"us", "gb", 55}, {"us", "us", 40}, {"qc", "qc", 5}}
}

package simulate

import (
	"slices"
	"strings"
)

// irregularLines are English verbs that change their vowel: the base, then the
// past and the participle where they differ. Forms that are more often another
// word ("saw", "found", "bit", "ground", "wound", "bound", "bore", "felt") are left out, as are
// verbs whose forms do not differ.
var irregularLines = strings.Split(strings.TrimSpace(`
arise arose arisen
awake awoke awoken
beat beaten
become became
begin began begun
bend bent
bite bitten
bleed bled
blow blew blown
break broke broken
breed bred
bring brought
build built
burn burnt
buy bought
catch caught
choose chose chosen
cling clung
come came
creep crept
deal dealt
dig dug
draw drew drawn
dream dreamt
drink drank drunk
drive drove driven
dwell dwelt
eat ate eaten
fall fell fallen
feed fed
fight fought
flee fled
fling flung
fly flew flown
forbid forbade forbidden
forecast forecasted
foresee foresaw foreseen
forget forgot forgotten
forgive forgave forgiven
forsake forsook forsaken
freeze froze frozen
get got gotten
give gave given
go went gone
grow grew grown
hang hung
hear heard
hide hid hidden
hold held
keep kept
kneel knelt
know knew known
lay laid
lead led
lean leant
leap leapt
learn learnt
leave left
lend lent
lie lain
light lit
lose lost
make made
mean meant
meet met
mislead misled
mistake mistook mistaken
misunderstand misunderstood
mow mown
outgrow outgrew outgrown
overcome overcame
oversee oversaw overseen
oversleep overslept
overtake overtook overtaken
overthrow overthrew overthrown
pay paid
prove proven
rebuild rebuilt
repay repaid
rethink rethought
rewrite rewrote rewritten
ride rode ridden
ring rang rung
rise rose risen
run ran
say said
see seen
seek sought
sell sold
send sent
sew sewn
shake shook shaken
shave shaven
shear shorn
shine shone
shoot shot
show shown
shrink shrank shrunk
sing sang sung
sink sank sunk
sit sat
sleep slept
slide slid
sling slung
smell smelt
sow sown
speak spoke spoken
speed sped
spell spelt
spend spent
spill spilt
spin spun
spit spat
spoil spoilt
spring sprang sprung
stand stood
steal stole stolen
stick stuck
sting stung
stink stank stunk
strike struck stricken
string strung
strive strove striven
swear swore sworn
sweep swept
swell swollen
swim swam swum
swing swung
take took taken
teach taught
tear tore torn
tell told
think thought
throw threw thrown
undergo underwent undergone
understand understood
undertake undertook undertaken
undo undid undone
uphold upheld
wake woke woken
wear wore worn
weave wove woven
weep wept
win won
wind wound
withdraw withdrew withdrawn
withhold withheld
withstand withstood
wring wrung
write wrote written
`), "\n")

// irregular gives the base of a form, by the form or its stem.
var irregular = func() map[string]string {
	m := map[string]string{}
	for _, line := range irregularLines {
		ws := strings.Fields(line)
		base := ws[0]
		for _, w := range append(ws, strings.TrimSuffix(base, "e")) { // "taking" has the stem "tak"
			if w == "wound" || w == "li" || w == "se" || w == "fle" || w == "com" {
				continue
			}
			m[w] = base
		}
	}
	return m
}()

// irregularForms are the forms of each base, itself included.
var irregularForms = func() map[string][]string {
	m := map[string][]string{}
	for w, base := range irregular {
		m[base] = append(m[base], w)
	}
	for _, ws := range m {
		slices.Sort(ws)
	}
	return m
}()

// baseOf is the class of an irregular verb's base: "lent" is "lend".
func baseOf(w word) (string, bool) {
	base, ok := irregular[w.text]
	if !ok {
		if base, ok = irregular[w.stem]; !ok {
			return "", false
		}
	}
	if c, ok := kin[base]; ok {
		return c, true
	}
	return base, true
}

package answer

import (
	"github.com/mindgate-dev/mindgate/shared/expression"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// judge holds the sentences of one reply against what the prompt gave. It is for
// one reply, not safe for concurrent use.
type judge struct {
	sources *sources
	who     simulate.Respondent
	asked   string
	strict  bool

	grounds map[string]*ground
	persona *ground
	all     *ground // everything that was given
	given   *given
}

func (j *judge) of(mark string) *ground {
	if g, ok := j.grounds[mark]; ok {
		return g
	}
	var g *ground
	switch of := j.sources.by[mark]; {
	case of.passage != nil:
		g = groundOf(of.passage.Text, of.passage.Heading, of.passage.Source, of.passage.Where)
	case of.figure != nil:
		g = groundOf(inWords(of.figure))
	case of.brought != nil:
		g = groundOf(of.brought.text, of.brought.name)
	default:
		g = groundOf(earlierInWords(of.earlier))
	}
	if j.grounds == nil {
		j.grounds = map[string]*ground{}
	}
	j.grounds[mark] = g
	return g
}

func (j *judge) self() *ground {
	if j.persona == nil {
		j.persona = groundOf(j.who.Name, j.who.SystemPrompt, j.who.Profile.Raw)
	}
	return j.persona
}

// sentence tells what a sentence rests on in truth: the marks that hold it; with
// none, or none that does, another source that does; the persona.
func (j *judge) sentence(text string, marks []string, persona bool) judged {
	c := claimOf(text, j.asked)
	marked := len(marks) > 0 || persona
	if !marked && !j.strict {
		return judged{refused: j.unknown(c)}
	}
	if c.empty() {
		return judged{marks: marks}
	}
	// What a picture shows cannot be looked up here. A sentence on it is taken as
	// seen, unless it tells of a life.
	if seen := j.sources.pictures(marks); len(seen) > 0 && !j.strict && !biography.MatchString(text) {
		return judged{marks: seen, persona: persona, foreign: true}
	}
	worst := loose
	if len(marks) > 0 {
		grounds := make([]*ground, 0, len(marks)+1)
		for _, m := range marks {
			grounds = append(grounds, j.of(m))
		}
		if persona {
			grounds = append(grounds, j.self())
		}
		v := c.heldBy(grounds, j.asked, j.who.Name)
		if v == loose && !j.strict && j.sources.tool(marks) && !j.unknown(c) {
			v = foreign // what tools give is data, of which a sentence has the figures and not the words
		}
		if v == foreign && !j.strict {
			return judged{marks: marks, persona: persona, foreign: true}
		}
		if v == held {
			var by []string
			for _, m := range marks {
				if c.contributes(j.of(m)) {
					by = append(by, m)
				}
			}
			if len(by) > 0 {
				return judged{marks: by, persona: persona}
			}
		}
		worst = max(worst, v)
	}
	if len(marks) > 0 || j.strict {
		for _, m := range j.sources.order {
			if j.sources.by[m].figure == nil && c.heldBy([]*ground{j.of(m)}, j.asked, j.who.Name) == held {
				return judged{marks: []string{m}}
			}
		}
	}
	if persona || j.strict {
		if c.heldBy([]*ground{j.self()}, "", j.who.Name) == held {
			return judged{persona: true}
		}
	}
	if persona && !j.strict && worst == loose && taste.MatchString(text) && !biography.MatchString(text) && !j.unknown(c) {
		return judged{persona: true}
	}
	return judged{refused: true, drop: worst == miscounts}
}

// invents tells of the reason of a choice whether it names what nothing given
// holds, or counts or quotes beyond its sources, or tells of a life.
func (j *judge) invents(reason string, marks []string) bool {
	c := claimOf(reason, "")
	if j.unknown(c) || len(marks) == 0 && biography.MatchString(reason) {
		return true
	}
	if len(marks) == 0 {
		return false
	}
	var grounds []*ground
	for _, m := range marks {
		grounds = append(grounds, j.of(m))
	}
	return c.heldBy(grounds, j.asked, j.who.Name) >= misquotes
}

// unknown tells of a sentence whether it holds a name or a figure that nothing of
// the prompt does, where there is something to rest on.
func (j *judge) unknown(c claim) bool {
	if len(j.sources.order) == 0 && len(c.names)+len(c.figures) == 0 {
		return false
	}
	if j.all == nil {
		j.all = groundOf(j.given.texts...)
	}
	for _, n := range c.figures {
		if !anyHolds([]*ground{j.all}, n, c.about) {
			return true
		}
	}
	for _, n := range c.names {
		if !j.all.words[n] {
			return true
		}
	}
	return false
}

// A taste may follow from a persona that does not say it in these words; what
// happened in a life, whom one knows and what one owns may not.
var (
	taste = expression.Of(`(?i)\b(?:like|love|hate|dislike|prefer|enjoy|think|believe|feel|find|would|i['’]d|rather|care|matters?|important|favou?rite|want|wish|hope|worry|trust|mag|liebe|hasse|finde|denke|glaube|würde|lieber|wichtig|aime|adore|préfère|pense|crois|trouve|voudrais|gusta|prefiero|creo|pienso|encanta|quiero)\b`)

	biography = expression.Of(`(?i)\b(?:i|we)\s+(?:once |also |even |then |have |had |just |never |always )*(?:was|were|had|\w+ed|went|grew|met|built|bought|sold|made|ran|began|got|came|left|took|won|wrote|own|run|have|live|work|study|used to)\b|\bi['’]ve\b|\b(?:i am|i['’]m) (?:a|an|the|from|born|married|\w+ years)\b|\bmy (?:\w+ )?(?:uncle|aunt|wife|husband|partner|father|mother|dad|mum|mom|parents|brother|sister|son|daughter|children|kids|cousin|grand\w+|boss|company|business|job|career|childhood)\b|\bich (?:habe|hatte|war|bin|wurde|arbeite|wohne)\b|\bmein\w* (?:onkel|tante|frau|mann|vater|mutter|bruder|schwester|sohn|tochter|firma)\b|\bj['’]ai\b|\bje suis\b|\bmon (?:oncle|mari|père|frère|fils)\b|\bma (?:tante|femme|mère|sœur|fille)\b|\bmi (?:tío|tía|esposa|marido|padre|madre|hermano|hermana|hijo|hija)\b`)
)

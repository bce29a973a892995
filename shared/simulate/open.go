package simulate

import (
	"math"
	"sort"
	"strings"
)

// noView are the plain words for "nothing recorded", by register. They hold no
// topic word, so they can make no theme.
var noView = map[string][]string{
	"plain":  {"I have no view recorded on this.", "Nothing in my record speaks to this.", "My record holds no view on this."},
	"formal": {"No view on this matter is on record.", "My record contains nothing on this matter."},
}

func noViewWords(r Respondent, key seed) string {
	list := noView[r.Register]
	if len(list) == 0 {
		list = noView["plain"]
	}
	return list[seedOf("frame", r.ID, key.hex()).at(0, 0)%uint64(len(list))]
}

// open answers in words: the sentences of the Mind's own knowledge that are
// nearest the question, verbatim, or plainly nothing. It invents nothing.
func (p *prepared) open(r Respondent) Answer {
	most := 2
	switch p.pol.ResponseForm {
	case "concise":
		most = 1
	case "expanded":
		most = 3
	}
	own, ok := recall(p.topic, p.q.Text, r, most)
	if !ok {
		if p.pol.Strict {
			return Answer{Status: CannotAnswer, Reason: ReasonNoEvidence, Message: "Nothing in this Mind's record speaks to this question."}
		}
		t := noViewWords(r, p.key)
		return Answer{Status: Answered, State: Unsupported, Text: t, Message: t}
	}
	a := Answer{Status: Answered, State: Stated, Text: own.text, SourceIDs: own.ids, Citations: own.citations}
	a.Message = "From this Mind's own record: " + quote(a.Text)
	if own.profile {
		a.Message = "From this Mind's own profile: " + a.Text
	}
	return a
}

// record is what a Mind has on record on a topic, in words.
type record struct {
	text      string
	profile   bool // profile fields, no passages
	ids       []string
	citations []Citation
}

// recall finds what a Mind's own record says on a topic: the profile fields that
// it names, else the nearest sentences. Studies and conversations read the
// record by it alike.
func recall(topic bag, asked string, r Respondent, most int) (record, bool) {
	if fields := fromFields(r, topic, asked); len(fields) > 0 {
		return record{text: strings.Join(fields, "; ") + ".", profile: true}, true
	}
	var out record
	var texts []string
	for _, f := range retrieve(topic, r.Passages, most) {
		texts = append(texts, f.text)
		out.ids = appendNew(out.ids, f.id)
		out.citations = append(out.citations, Citation{SourceID: f.id, Quote: f.text, Origin: OriginMind})
	}
	out.text = strings.Join(texts, " ")
	return out, len(texts) > 0
}

// extract is one sentence of a Mind's knowledge.
type extract struct {
	id, text string
	at       int // place among all sentences
	score    float64
}

// Relevance gates: the share of the question's content that a sentence must
// hold, and how far a further sentence may fall behind the best.
const (
	coverOpen = .4
	keepWith  = .6
)

// BM25 (Robertson and Zaragoza 2009) over the Mind's own sentences.
const (
	bmK1 = 1.2
	bmB  = .75
)

// retrieve gives the sentences nearest the topic, in the order in which they
// stand in the Mind's knowledge.
func retrieve(topic bag, passages []Passage, most int) []extract {
	if len(topic.stems) == 0 || most < 1 {
		return nil
	}
	type sent struct {
		extract
		tf  map[string]int
		len int
	}
	var all []sent
	df := map[string]int{}
	total := 0
	for _, ps := range passages {
		for _, t := range statements(ps.Text) {
			s := sent{extract: extract{id: ps.ID, text: t, at: len(all)}, tf: map[string]int{}}
			for _, w := range words(t) {
				s.len++
				k := w.stem
				if h, ok := poleIndex[w.text]; ok {
					k = h.base
				}
				if _, ok := topic.weight[k]; ok && (!w.stop || w.proper) {
					if s.tf[k] == 0 {
						df[k]++
					}
					s.tf[k]++
				}
			}
			total += s.len
			all = append(all, s)
		}
	}
	if len(all) == 0 || total == 0 {
		return nil
	}
	avg := float64(total) / float64(len(all))
	weight := 0.0
	for _, st := range topic.stems {
		weight += min(topic.weight[st], weightName)
	}
	var hits []extract
	for _, s := range all {
		if len(s.tf) == 0 {
			continue
		}
		cover := 0.0
		for _, st := range topic.stems {
			if s.tf[st] == 0 {
				continue
			}
			cover += topic.weight[st]
			idf := math.Log(1 + (float64(len(all)-df[st])+.5)/(float64(df[st])+.5))
			tf := float64(s.tf[st])
			s.score += float64(topic.weight[st] * idf * (tf * (bmK1 + 1)) / (tf + float64(bmK1*(1-bmB+float64(bmB*float64(s.len)/avg)))))
		}
		if cover/weight >= coverOpen {
			hits = append(hits, s.extract)
		}
	}
	// A score is rounded before it decides, so that the last bit of a logarithm
	// never does.
	for i := range hits {
		hits[i].score = math.Round(hits[i].score*1e6) / 1e6
	}
	sort.SliceStable(hits, func(i, j int) bool { return hits[i].score > hits[j].score })
	n := 0
	seen := map[string]bool{}
	for _, h := range hits {
		if n == most || (n > 0 && h.score < keepWith*hits[0].score) {
			break
		}
		if seen[fold(h.text)] {
			continue
		}
		seen[fold(h.text)] = true
		hits[n] = h
		n++
	}
	hits = hits[:n]
	sort.SliceStable(hits, func(i, j int) bool { return hits[i].at < hits[j].at })
	return hits
}

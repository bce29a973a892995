package simulate

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/embed"
	"github.com/mindgate-dev/mindgate/shared/embed/hashed"
)

// library5000 are n passages of five sentences from the vocabulary of the report
// and many other words, with the frequencies of a language (Zipf).
func manyPassages(t testing.TB, n int) []Passage {
	c := readReport(t)
	var vocabulary []string
	for _, p := range c.Passages {
		vocabulary = append(vocabulary, strings.Fields(strings.ToLower(p.Text))...)
	}
	random := rand.New(rand.NewPCG(7, 11))
	zipf := rand.NewZipf(random, 1.1, 4, 20000)
	out := append([]Passage(nil), c.Passages...)
	for len(out) < n {
		var b strings.Builder
		for range 5 {
			b.WriteString("The ")
			for range 20 {
				if i := zipf.Uint64(); int(i) < len(vocabulary) {
					b.WriteString(strings.Trim(vocabulary[i], ".,;:") + " ")
				} else {
					fmt.Fprintf(&b, "w%x ", i*2654435761%0xfffff)
				}
			}
			b.WriteString("end. ")
		}
		out = append(out, Passage{ID: fmt.Sprint("k", len(out)/100), Text: b.String(), Where: fmt.Sprint("page ", len(out)), Source: "Long report"})
	}
	return out
}

// A chat turn over thousands of passages; 20 ms at the median is the bound.
func BenchmarkReply(b *testing.B) {
	for _, n := range []int{1000, 5000} {
		ps := manyPassages(b, n)
		e := embed.Cached(hashed.New(), 512)
		x := newIndex(b, e, ps)
		o := NewOffline(WithEmbedder(e))
		c := readReport(b)
		r := Respondent{ID: "m", Name: "Ada", Profile: ParseProfile("Age: 34\nCity: Leeds"), Passages: ps, Recall: x}
		for i, s := range library(b) {
			for _, q := range s.Questions {
				r.Evidence = append(r.Evidence, q.evidence(b, s))
			}
			_ = i
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			i := 0
			for b.Loop() {
				list := c.Answerable
				if i%2 == 1 {
					list = c.Unknown
				}
				if _, err := o.Reply(b.Context(), r, list[i/2%len(list)].Ask, Policy{}); err != nil {
					b.Fatal(err)
				}
				i++
			}
		})
	}
}

// A closed question to many Minds that share an index.
func BenchmarkAnswerSharedKnowledge(b *testing.B) {
	ps := manyPassages(b, 5000)
	e := hashed.New()
	x := newIndex(b, e, ps)
	o := NewOffline(WithEmbedder(e))
	asked, err := o.Ask(b.Context(), cat("Do you get seasick in winter?", yesNo...), Policy{})
	if err != nil {
		b.Fatal(err)
	}
	r := Respondent{ID: "m", Passages: ps, Recall: x}
	for b.Loop() {
		if _, err := asked.Answer(b.Context(), r); err != nil {
			b.Fatal(err)
		}
	}
}

// The worst that may come: a message at its limit, passages without an end.
func BenchmarkReplyToADocument(b *testing.B) {
	var words strings.Builder
	for i := 0; words.Len() < 32000; i++ {
		fmt.Fprintf(&words, "w%xord ", i*2654435761%0xfffff)
	}
	ps := manyPassages(b, 1000)
	x := newIndex(b, nil, ps)
	r := Respondent{ID: "m", Passages: append([]Passage{{ID: PersonaID, Text: strings.Repeat(words.String(), 4)}}, ps...), Recall: x}
	var history []Earlier
	for range 40 {
		history = append(history, Earlier{Question: words.String(), Text: words.String()})
	}
	for b.Loop() {
		if _, err := NewOffline().Reply(b.Context(), r, words.String(), Policy{History: history}); err != nil {
			b.Fatal(err)
		}
	}
}

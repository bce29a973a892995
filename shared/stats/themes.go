package stats

import (
	"math"
	"math/rand/v2"
	"sort"
	"strings"
	"unicode"
)

// OpenAnswer is one answer in words.
type OpenAnswer struct {
	ID          string // of the Mind
	Group       string // Audience; may be empty
	Text        string
	Unsupported bool // a frame without content ("no view recorded"): never part of a theme
}

// Theme is a group of answers that speak of the same.
type Theme struct {
	Label  string // its most telling words
	Count  int
	Share  float64  // of the base, 0..1
	IDs    []string // in the order of the answers
	Quotes []string // 1 to 3, nearest the middle first, verbatim
	Groups []ThemeGroup
	Shared bool // in two or more groups with at least a tenth of each
}

// ThemeGroup is a theme's share in one Audience.
type ThemeGroup struct {
	Group string
	Count int
	Share float64
}

// Themes is what open answers speak of. The base is the answers with content;
// NoView counts the others.
type Themes struct {
	Base         int
	NoView       int
	Themes       []Theme
	Unthemed     int      // answers that share a theme with no other
	Diversity    *float64 // exp(Shannon) over the number of themes; nil without themes
	MeanDistance *float64 // mean pairwise cosine distance; nil below two answers
}

// Bounds: clustering is quadratic, so only so many answers, drawn by the seed,
// make the themes; the others join the nearest one.
const (
	leastAnswers   = 5
	clusterAtMost  = 400
	themesAtMost   = 12
	leastInTheme   = 2
	quotesAtMost   = 3
	sharedLeast    = .1
	joinSimilarity = .08
	labelWords     = 3
)

// FindThemes groups answers by their words: TF-IDF, agglomerative clustering with
// average linkage on the cosine distance, cut where the mean silhouette is
// highest (Rousseeuw 1987), labels by class-wise TF-IDF. Below five answers with
// content there are no themes. Equal input and seed give equal themes.
func FindThemes(answers []OpenAnswer, seed uint64) Themes {
	var out Themes
	var kept []int
	for i, a := range answers {
		if a.Unsupported || strings.TrimSpace(a.Text) == "" {
			out.NoView++
			continue
		}
		kept = append(kept, i)
	}
	out.Base = len(kept)
	if len(kept) < 2 {
		return out
	}
	texts := make([]string, len(kept))
	for j, i := range kept {
		texts[j] = answers[i].Text
	}
	c := newCorpus(texts)
	d := c.meanDistance()
	if allEqual(texts) {
		d = 0 // also where the one text has no content word
	}
	out.MeanDistance = &d
	if len(kept) < leastAnswers {
		return out
	}
	assigned := alike(texts, c, c.cluster(seed))
	out.build(answers, kept, c, assigned)
	return out
}

// alike puts answers that hold no word of content and are the same into one
// cluster: "I like it very much", said by many, is something that they say.
func alike(texts []string, c *corpus, assigned []int) []int {
	next := 0
	for _, l := range assigned {
		next = max(next, l+1)
	}
	cluster := map[string]int{}
	for j, text := range texts {
		if assigned[j] >= 0 || len(c.vec[j]) > 0 || !strings.ContainsFunc(text, unicode.IsLetter) {
			continue
		}
		key := strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }), " ")
		l, ok := cluster[key]
		if !ok {
			l = next
			cluster[key], next = l, next+1
		}
		assigned[j] = l
	}
	return assigned
}

// cluster gives each text a cluster number or -1. Answers of equal content are
// one point with a weight: they can never part, and cost nothing twice.
func (c *corpus) cluster(seed uint64) []int {
	point, of := c.points()
	sample := make([]int, len(point))
	for i := range sample {
		sample[i] = i
	}
	if len(sample) > clusterAtMost {
		rng := rand.New(rand.NewPCG(seed, 0x7468656d6573))
		rng.Shuffle(len(sample), func(i, j int) { sample[i], sample[j] = sample[j], sample[i] })
		sort.SliceStable(sample, func(a, b int) bool { return point[sample[a]].weight > point[sample[b]].weight })
		sample = sample[:clusterAtMost]
		sort.Ints(sample)
	}
	vecs, weight := make([]sparse, len(sample)), make([]float64, len(sample))
	for i, s := range sample {
		vecs[i], weight[i] = point[s].vec, point[s].weight
	}
	labels := agglomerate(vecs, weight)
	k := 0
	for _, l := range labels {
		k = max(k, l+1)
	}
	centroid := make([][]float64, k)
	for i := range centroid {
		centroid[i] = make([]float64, len(c.terms))
	}
	for i, l := range labels {
		if l >= 0 {
			for _, e := range vecs[i] {
				centroid[l][e.term] += weight[i] * e.w
			}
		}
	}
	for _, m := range centroid {
		unitLength(m)
	}
	at := make([]int, len(point))
	in := make([]bool, len(point))
	for i, s := range sample {
		at[s], in[s] = labels[i], true
	}
	for i := range at {
		if in[i] {
			continue
		}
		at[i] = -1
		best := joinSimilarity
		for l, m := range centroid {
			if s := point[i].vec.dot(m); s > best {
				best, at[i] = s, l
			}
		}
	}
	out := make([]int, len(of))
	for j, i := range of {
		out[j] = at[i]
	}
	return out
}

func (t *Themes) build(answers []OpenAnswer, kept []int, c *corpus, assigned []int) {
	k := 0
	for _, l := range assigned {
		k = max(k, l+1)
	}
	members := make([][]int, k)
	for j, l := range assigned {
		if l >= 0 {
			members[l] = append(members[l], j)
		}
	}
	var order []int
	for l, m := range members {
		if len(m) >= leastInTheme {
			order = append(order, l)
		}
	}
	sort.SliceStable(order, func(a, b int) bool { return len(members[order[a]]) > len(members[order[b]]) })
	if len(order) > themesAtMost {
		order = order[:themesAtMost]
	}
	groupBase := map[string]int{}
	var groups []string
	for _, i := range kept {
		g := answers[i].Group
		if groupBase[g] == 0 {
			groups = append(groups, g)
		}
		groupBase[g]++
	}
	labels := c.labels(members, order)
	themed, entropy := 0, 0.0
	for n, l := range order {
		m := members[l]
		if labels[n] == "" { // no word of content: what they say is all there is to call it
			labels[n] = strings.Trim(strings.TrimSpace(answers[kept[m[0]]].Text), ".!")
		}
		th := Theme{Label: labels[n], Count: len(m), Share: float64(len(m)) / float64(t.Base)}
		inGroup := map[string]int{}
		for _, j := range m {
			th.IDs = append(th.IDs, answers[kept[j]].ID)
			inGroup[answers[kept[j]].Group]++
		}
		in := 0
		for _, g := range groups {
			if inGroup[g] == 0 {
				continue
			}
			s := float64(inGroup[g]) / float64(groupBase[g])
			th.Groups = append(th.Groups, ThemeGroup{g, inGroup[g], s})
			if s >= sharedLeast {
				in++
			}
		}
		th.Shared = in >= 2
		for _, j := range c.nearest(m) {
			q := strings.TrimSpace(answers[kept[j]].Text)
			if len(th.Quotes) < quotesAtMost && !contains(th.Quotes, q) {
				th.Quotes = append(th.Quotes, q)
			}
		}
		t.Themes = append(t.Themes, th)
		themed += len(m)
	}
	t.Unthemed = t.Base - themed
	if themed == 0 {
		return
	}
	for _, th := range t.Themes {
		p := float64(th.Count) / float64(themed)
		entropy -= p * math.Log(p)
	}
	d := math.Exp(entropy) / float64(len(t.Themes))
	t.Diversity = &d
}

func allEqual(list []string) bool {
	for _, x := range list {
		if strings.TrimSpace(x) != strings.TrimSpace(list[0]) {
			return false
		}
	}
	return true
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

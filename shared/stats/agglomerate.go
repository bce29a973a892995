package stats

import (
	"math"
	"sort"
)

// merge joins two clusters of a dendrogram at a height (cosine distance).
type merge struct {
	a, b   int
	height float64
}

// agglomerate clusters unit vectors by average linkage (UPGMA) with the
// nearest-neighbour chain (Murtagh 1983): quadratic in time and memory, so the
// caller bounds the number. weight says how many answers each vector stands for;
// the result is that of as many copies. It gives each vector a cluster number
// from 0, or -1 for an empty vector.
func agglomerate(vecs []sparse, weight []float64) []int {
	n := len(vecs)
	labels := make([]int, n)
	var at []int // non-empty vectors
	for i, v := range vecs {
		labels[i] = -1
		if len(v) > 0 {
			at = append(at, i)
		}
	}
	m := len(at)
	if m == 0 {
		return labels
	}
	sub, w := make([]sparse, m), make([]float64, m)
	for i, x := range at {
		sub[i], w[i] = vecs[x], weight[x]
	}
	dist := distances(sub, w)
	best := cut(chain(dist, w), dist, w)
	for i, l := range best {
		labels[at[i]] = l
	}
	return labels
}

// distances are cosine distances, half of them of second order: two short
// answers that share no word are still near when they are near the same others.
func distances(vecs []sparse, weight []float64) [][]float64 {
	m := len(vecs)
	sim := make([][]float64, m)
	dist := make([][]float64, m)
	length := make([]float64, m)
	for i := range sim {
		sim[i], dist[i] = make([]float64, m), make([]float64, m)
	}
	for i := range sim {
		sim[i][i] = 1
		for j := i + 1; j < m; j++ {
			sim[i][j] = vecs[i].cos(vecs[j])
			sim[j][i] = sim[i][j]
		}
		for x, v := range sim[i] {
			length[i] += weight[x] * v * v
		}
		length[i] = math.Sqrt(length[i])
	}
	for i := range sim {
		for j := i + 1; j < m; j++ {
			s := 0.0
			for x, v := range sim[i] {
				s += weight[x] * v * sim[j][x]
			}
			d := 1 - (sim[i][j]+s/(length[i]*length[j]))/2
			if d < rounding {
				d = 0
			}
			dist[i][j], dist[j][i] = d, d
		}
	}
	return dist
}

// chain builds the dendrogram. It works on a copy of dist.
func chain(dist [][]float64, weight []float64) []merge {
	m := len(dist)
	d := make([][]float64, m)
	for i := range d {
		d[i] = append([]float64(nil), dist[i]...)
	}
	size := make([]float64, m)
	alive := make([]bool, m)
	for i := range size {
		size[i], alive[i] = weight[i], true
	}
	var out []merge
	var stack []int
	for len(out) < m-1 {
		if len(stack) == 0 {
			for i := range alive {
				if alive[i] {
					stack = append(stack, i)
					break
				}
			}
		}
		top := stack[len(stack)-1]
		prev := -1
		if len(stack) > 1 {
			prev = stack[len(stack)-2]
		}
		near := prev // ties go to the one that we came from, so that the chain ends
		for j := range alive {
			if alive[j] && j != top && (near < 0 || d[top][j] < d[top][near]) {
				near = j
			}
		}
		if near != prev || prev < 0 {
			stack = append(stack, near)
			continue
		}
		stack = stack[:len(stack)-2]
		a, b := min(top, prev), max(top, prev)
		out = append(out, merge{a, b, d[a][b]})
		for j := range alive { // average linkage (Lance-Williams)
			if alive[j] && j != a && j != b {
				v := (size[a]*d[a][j] + size[b]*d[b][j]) / (size[a] + size[b])
				d[a][j], d[j][a] = v, v
			}
		}
		size[a] += size[b]
		alive[b] = false
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].height < out[j].height })
	return out
}

// cut chooses the number of clusters by the mean silhouette; with no structure
// at all everything is one cluster.
func cut(merges []merge, dist [][]float64, weight []float64) []int {
	m := len(dist)
	parent := make([]int, m)
	for i := range parent {
		parent[i] = i
	}
	find := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	number := func() ([]int, int) {
		out := make([]int, m)
		ids := map[int]int{}
		for i := range out {
			r := find(i)
			id, ok := ids[r]
			if !ok {
				id = len(ids)
				ids[r] = id
			}
			out[i] = id
		}
		return out, len(ids)
	}
	// Below least there is no structure; of cuts nearly as good as the best the
	// one with the fewest clusters is taken: few themes are read, many are not.
	const least, enough = .02, .9
	type candidate struct {
		labels []int
		width  float64
	}
	var cuts []candidate
	best := 0.0
	// Many cuts have the same shape; look at a bounded number of them.
	const most = 3 * themesAtMost
	try := func() {
		l, k := number()
		w := silhouette(l, k, dist, weight)
		cuts = append(cuts, candidate{l, w})
		best = max(best, w)
	}
	if m >= 2 && m <= most {
		try() // each content a cluster of its own
	}
	for i, mg := range merges {
		parent[find(mg.b)] = find(mg.a)
		left := m - 1 - i
		if left > most || left < 2 {
			continue
		}
		try()
	}
	if best >= least {
		for i := len(cuts) - 1; i >= 0; i-- { // from few clusters to many
			if cuts[i].width >= enough*best {
				return cuts[i].labels
			}
		}
	}
	return make([]int, m) // all zero: one cluster
}

// silhouette is the mean silhouette width over answers; members of clusters of
// one answer count 0.
func silhouette(labels []int, k int, dist [][]float64, weight []float64) float64 {
	size := make([]float64, k)
	answers := 0.0
	for i, l := range labels {
		size[l] += weight[i]
		answers += weight[i]
	}
	total := 0.0
	sum := make([]float64, k)
	for i, l := range labels {
		if size[l] < 2 {
			continue
		}
		for j := range sum {
			sum[j] = 0
		}
		for j, lj := range labels {
			sum[lj] += weight[j] * dist[i][j]
		}
		a := sum[l] / (size[l] - 1)
		b := -1.0
		for c := range sum {
			if c != l {
				if v := sum[c] / size[c]; b < 0 || v < b {
					b = v
				}
			}
		}
		if w := max(a, b); w > 0 {
			total += weight[i] * (b - a) / w
		}
	}
	return total / answers
}

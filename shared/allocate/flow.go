package allocate

// A flow is a directed graph with capacities and costs, solved by successive
// shortest paths with potentials (Edmonds and Karp 1972; Tomizawa 1971). Costs
// are whole numbers, so the answer is exact and the same everywhere.
type flow struct {
	first []int32 // per node, head of its arc list; -1 ends it
	arcs  []arc   // arc 2k and its reverse 2k+1

	dist, potential []int64
	via             []int32 // arc that reached the node
	heap            []item
}

type arc struct {
	to, next int32
	room     int32
	cost     int64
}

type item struct {
	dist int64
	node int32
}

const unreached = int64(1) << 62

func newFlow(nodes, arcs int) *flow {
	f := &flow{first: make([]int32, nodes), arcs: make([]arc, 0, 2*arcs),
		dist: make([]int64, nodes), potential: make([]int64, nodes), via: make([]int32, nodes)}
	for i := range f.first {
		f.first[i] = -1
	}
	return f
}

// add puts in an arc and gives its number.
func (f *flow) add(from, to, room int, cost int64) int {
	n := len(f.arcs)
	f.arcs = append(f.arcs,
		arc{int32(to), f.first[from], int32(room), cost},
		arc{int32(from), f.first[to], 0, -cost})
	f.first[from], f.first[to] = int32(n), int32(n+1)
	return n
}

// used is how much runs through an arc.
func (f *flow) used(n int) int { return int(f.arcs[n+1].room) }

// run sends as much as the graph takes, at the least cost, and says how much.
// All costs must be 0 or more.
func (f *flow) run(from, to int) int {
	sent := 0
	for f.shortest(from, to) {
		for i := range f.potential {
			if f.dist[i] < unreached {
				f.potential[i] += f.dist[i]
			}
		}
		room := int32(1<<31 - 1)
		for n := int32(to); n != int32(from); n = f.arcs[f.via[n]^1].to {
			room = min(room, f.arcs[f.via[n]].room)
		}
		for n := int32(to); n != int32(from); n = f.arcs[f.via[n]^1].to {
			f.arcs[f.via[n]].room -= room
			f.arcs[f.via[n]^1].room += room
		}
		sent += int(room)
	}
	return sent
}

// shortest is Dijkstra over reduced costs; ties go to the arc put in later, as
// lists are read from their newest end, which is the same in every run.
func (f *flow) shortest(from, to int) bool {
	for i := range f.dist {
		f.dist[i] = unreached
	}
	f.dist[from] = 0
	f.heap = append(f.heap[:0], item{0, int32(from)})
	for len(f.heap) > 0 {
		at := f.pop()
		if at.dist > f.dist[at.node] {
			continue
		}
		for n := f.first[at.node]; n >= 0; n = f.arcs[n].next {
			a := &f.arcs[n]
			if a.room == 0 {
				continue
			}
			d := at.dist + a.cost + f.potential[at.node] - f.potential[a.to]
			if d < f.dist[a.to] {
				f.dist[a.to], f.via[a.to] = d, n
				f.push(item{d, a.to})
			}
		}
	}
	return f.dist[to] < unreached
}

func (i item) before(o item) bool {
	return i.dist < o.dist || i.dist == o.dist && i.node < o.node
}

func (f *flow) push(x item) {
	h := append(f.heap, x)
	for c := len(h) - 1; c > 0; {
		p := (c - 1) / 2
		if !h[c].before(h[p]) {
			break
		}
		h[c], h[p] = h[p], h[c]
		c = p
	}
	f.heap = h
}

func (f *flow) pop() item {
	h := f.heap
	top, last := h[0], len(h)-1
	h[0] = h[last]
	h = h[:last]
	for p := 0; ; {
		c := 2*p + 1
		if c >= last {
			break
		}
		if c+1 < last && h[c+1].before(h[c]) {
			c++
		}
		if !h[c].before(h[p]) {
			break
		}
		h[p], h[c] = h[c], h[p]
		p = c
	}
	f.heap = h
	return top
}

package minilm

import (
	"math"
	"sync"
)

// model is the weights. It is not written to after loading.
type model struct {
	vocabulary vocabulary
	words      quantised // one row a piece; packed, for only some rows are read
	positions  []float32 // maxTokens×hidden, with the token type added
	norm       layerNorm
	layers     [layers]layer
}

// quantised is a matrix in its packed form.
type quantised struct {
	cols   int
	scales []float32
	values []int8
}

// linear is y = xWᵀ + b, with a row of weights for each number of y.
type linear struct{ weight, bias []float32 }

type layerNorm struct{ weight, bias []float32 }

// layer is one encoder layer of BERT (Devlin et al. 2019; post-norm, as in
// Vaswani et al. 2017).
type layer struct {
	qkv, out linear
	attended layerNorm
	up, down linear
	done     layerNorm
}

// kernel is the inner product of two rows of one length.
type kernel func(a, b []float32) float32

// scratch is what one forward pass works in.
type scratch struct {
	x, y, qkv, context, wide []float32
	values                   []float32 // of one head, turned: headSize×n
	weights                  []float32 // of one row of attention
}

func newScratch() *scratch {
	return &scratch{
		x: make([]float32, maxTokens*hidden), y: make([]float32, maxTokens*hidden), qkv: make([]float32, maxTokens*3*hidden),
		context: make([]float32, maxTokens*hidden), wide: make([]float32, maxTokens*inner),
		values: make([]float32, headSize*maxTokens), weights: make([]float32, maxTokens),
	}
}

// embed gives the mean of the last layer over all tokens, scaled to length 1.
func (m *model) embed(ids []int32, s *scratch, dot kernel) []float32 {
	n := len(ids)
	x, y := s.x[:n*hidden], s.y[:n*hidden]
	m.look(ids, x)
	m.norm.apply(x)
	for i := range m.layers {
		l := &m.layers[i]
		l.qkv.apply(s.qkv[:n*3*hidden], x, n, dot)
		attend(s, n, dot)
		l.out.apply(y, s.context[:n*hidden], n, dot)
		add(x, y)
		l.attended.apply(x)
		wide := s.wide[:n*inner]
		l.up.apply(wide, x, n, dot)
		gelu(wide)
		l.down.apply(y, wide, n, dot)
		add(x, y)
		l.done.apply(x)
	}
	return mean(x, n)
}

func (m *model) look(ids []int32, x []float32) {
	for t, id := range ids {
		scale := m.words.scales[id]
		row := m.words.values[int(id)*hidden : (int(id)+1)*hidden]
		position := m.positions[t*hidden : (t+1)*hidden]
		for j, v := range row {
			x[t*hidden+j] = scale*float32(v) + position[j]
		}
	}
}

// block is how many rows of weights are used for all tokens before the next:
// they stay in the first-level cache meanwhile.
const block = 16

// apply writes n rows of y; x has n rows of len(weight)/len(bias) numbers.
func (l linear) apply(y, x []float32, n int, dot kernel) {
	out := len(l.bias)
	in := len(l.weight) / out
	for from := 0; from < out; from += block {
		to := min(from+block, out)
		for t := range n {
			row := x[t*in : (t+1)*in]
			for j := from; j < to; j++ {
				y[t*out+j] = l.bias[j] + dot(row, l.weight[j*in:(j+1)*in])
			}
		}
	}
}

// epsilon of the model's layer normalisation.
const epsilon = 1e-12

func (l layerNorm) apply(x []float32) {
	for len(x) > 0 {
		row := x[:hidden]
		var sum, squares float64
		for _, v := range row {
			sum += float64(v)
		}
		mean := sum / hidden
		for _, v := range row {
			d := float64(v) - mean
			squares += d * d
		}
		scale := 1 / math.Sqrt(squares/hidden+epsilon)
		for j, v := range row {
			row[j] = float32((float64(v)-mean)*scale)*l.weight[j] + l.bias[j]
		}
		x = x[hidden:]
	}
}

// attend writes softmax(QKᵀ/√headSize)·V of every head into s.context. There is
// no mask: every text goes through alone, without padding.
func attend(s *scratch, n int, dot kernel) {
	scale := float32(1 / math.Sqrt(headSize))
	weights := s.weights[:n]
	for h := range heads {
		for t := range n {
			value := s.qkv[t*3*hidden+2*hidden+h*headSize:][:headSize]
			for d, v := range value {
				s.values[d*n+t] = v
			}
		}
		for t := range n {
			query := s.qkv[t*3*hidden+h*headSize:][:headSize]
			for u := range n {
				weights[u] = scale * dot(query, s.qkv[u*3*hidden+hidden+h*headSize:][:headSize])
			}
			softmax(weights)
			for d := range headSize {
				s.context[t*hidden+h*headSize+d] = dot(weights, s.values[d*n:(d+1)*n])
			}
		}
	}
}

func softmax(x []float32) {
	top := x[0]
	for _, v := range x {
		top = max(top, v)
	}
	var sum float64
	for i, v := range x {
		e := math.Exp(float64(v - top))
		x[i] = float32(e)
		sum += e
	}
	scale := float32(1 / sum)
	for i := range x {
		x[i] *= scale
	}
}

func add(x, y []float32) {
	for i, v := range y {
		x[i] += v
	}
}

func mean(x []float32, n int) []float32 {
	out := make([]float32, hidden)
	for t := range n {
		add(out, x[t*hidden:(t+1)*hidden])
	}
	return out
}

// The table of gelu: x·Φ(x) (Hendrycks & Gimpel 2016) from -geluReach to
// geluReach. Between its steps a line is off by less than 1e-6; outside, the
// function is 0 or x.
const (
	geluReach = 8
	geluSteps = 512 // for each 1
)

var geluTable = sync.OnceValue(func() []float32 {
	out := make([]float32, 2*geluReach*geluSteps+2)
	for i := range out {
		x := float64(i)/geluSteps - geluReach
		out[i] = float32(x * 0.5 * (1 + math.Erf(x/math.Sqrt2)))
	}
	return out
})

func gelu(x []float32) {
	table := geluTable()
	for i, v := range x {
		switch {
		case v <= -geluReach:
			x[i] = 0
		case v < geluReach:
			at := (v + geluReach) * geluSteps
			k := int(at)
			x[i] = table[k] + (at-float32(k))*(table[k+1]-table[k])
		}
	}
}

package segment

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"testing"
)

// stream makes rows as it goes, so that what is measured is the review's own
// memory.
type stream200 struct {
	width, rows, at int
	cells           []string
	answers         [][]string
}

func newStream(width, rows int) *stream200 {
	s := &stream200{width: width, rows: rows, cells: make([]string, width)}
	for k := range 7 {
		var a []string
		for j := range 3 + k {
			a = append(a, fmt.Sprintf("answer %d of %d", j, k))
		}
		s.answers = append(s.answers, a)
	}
	return s
}

func (s *stream200) Header() [][]string {
	h := []string{"RespondentID", "Gender", "Age", "Region", "Income", "weight", "Comment"}
	for i := len(h); i < s.width; i++ {
		h = append(h, "Question number "+strconv.Itoa(i)+" of this survey?")
	}
	return [][]string{h}
}

func (s *stream200) Rewind() error { s.at = 0; return nil }

func (s *stream200) Next() ([]string, error) {
	if s.at >= s.rows {
		return nil, io.EOF
	}
	i := s.at
	s.at++
	c := s.cells
	c[0] = strconv.Itoa(100000 + i)
	c[1] = []string{"Male", "Female"}[i%2]
	c[2] = strconv.Itoa(18 + i*7%60)
	c[3] = []string{"North", "South", "East", "West"}[i/3%4]
	c[4] = []string{"$0 - $24,999", "$25,000 - $49,999", "$50,000+"}[i/5%3]
	c[5] = strconv.FormatFloat(.5+float64(i%100)/100, 'f', 2, 64)
	c[6] = "I said in row " + strconv.Itoa(i) + " what nobody else has said before"
	for j := 7; j < s.width; j++ {
		a := s.answers[j%7]
		c[j] = a[(i*31+j*17+i/7)%len(a)]
	}
	return c, nil
}

// A sheet of 200 columns and about 50 MiB has some 16,000 rows; cost is to grow
// with the rows, memory is not.
func BenchmarkAnalyze(b *testing.B) {
	for _, rows := range []int{16_000, 32_000, 64_000} {
		b.Run(strconv.Itoa(rows), func(b *testing.B) {
			for b.Loop() {
				if _, err := Analyze(context.Background(), newStream(200, rows), Options{FileName: "a.csv"}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Memory is bounded by columns and categories: four times the rows cost little
// more.
func TestMemoryDoesNotGrowWithRows(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	held := func(rows int) int64 {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		s := newStream(60, rows)
		r := &review{o: Options{FileName: "a.csv"}}
		if err := r.first(context.Background(), s); err != nil {
			t.Fatal(err)
		}
		r.classify()
		if err := r.choose(s); err != nil {
			t.Fatal(err)
		}
		_ = s.Rewind()
		c := newTally(r)
		if err := c.run(context.Background(), s); err != nil {
			t.Fatal(err)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(c)
		return int64(after.HeapAlloc) - int64(before.HeapAlloc)
	}
	small, large := held(10_000), held(40_000)
	if large > small+small/4+1<<20 {
		t.Errorf("10,000 rows hold %d bytes, 40,000 hold %d", small, large)
	}
	t.Logf("held: %d, %d bytes", small, large)
}

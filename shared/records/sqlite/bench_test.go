package sqlite_test

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/records/sqlite"
	"github.com/mindgate-dev/mindgate/shared/records/storetest"
)

// A body of about 1 KB, as a list row or a small record has.
var benchBody = []byte(`{"text":"` + strings.Repeat("lorem ipsum ", 80) + `"}`)

func benchStore(b *testing.B) *sqlite.Store {
	return open(b, storetest.Env{Dir: b.TempDir(), Clock: clock.System{}, CursorKey: cursorKey})
}

func fill(b *testing.B, s *sqlite.Store, n int) {
	b.Helper()
	for from := 0; from < n; from += 100 {
		var actions []records.Action
		for i := from; i < min(from+100, n); i++ {
			actions = append(actions, records.PutItem(records.Item{
				Key: records.Key{PK: "w#1#minds", SK: fmt.Sprintf("%06d", i)}, Body: benchBody}))
		}
		if err := s.Transact(b.Context(), "", actions...); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkOpenFresh(b *testing.B) {
	dir, i := b.TempDir(), 0
	for b.Loop() {
		i++
		s, err := sqlite.Open(b.Context(), filepath.Join(dir, fmt.Sprint(i), "x.db"), sqlite.Options{CursorKey: cursorKey})
		if err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		s.Close()
		b.StartTimer()
	}
}

func BenchmarkOpenAgain(b *testing.B) {
	path := filepath.Join(b.TempDir(), "x.db")
	for b.Loop() {
		s, err := sqlite.Open(b.Context(), path, sqlite.Options{CursorKey: cursorKey})
		if err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		s.Close()
		b.StartTimer()
	}
}

func BenchmarkGet(b *testing.B) {
	s := benchStore(b)
	fill(b, s, 10_000)
	get := func(b *testing.B, i int) {
		if _, err := s.Get(context.Background(), records.Key{PK: "w#1#minds", SK: fmt.Sprintf("%06d", i%10_000)}); err != nil {
			b.Error(err)
		}
	}
	b.Run("1", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			get(b, i*7919)
		}
	})
	b.Run("parallel", func(b *testing.B) {
		var n atomic.Int64
		b.SetParallelism(4)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				get(b, int(n.Add(7919)))
			}
		})
	})
}

func BenchmarkPut(b *testing.B) {
	for _, goroutines := range []int{1, 64} {
		b.Run(fmt.Sprint(goroutines), func(b *testing.B) {
			s := benchStore(b)
			var n atomic.Int64
			put := func() {
				it := records.Item{Key: records.Key{PK: "p", SK: fmt.Sprintf("%09d", n.Add(1))}, Body: benchBody}
				if _, err := s.Put(context.Background(), it); err != nil {
					b.Error(err)
				}
			}
			if goroutines == 1 {
				for b.Loop() {
					put()
				}
				return
			}
			b.SetParallelism(goroutines / runtime.GOMAXPROCS(0))
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					put()
				}
			})
		})
	}
}

func BenchmarkQueryPage20(b *testing.B) {
	s := benchStore(b)
	fill(b, s, 10_000)
	for name, q := range map[string]records.Query{
		"first":  {PK: "w#1#minds", Limit: 20},
		"middle": {PK: "w#1#minds", Limit: 20, From: "005000"},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if p, err := s.Query(b.Context(), q); err != nil || len(p.Items) != 20 {
					b.Fatal(len(p.Items), err)
				}
			}
		})
	}
	b.Run("skip 9000 by keys", func(b *testing.B) {
		for b.Loop() {
			q := records.Query{PK: "w#1#minds", Limit: 1000, KeysOnly: true}
			for range 9 {
				p, err := s.Query(b.Context(), q)
				if err != nil {
					b.Fatal(err)
				}
				q.Cursor = p.Cursor
			}
		}
	})
}

func BenchmarkTransact3(b *testing.B) {
	s := benchStore(b)
	for i := 0; b.Loop(); i++ {
		err := s.Transact(b.Context(), "",
			records.PutItem(records.Item{Key: records.Key{PK: "p", SK: fmt.Sprintf("%09d", i)}, Body: benchBody}, records.NotExists()),
			records.AddTo(records.Key{PK: "total", SK: "n"}, records.Delta{By: 1}),
			records.PutItem(records.Item{Key: records.Key{Table: records.Idempotency, PK: "p", SK: fmt.Sprintf("%09d", i)}}, records.NotExists()))
		if err != nil {
			b.Fatal(err)
		}
	}
}

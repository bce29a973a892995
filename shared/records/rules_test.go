package records_test

import (
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mindgate-dev/mindgate/shared/records"
)

func TestSizeDoesNotDependOnNumbers(t *testing.T) {
	it := records.Item{Key: records.Key{PK: "p", SK: "s"}}
	small := records.Size(it)
	it.Version, it.N = math.MaxInt64, math.MinInt64
	if got := records.Size(it); got != small {
		t.Fatalf("size %d, want %d", got, small)
	}
}

func TestSizeCountsBytes(t *testing.T) {
	base := records.Item{Key: records.Key{PK: "p", SK: "s"}}
	for name, c := range map[string]struct {
		change func(*records.Item)
		more   int
	}{
		"two-byte letter":   {func(it *records.Item) { it.PK = "ü" }, 1},
		"index key":         {func(it *records.Item) { it.G1PK = "abc" }, len("g1pk") + 3},
		"body":              {func(it *records.Item) { it.Body = []byte(`"x"`) }, len("body") + 3},
		"expiry":            {func(it *records.Item) { it.ExpiresAt = time.Now() }, len("expires_at") + len("expires_ms") + 24},
		"field":             {func(it *records.Item) { it.Fields = map[string]string{"ab": "cde"} }, len("f") + 3 + 1 + 5},
		"table is no value": {func(it *records.Item) { it.Table = records.Idempotency }, 0},
	} {
		it := base
		c.change(&it)
		if got := records.Size(it) - records.Size(base); got != c.more {
			t.Errorf("%s: %d more, want %d", name, got, c.more)
		}
	}
}

// Apply agrees with arithmetic that cannot overflow.
func TestDeltaApply(t *testing.T) {
	edge := rapid.OneOf(rapid.Int64(), rapid.SampledFrom([]int64{0, 1, -1, math.MaxInt64, math.MinInt64, math.MinInt64 + 1}))
	rapid.Check(t, func(t *rapid.T) {
		value := edge.Draw(t, "value")
		d := records.Delta{By: edge.Draw(t, "by")}
		sum := new(big.Int).Add(big.NewInt(value), big.NewInt(d.By))
		want := sum.IsInt64()
		if rapid.Bool().Draw(t, "floored") {
			d.Floor = records.Bound(edge.Draw(t, "floor"))
			want = want && sum.Cmp(big.NewInt(*d.Floor)) >= 0
		}
		if rapid.Bool().Draw(t, "ceiled") {
			d.Ceil = records.Bound(edge.Draw(t, "ceil"))
			want = want && sum.Cmp(big.NewInt(*d.Ceil)) <= 0
		}
		next, ok := d.Apply(value)
		if ok != want || ok && next != sum.Int64() {
			t.Fatalf("%d %+v gave %d %v, want %v %v", value, d, next, ok, sum, want)
		}
	})
}

func TestDigestTellsActionsApart(t *testing.T) {
	k := records.Key{PK: "p", SK: "s"}
	it := records.Item{Key: k, Fields: map[string]string{"a": "b"}, Body: []byte("1")}
	seen := map[[32]byte]int{}
	for i, actions := range [][]records.Action{
		{records.PutItem(it)},
		{records.PutItem(it, records.Exists())},
		{records.PutItem(it, records.VersionIs(1))},
		{records.PutItem(it, records.VersionIs(2))},
		{records.PutItem(it, records.FieldIs("a", "b"))},
		{records.PutItem(records.Item{Key: k, Fields: map[string]string{"ab": ""}, Body: []byte("1")})},
		{records.PutItem(records.Item{Key: k, Body: []byte("1")})},
		{records.DeleteItem(k)},
		{records.AddTo(k, records.Delta{})},
		{records.AddTo(k, records.Delta{Floor: records.Bound(0)})},
		{records.AddTo(k, records.Delta{Ceil: records.Bound(0)})},
		{records.AddTo(k, records.Delta{ExpiresAt: time.UnixMilli(0)})},
		{records.DeleteItem(k), records.DeleteItem(k)},
	} {
		d := records.Digest(actions)
		if j, twice := seen[d]; twice {
			t.Errorf("lists %d and %d have one digest", j, i)
		}
		seen[d] = i
	}
	// What a store does not keep makes no difference.
	same := it
	same.Version, same.ExpiresAt = 9, time.Time{}
	if records.Digest([]records.Action{records.PutItem(it)}) != records.Digest([]records.Action{records.PutItem(same)}) {
		t.Error("the version that a caller passes changed the digest")
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 6_000_001, time.UTC)
	it.ExpiresAt, same.ExpiresAt = at, at.In(time.FixedZone("x", 3600)).Add(5)
	if records.Digest([]records.Action{records.PutItem(it)}) != records.Digest([]records.Action{records.PutItem(same)}) {
		t.Error("parts of a millisecond or the zone changed the digest")
	}
}

func TestNormalCopies(t *testing.T) {
	it := records.Item{Body: []byte("12"), Fields: map[string]string{"a": "b"}}
	n := it.Normal()
	it.Body[0], it.Fields["a"] = '9', "c"
	if string(n.Body) != "12" || n.Fields["a"] != "b" {
		t.Fatalf("shared with the caller: %+v", n)
	}
}

func TestValidateKeyEdges(t *testing.T) {
	ok := records.Key{PK: strings.Repeat("p", records.MaxPKBytes), SK: strings.Repeat("s", records.MaxSKBytes)}
	if err := records.ValidateKey(ok); err != nil {
		t.Fatal(err)
	}
	for _, k := range []records.Key{{PK: ok.PK + "p", SK: "s"}, {PK: "p", SK: ok.SK + "s"}} {
		if records.ValidateKey(k) == nil {
			t.Fatal("one byte more was taken")
		}
	}
}

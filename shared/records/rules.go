package records

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"maps"
	"math"
	"slices"
	"time"
)

// Normal is the item as every store keeps it: expiry in whole milliseconds of
// UTC, nothing for empty maps and bodies.
func (it Item) Normal() Item {
	if !it.ExpiresAt.IsZero() {
		it.ExpiresAt = time.UnixMilli(it.ExpiresAt.UnixMilli()).UTC()
	}
	if len(it.Fields) == 0 {
		it.Fields = nil
	} else {
		it.Fields = maps.Clone(it.Fields)
	}
	if len(it.Body) == 0 {
		it.Body = nil
	} else {
		it.Body = slices.Clone(it.Body)
	}
	return it
}

// Expired tells whether the item is hidden at this time.
func (it Item) Expired(now time.Time) bool {
	return !it.ExpiresAt.IsZero() && now.UnixMilli() >= it.ExpiresAt.UnixMilli()
}

// Holds tells whether all conditions hold for the item that is there; nil is
// none, which is also what a store passes for one that has expired.
func Holds(conds []Cond, existing *Item) bool {
	for _, c := range conds {
		ok := false
		switch c.Kind {
		case KindNotExists:
			ok = existing == nil
		case KindExists:
			ok = existing != nil
		case KindVersionIs:
			ok = existing != nil && existing.Version == c.Version
		case KindFieldIs:
			if existing != nil {
				v, has := existing.Fields[c.Field]
				ok = has && v == c.Value
			}
		}
		if !ok {
			return false
		}
	}
	return true
}

// Apply adds the change to a counter's value. ok is false if a bound refuses;
// what would not fit in an int64 is refused as well.
func (d Delta) Apply(value int64) (next int64, ok bool) {
	if d.By > 0 && value > math.MaxInt64-d.By || d.By < 0 && value < math.MinInt64-d.By {
		return value, false
	}
	next = value + d.By
	if d.Floor != nil && next < *d.Floor || d.Ceil != nil && next > *d.Ceil {
		return value, false
	}
	return next, true
}

// Digest identifies a list of actions, to tell a repeated transaction from
// another one with the same token.
func Digest(actions []Action) [sha256.Size]byte {
	w := digester{sha256.New()}
	for _, a := range actions {
		it := a.Item.Normal()
		w.num(int64(a.Kind))
		w.text(string(it.Table), it.PK, it.SK, it.G1PK, it.G1SK, it.G2PK, it.G2SK, string(it.Body))
		w.num(int64(len(it.Fields)))
		for _, name := range slices.Sorted(maps.Keys(it.Fields)) {
			w.text(name, it.Fields[name])
		}
		w.num(it.N)
		w.moment(it.ExpiresAt)
		w.num(a.Delta.By)
		w.bound(a.Delta.Floor)
		w.bound(a.Delta.Ceil)
		w.moment(a.Delta.ExpiresAt)
		w.num(int64(len(a.Conds)))
		for _, c := range a.Conds {
			w.num(int64(c.Kind))
			w.num(c.Version)
			w.text(c.Field, c.Value)
		}
	}
	return [sha256.Size]byte(w.Sum(nil))
}

type digester struct{ hash.Hash }

func (w digester) num(n int64) {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], uint64(n))
	w.Write(b[:])
}

func (w digester) text(values ...string) {
	for _, v := range values {
		w.num(int64(len(v)))
		w.Write([]byte(v))
	}
}

func (w digester) bound(n *int64) {
	if n == nil {
		w.num(0)
		return
	}
	w.num(1)
	w.num(*n)
}

func (w digester) moment(t time.Time) {
	if t.IsZero() {
		w.bound(nil)
		return
	}
	ms := t.UnixMilli()
	w.bound(&ms)
}

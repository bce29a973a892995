package dynamo

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/mindgate-dev/mindgate/shared/records"
)

// expr collects the names and values of one request's expressions. Every
// attribute goes by a placeholder, so no reserved word can be hit.
type expr struct {
	names  map[string]string
	values attributes
	now    int64
}

func newExpr(now time.Time) *expr {
	return &expr{names: map[string]string{}, values: attributes{}, now: now.UnixMilli()}
}

// name gives the placeholder of an attribute.
func (e *expr) name(attr string) string {
	for p, a := range e.names {
		if a == attr {
			return p
		}
	}
	p := fmt.Sprintf("#a%d", len(e.names))
	e.names[p] = attr
	return p
}

func (e *expr) value(v types.AttributeValue) string {
	p := fmt.Sprintf(":v%d", len(e.values))
	e.values[p] = v
	return p
}

func (e *expr) nowValue() string {
	e.values[":now"] = num(e.now)
	return ":now"
}

// vals is nil when there are none: DynamoDB refuses an empty map.
func (e *expr) vals() attributes {
	if len(e.values) == 0 {
		return nil
	}
	return e.values
}

// live holds for what has not expired, and for an item that is not there.
func (e *expr) live() string {
	x := e.name(records.AttrExpiresMs)
	return fmt.Sprintf("(attribute_not_exists(%s) OR %s > %s)", x, x, e.nowValue())
}

// dead holds for an item that is there and has expired.
func (e *expr) dead() string {
	return e.name(records.AttrExpiresMs) + " <= " + e.nowValue()
}

// absent holds for no item, or an expired one.
func (e *expr) absent() string {
	return fmt.Sprintf("(attribute_not_exists(%s) OR %s)", e.name(records.AttrPK), e.dead())
}

// conds compiles conditions of the closed set; "" is none.
func (e *expr) conds(conds []records.Cond) string {
	if len(conds) == 0 {
		return ""
	}
	if conds[0].Kind == records.KindNotExists { // stands alone
		return e.absent()
	}
	parts := []string{fmt.Sprintf("attribute_exists(%s)", e.name(records.AttrPK)), e.live()}
	for _, c := range conds {
		switch c.Kind {
		case records.KindVersionIs:
			parts = append(parts, e.name(records.AttrVersion)+" = "+e.value(num(c.Version)))
		case records.KindFieldIs:
			parts = append(parts, e.name(records.AttrFields)+"."+e.name(c.Field)+" = "+e.value(str(c.Value)))
		}
	}
	return strings.Join(parts, " AND ")
}

// replaceable is every attribute that a put may have to take away.
var replaceable = []string{
	records.AttrG1PK, records.AttrG1SK, records.AttrG2PK, records.AttrG2SK, records.AttrFields,
	records.AttrN, records.AttrExpires, records.AttrExpiresMs, records.AttrBody,
}

// replace is an update that leaves exactly the item's content and counts its
// version up: a put that need not know which version is there.
func (e *expr) replace(it records.Item) string {
	c := content(it)
	var set, remove []string
	for _, attr := range replaceable {
		if v, ok := c[attr]; ok {
			set = append(set, e.name(attr)+" = "+e.value(v))
		} else {
			remove = append(remove, e.name(attr))
		}
	}
	set = append(set, e.countVersion())
	text := "SET " + strings.Join(set, ", ")
	if len(remove) > 0 {
		text += " REMOVE " + strings.Join(remove, ", ")
	}
	return text
}

func (e *expr) countVersion() string {
	v := e.name(records.AttrVersion)
	return fmt.Sprintf("%s = if_not_exists(%s, %s) + %s", v, v, e.value(num(0)), e.value(num(1)))
}

// add is the update of a counter that is live or absent.
func (e *expr) add(d records.Delta) string {
	n := e.name(records.AttrN)
	set := []string{
		fmt.Sprintf("%s = if_not_exists(%s, %s) + %s", n, n, e.value(num(0)), e.value(num(d.By))),
		e.countVersion(),
	}
	x := expiry(d.ExpiresAt)
	for _, attr := range []string{records.AttrExpires, records.AttrExpiresMs} {
		if v, ok := x[attr]; ok {
			set = append(set, e.name(attr)+" = "+e.value(v))
		}
	}
	return "SET " + strings.Join(set, ", ")
}

// bounds is the condition of add: the old value must leave room for the change.
// Bounds that follow are worked out beyond 64 bits; DynamoDB's numbers have 38
// digits.
func (e *expr) bounds(d records.Delta) string {
	n := e.name(records.AttrN)
	parts := []string{e.live()}
	room := func(sign string, limit int64) {
		v := new(big.Int).Sub(big.NewInt(limit), big.NewInt(d.By))
		part := n + " " + sign + " " + e.value(&types.AttributeValueMemberN{Value: v.String()})
		// No attribute is 0, so it is decided here whether that has room.
		if zero := v.Sign(); sign == "<=" && zero >= 0 || sign == ">=" && zero <= 0 {
			part = fmt.Sprintf("(attribute_not_exists(%s) OR %s)", n, part)
		}
		parts = append(parts, part)
	}
	switch {
	case d.Ceil != nil:
		room("<=", *d.Ceil)
	case d.By > 0:
		room("<=", math.MaxInt64)
	}
	switch {
	case d.Floor != nil:
		room(">=", *d.Floor)
	case d.By < 0:
		room(">=", math.MinInt64)
	}
	return strings.Join(parts, " AND ")
}

// keysProjection lists what a KeysOnly query returns.
func (e *expr) keysProjection() string {
	attrs := slices.DeleteFunc(slices.Clone(replaceable), func(a string) bool {
		return a == records.AttrFields || a == records.AttrBody
	})
	var out []string
	for _, a := range append(attrs, records.AttrPK, records.AttrSK, records.AttrVersion) {
		out = append(out, e.name(a))
	}
	return strings.Join(out, ", ")
}

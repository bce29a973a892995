// Package records is the port to the store of records. It has the shape of
// DynamoDB, so that the local store can never allow what the cloud one cannot:
// items under a partition and a sort key, two indexes, a closed set of
// conditions, transactions with a token, signed cursors, expiry.
//
// Two adapters implement it (sqlite, dynamo); storetest.Run holds both to the
// same promises.
package records

import (
	"context"
	"errors"
	"time"

	"github.com/mindgate-dev/mindgate/shared/passing"
)

// Table names one of the tables of the stack. The zero value is Records.
type Table string

// The tables. An action of a transaction names its own, so one transaction can
// write a record and its idempotency row.
const (
	Records     Table = ""
	Idempotency Table = "idempotency"
)

// Key addresses one item. PK and SK are never empty.
type Key struct {
	Table  Table
	PK, SK string
}

// Item is one record.
type Item struct {
	Key
	// Version counts the changes of the item; the store sets it: 1 when put
	// first, one more with each change. Items that were deleted start anew.
	Version int64
	// Index keys. An item is in an index only if both of its keys are set.
	G1PK, G1SK, G2PK, G2SK string
	// Fields are short values that conditions may compare (FieldIs).
	Fields map[string]string
	// N is the value of a counter (Add); 0 elsewhere.
	N int64
	// ExpiresAt hides the item from every read at and after this time; zero is
	// never. Kept to the millisecond; stores may delete later.
	ExpiresAt time.Time
	// Body is a JSON document; the whole item may have at most MaxItemBytes.
	Body []byte
}

// Limits that both adapters enforce.
const (
	MaxItemBytes   = 400 << 10 // counted as DynamoDB counts: names and values
	MaxActions     = 100       // actions of one transaction; a token takes the place of one
	MaxTokenLength = 36
	MaxPage        = 1000 // rows of one Query page
	MaxBatchGet    = 1000 // keys of one BatchGet
	TokenMemory    = 10 * time.Minute
)

// Errors. Refused conditions come as *ConditionError or *CanceledError.
var (
	ErrNotFound    = errors.New("records: no such item")
	ErrTooLarge    = errors.New("records: item above 400 KB")
	ErrInvalid     = errors.New("records: invalid request")
	ErrBadCursor   = errors.New("records: cursor is not one of ours")
	ErrTokenReused = errors.New("records: transaction token used with other actions")
	ErrConflict    = passing.New("records: gave up after repeated conflicts", "Other calls change the same things at this moment. Try again in a few seconds.")
	ErrUnavailable = passing.New("records: store unavailable", "The store cannot be reached or is busy. Try again in a few seconds.")
)

// ConditionError says that the condition of a single write did not hold.
// Existing is the item as it stood, nil if there was none.
type ConditionError struct{ Existing *Item }

func (e *ConditionError) Error() string { return "records: condition failed" }

// CanceledError says which actions of a transaction were refused, by position.
// Nothing was written.
type CanceledError struct{ Reasons []Reason }

func (e *CanceledError) Error() string { return "records: transaction canceled" }

// Failed reports whether the action at position i had a failed condition.
func (e *CanceledError) Failed(i int) bool {
	return i < len(e.Reasons) && e.Reasons[i].Failed
}

// Reason is the outcome of one action of a cancelled transaction.
type Reason struct {
	Failed   bool
	Existing *Item // the item that refused, nil if there was none
}

// Cond is one condition of the closed set: NotExists, Exists, VersionIs, FieldIs.
// An expired item counts as not existing, in both adapters.
// Its fields are for the adapters.
type Cond struct {
	Kind    CondKind
	Version int64
	Field   string
	Value   string
}

// CondKind says which condition of the closed set a Cond is.
type CondKind int

// The closed set.
const (
	KindNotExists CondKind = iota + 1
	KindExists
	KindVersionIs
	KindFieldIs
)

// NotExists holds if there is no such item, or it has expired.
func NotExists() Cond { return Cond{Kind: KindNotExists} }

// Exists holds if there is such an item.
func Exists() Cond { return Cond{Kind: KindExists} }

// VersionIs holds if the item exists at exactly this version.
func VersionIs(v int64) Cond { return Cond{Kind: KindVersionIs, Version: v} }

// FieldIs holds if the item exists and its field has this value.
func FieldIs(field, value string) Cond { return Cond{Kind: KindFieldIs, Field: field, Value: value} }

// Action is one part of a transaction; make it with PutItem, DeleteItem, Check
// or AddTo. An item may occur in one action of a transaction only.
// Its fields are for the adapters.
type Action struct {
	Kind  ActionKind
	Item  Item // only its Key for ActDelete, ActCheck and ActAdd
	Delta Delta
	Conds []Cond
}

// ActionKind says what an Action does.
type ActionKind int

// What an action can do.
const (
	ActPut ActionKind = iota + 1
	ActDelete
	ActCheck
	ActAdd
)

// PutItem writes the whole item. The stored version is one more than the
// version that is there (1 if none): pass VersionIs to be sure which one.
func PutItem(it Item, conds ...Cond) Action { return Action{Kind: ActPut, Item: it, Conds: conds} }

// DeleteItem removes the item; removing what is not there is no error.
func DeleteItem(k Key, conds ...Cond) Action {
	return Action{Kind: ActDelete, Item: Item{Key: k}, Conds: conds}
}

// Check writes nothing, but the transaction happens only if the conditions hold.
func Check(k Key, conds ...Cond) Action {
	return Action{Kind: ActCheck, Item: Item{Key: k}, Conds: conds}
}

// AddTo changes a counter inside a transaction.
func AddTo(k Key, d Delta) Action { return Action{Kind: ActAdd, Item: Item{Key: k}, Delta: d} }

// Delta is a change of a counter. A counter that does not exist counts as 0.
// The change is refused (failed condition) if the result would pass a bound.
type Delta struct {
	By    int64
	Floor *int64 // the result must be at least this
	Ceil  *int64 // the result must be at most this
	// ExpiresAt, when set, is written with the change (rate and month windows).
	ExpiresAt time.Time
}

// Index is one of the two declared indexes; the zero value is the base table.
// Reads of an index are eventually consistent: never read your own write there.
type Index int

// The base table and its indexes.
const (
	Base Index = iota
	G1
	G2
)

// Query reads items of one partition in order of their sort key.
type Query struct {
	Table Table
	Index Index
	PK    string
	// At most one of Prefix and From/To (both inclusive, either may be empty).
	Prefix   string
	From, To string
	Desc     bool
	Limit    int    // 1..MaxPage; 0 is MaxPage
	Cursor   string // opaque, from an earlier Page of the same query
	// KeysOnly leaves Body and Fields out; it makes skipping cheap.
	KeysOnly bool
}

// Page is one page of a query. Cursor is empty on the last page. A page may
// hold fewer items than the limit and still have a cursor.
type Page struct {
	Items  []Item
	Cursor string
}

// Store is the port. Every method is safe for concurrent use; writes are
// durable when they return nil.
type Store interface {
	// Get reads one item, strongly consistent. ErrNotFound if it is not there
	// or has expired.
	Get(ctx context.Context, k Key) (Item, error)
	// BatchGet reads many, strongly consistent, in the order of keys; what is
	// not there is left out.
	BatchGet(ctx context.Context, keys []Key) ([]Item, error)
	// Put writes the whole item under the conditions, *ConditionError if they
	// do not hold. It returns the item as stored.
	Put(ctx context.Context, it Item, conds ...Cond) (Item, error)
	// Update reads, lets fn change the item, and writes it if nobody else did
	// meanwhile; it tries again with jitter when somebody did. fn may run more
	// than once; an error of fn ends the update and is returned as it is.
	// expect 0 takes any version, else *ConditionError when it differs.
	Update(ctx context.Context, k Key, expect int64, fn func(*Item) error) (Item, error)
	// Delete removes the item; *ConditionError if the conditions do not hold.
	Delete(ctx context.Context, k Key, conds ...Cond) error
	// Add changes a counter and returns its new value; *ConditionError when a
	// bound refuses (Existing has the counter as it stands).
	Add(ctx context.Context, k Key, d Delta) (int64, error)
	// Transact does all actions or none. The same token with the same actions
	// within TokenMemory is done once; with others it is ErrTokenReused. An
	// empty token is none. *CanceledError when a condition refuses. Conflicts
	// with other transactions are retried inside.
	Transact(ctx context.Context, token string, actions ...Action) error
	// Query reads a page.
	Query(ctx context.Context, q Query) (Page, error)
}

// Bound is a helper for Delta's Floor and Ceil.
func Bound(n int64) *int64 { return &n }

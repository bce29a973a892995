package dynamo

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"

	"github.com/mindgate-dev/mindgate/shared/records"
)

const (
	batchKeys  = 100 // of one BatchGetItem
	batchesOff = 4   // batches under way at once
	queryTrips = 5   // requests for one page: a filter may leave them nearly empty
)

// Get implements records.Store.
func (s *Store) Get(ctx context.Context, k records.Key) (records.Item, error) {
	if err := records.ValidateKey(k); err != nil {
		return records.Item{}, err
	}
	table, err := s.table(k.Table)
	if err != nil {
		return records.Item{}, err
	}
	out, err := s.client.GetItem(ctx, &dynamodb.GetItemInput{TableName: table, Key: keyOf(k), ConsistentRead: aws.Bool(true)})
	if err != nil {
		return records.Item{}, explain(ctx, err)
	}
	it, err := existing(k.Table, out.Item, s.clock.Now())
	if err != nil {
		return records.Item{}, err
	}
	if it == nil {
		return records.Item{}, records.ErrNotFound
	}
	return *it, nil
}

// BatchGet implements records.Store.
func (s *Store) BatchGet(ctx context.Context, keys []records.Key) ([]records.Item, error) {
	if err := records.ValidateBatch(keys); err != nil {
		return nil, err
	}
	byName := map[string]records.Table{}
	at := make(map[records.Key]int, len(keys)) // each key once, as DynamoDB demands
	var once []records.Key
	for _, k := range keys {
		name, err := s.table(k.Table)
		if err != nil {
			return nil, err
		}
		byName[*name] = k.Table
		if _, seen := at[k]; !seen {
			at[k] = len(once)
			once = append(once, k)
		}
	}
	found := make([]*records.Item, len(once)) // each place is written by one batch only
	group, gctx := errgroup.WithContext(ctx)
	group.SetLimit(batchesOff)
	for from := 0; from < len(once); from += batchKeys {
		part := once[from:min(from+batchKeys, len(once))]
		group.Go(func() error {
			return s.batch(gctx, part, byName, func(it *records.Item) { found[at[it.Key]] = it })
		})
	}
	if err := group.Wait(); err != nil {
		return nil, explainOuter(ctx, err)
	}
	items := make([]records.Item, 0, len(keys))
	for _, k := range keys {
		if it := found[at[k]]; it != nil {
			items = append(items, *it)
		}
	}
	return items, nil
}

func explainOuter(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// batch reads up to batchKeys keys, and again what DynamoDB leaves over.
func (s *Store) batch(ctx context.Context, keys []records.Key, byName map[string]records.Table, each func(*records.Item)) error {
	request := map[string]types.KeysAndAttributes{}
	for _, k := range keys {
		name := s.tables[k.Table]
		r := request[name]
		r.ConsistentRead = aws.Bool(true)
		r.Keys = append(r.Keys, keyOf(k))
		request[name] = r
	}
	return s.again(ctx, func() (bool, error) {
		out, err := s.client.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: request})
		if err != nil {
			return passing(err), explain(ctx, err)
		}
		now := s.clock.Now()
		for name, list := range out.Responses {
			for _, a := range list {
				it, err := existing(byName[name], a, now)
				if err != nil {
					return false, err
				}
				if it != nil {
					each(it)
				}
			}
		}
		request = out.UnprocessedKeys
		if len(request) > 0 {
			return true, fmt.Errorf("%w: keys left over", records.ErrUnavailable)
		}
		return false, nil
	})
}

// Query implements records.Store. Base reads are strongly consistent.
func (s *Store) Query(ctx context.Context, q records.Query) (records.Page, error) {
	q, err := records.ValidateQuery(q)
	if err != nil {
		return records.Page{}, err
	}
	table, err := s.table(q.Table)
	if err != nil {
		return records.Page{}, err
	}
	in := &dynamodb.QueryInput{TableName: table, ScanIndexForward: aws.Bool(!q.Desc)}
	pk, sk := records.AttrPK, records.AttrSK
	switch q.Index {
	case records.G1:
		pk, sk, in.IndexName = records.AttrG1PK, records.AttrG1SK, aws.String(IndexG1)
	case records.G2:
		pk, sk, in.IndexName = records.AttrG2PK, records.AttrG2SK, aws.String(IndexG2)
	default:
		in.ConsistentRead = aws.Bool(true)
	}
	if q.Cursor != "" {
		p, err := s.cursors.Decode(q)
		if err != nil {
			return records.Page{}, err
		}
		in.ExclusiveStartKey = keyOf(records.Key{PK: p.PK, SK: p.SK})
		if q.Index != records.Base {
			in.ExclusiveStartKey[pk], in.ExclusiveStartKey[sk] = str(q.PK), str(p.IndexSK)
		}
	}
	now := s.clock.Now()
	e := newExpr(now)
	in.KeyConditionExpression = aws.String(e.keyRange(q, pk, sk))
	in.FilterExpression = aws.String(e.live())
	if q.KeysOnly {
		in.ProjectionExpression = aws.String(e.keysProjection())
	}
	in.ExpressionAttributeNames, in.ExpressionAttributeValues = e.names, e.values

	page := records.Page{Items: []records.Item{}}
	bytes := 0
	for range queryTrips {
		in.Limit = aws.Int32(int32(q.Limit - len(page.Items)))
		out, err := s.client.Query(ctx, in)
		if err != nil {
			return records.Page{}, explain(ctx, err)
		}
		for _, a := range out.Items {
			it, err := read(q.Table, a)
			if err != nil {
				return records.Page{}, err
			}
			bytes += records.Size(it)
			page.Items = append(page.Items, it)
		}
		in.ExclusiveStartKey = out.LastEvaluatedKey
		if len(in.ExclusiveStartKey) == 0 {
			return page, nil
		}
		if len(page.Items) == q.Limit || bytes > records.MaxPageBytes/2 {
			break // another trip could pass the size of a page
		}
	}
	last := reader{a: in.ExclusiveStartKey}
	p := records.Position{PK: last.text(records.AttrPK), SK: last.text(records.AttrSK)}
	if q.Index != records.Base {
		p.IndexSK = last.text(sk)
	}
	page.Cursor = s.cursors.Encode(q, p)
	return page, nil
}

func (e *expr) keyRange(q records.Query, pk, sk string) string {
	text := e.name(pk) + " = " + e.value(str(q.PK))
	if q.Prefix == "" && q.From == "" && q.To == "" {
		return text // an unused name is an error to DynamoDB
	}
	s := e.name(sk)
	switch {
	case q.Prefix != "":
		return fmt.Sprintf("%s AND begins_with(%s, %s)", text, s, e.value(str(q.Prefix)))
	case q.From != "" && q.To != "":
		return fmt.Sprintf("%s AND %s BETWEEN %s AND %s", text, s, e.value(str(q.From)), e.value(str(q.To)))
	case q.From != "":
		return fmt.Sprintf("%s AND %s >= %s", text, s, e.value(str(q.From)))
	}
	return fmt.Sprintf("%s AND %s <= %s", text, s, e.value(str(q.To)))
}

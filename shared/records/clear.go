package records

import "context"

// Clear removes every row of a partition, a transaction at a time. It may be cut off
// and repeated.
func Clear(ctx context.Context, s Store, pk string) error {
	for {
		page, err := s.Query(ctx, Query{PK: pk, KeysOnly: true, Limit: MaxActions})
		if err != nil || len(page.Items) == 0 {
			return err
		}
		actions := make([]Action, len(page.Items))
		for i, it := range page.Items {
			actions[i] = DeleteItem(it.Key)
		}
		if err := s.Transact(ctx, "", actions...); err != nil {
			return err
		}
	}
}

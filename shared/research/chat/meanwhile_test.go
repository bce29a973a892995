package chat_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/chat"
)

// meeting runs something once before a transaction.
type meeting struct {
	records.Store
	first func()
}

func (m *meeting) Transact(ctx context.Context, token string, a ...records.Action) error {
	if first := m.first; first != nil {
		m.first = nil
		first()
	}
	return m.Store.Transact(ctx, token, a...)
}

// A Mind that is deleted while a chat with it is being made: there is no chat,
// however many others it is with, nothing points to one, and it counts as none.
func TestChatWithAMindDeletedMeanwhile(t *testing.T) {
	for _, others := range []int{0, 2, 49} {
		t.Run(fmt.Sprint(others), func(t *testing.T) {
			w := newWorld(t)
			ctx := w.As(t, "lab", account.Team)
			gone := w.mind(t, ctx, "Ada", "Age: 40\nA baker from Bremen who has run a bakery for twelve years and bakes rye bread.")
			ids := []string{gone}
			for i := range others {
				ids = append(ids, w.mind(t, ctx, fmt.Sprint("Bo ", i), "Age: 40\nA baker from Bremen who has run a bakery for twelve years and bakes rye bread."))
			}
			r := chat.CreateRequest{MindIDs: ids}
			if others == 0 {
				r = chat.CreateRequest{MindID: gone}
			}
			flows := func() int64 {
				u, err := w.Accounts.Owned(ctx, account.Flows)
				if err != nil {
					t.Fatal(err)
				}
				return u
			}
			before := flows()
			deps := w.deps
			deps.Records = &meeting{Store: w.Store, first: func() {
				if err := w.Minds.Delete(ctx, gone); err != nil {
					t.Error(err)
				}
				if err := w.DeleteOf(ctx, gone); err != nil {
					t.Error(err)
				}
			}}
			if _, err := chat.New(deps).Create(ctx, r); !fault.Is(err, fault.NotFound) {
				t.Errorf("%v", err)
			}
			if n := flows(); n != before {
				t.Errorf("%d chats are counted, %d before", n, before)
			}
			for _, id := range ids {
				page, err := w.Store.Query(ctx, records.Query{PK: account.WorkspacePrefix(account.From(ctx).Workspace) + "mindchats#" + id, Limit: 10})
				if err != nil || len(page.Items) > 0 {
					t.Errorf("%v %v", page.Items, err)
				}
			}
			// The others still make one.
			if others > 0 {
				if c, err := chat.New(deps).Create(ctx, chat.CreateRequest{MindIDs: ids[1:]}); err != nil || len(c.Minds) != others {
					t.Errorf("%+v %v", c, err)
				}
			}
		})
	}
}

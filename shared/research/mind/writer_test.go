package mind

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mindgate-dev/mindgate/shared/model"
)

// hanging is a model that never answers.
type hanging struct{ calls int }

func (h *hanging) Info() model.Info { return model.Info{Provider: "test", Model: "hanging"} }

func (h *hanging) Complete(ctx context.Context, _ model.Request) (model.Response, error) {
	h.calls++
	<-ctx.Done()
	return model.Response{}, &model.Error{Kind: model.KindTimeout}
}

func (h *hanging) Stream(ctx context.Context, r model.Request, _ func(string) error) (model.Response, error) {
	return h.Complete(ctx, r)
}

// A model that is too slow gave no prompt, and the task goes on with the rules; a
// task whose own time is over is only over.
func TestASlowModelWritesNothing_M24(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Service{d: Deps{Model: &hanging{}}}
		began := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		_, err := s.writeByModel(ctx, Mind{Name: "Ada"}, Known{}, nil)
		if took := time.Since(began); !errors.Is(err, errNoModel) || took != writing {
			t.Errorf("%v after %s", err, took)
		}

		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := s.writeByModel(short, Mind{Name: "Ada"}, Known{}, nil); errors.Is(err, errNoModel) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the task's time is over: %v", err)
		}
	})
}

package local

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsconfig "github.com/aws/aws-sdk-go-v2/config"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/fetch"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/model/open"
)

// Model is the model of the installation; the zero value is none, and everything
// runs offline.
type Model struct {
	Settings model.Settings
	Key      string
}

// model opens it. Bedrock without a key takes the credentials of the aws command.
func (h *Host) model(ctx context.Context, m Model, guard *fetch.Guard) (model.Client, error) {
	if m.Settings.Provider == "" {
		return nil, nil
	}
	client, err := open.New(open.Options{
		Guard: guard, Clock: h.Clock,
		AWS: func(ctx context.Context) (aws.Config, error) { return awsconfig.LoadDefaultConfig(ctx) },
	})(ctx, m.Settings, m.Key)
	var f *fault.Error
	if errors.As(err, &f) {
		err = fmt.Errorf("the language model (--model, --model-endpoint, MINDGATE_MODEL_KEY): %s", f.Message)
	}
	if err != nil {
		return nil, err
	}
	return model.Retrying(model.Metered(client, func(ctx context.Context, who model.Info, u model.Usage) {
		h.Log.DebugContext(ctx, "model used", "provider", who.Provider, "model", who.Model, "input", u.Input, "output", u.Output, "cached", u.CachedInput)
	}), model.RetryPolicy{Clock: h.Clock}), nil
}

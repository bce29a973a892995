package local

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsconfig "github.com/aws/aws-sdk-go-v2/config"

	"github.com/mindgate-dev/mindgate/shared/embed"
	"github.com/mindgate-dev/mindgate/shared/embed/choose"
	"github.com/mindgate-dev/mindgate/shared/fetch"
)

// Embeddings is what finds knowledge by its meaning; the zero value is hashed.
type Embeddings struct {
	Choice   choose.Choice
	ModelDir string
	Key      string
}

func (h *Host) embedder(ctx context.Context, e Embeddings, guard *fetch.Guard) (embed.Embedder, error) {
	if e.Choice.Kind == "" {
		e.Choice.Kind = choose.Hashed
	}
	return choose.Open(ctx, e.Choice, choose.Options{
		ModelDir: e.ModelDir, Key: choose.Given(e.Key), Guard: guard, Clock: h.Clock, Log: h.Log,
		AWS: func(ctx context.Context) (aws.Config, error) { return awsconfig.LoadDefaultConfig(ctx) },
	})
}

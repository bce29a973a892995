package domain

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/mindgate-dev/mindgate/functions/host"
	"github.com/mindgate-dev/mindgate/shared/embed"
	"github.com/mindgate-dev/mindgate/shared/embed/choose"
	"github.com/mindgate-dev/mindgate/shared/fetch"
)

// embedder makes what finds knowledge by its meaning. The weights of MiniLM lie
// beside the binary when they were there at build time.
func embedder(h *host.Host, guard *fetch.Guard) (embed.Embedder, error) {
	choice, err := choose.Parse(h.Env.Embeddings.Name)
	if err != nil {
		return nil, err
	}
	o := choose.Options{
		ModelDir: h.Env.Embeddings.ModelDir, Guard: guard, Clock: h.Clock, Log: h.Log,
		AWS: func(context.Context) (aws.Config, error) { return h.AWS, nil },
	}
	if h.Env.Embeddings.KeySecret != "" {
		o.Key = h.Secret(h.Env.Embeddings.KeySecret)
	}
	return choose.Open(context.Background(), choice, o)
}

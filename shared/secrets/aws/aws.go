// Package aws reads the installation's one secret from AWS Secrets Manager.
package aws

import (
	"context"
	"fmt"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"

	"github.com/mindgate-dev/mindgate/shared/secrets"
)

// API is what this package needs of the Secrets Manager client.
type API interface {
	GetSecretValue(context.Context, *secretsmanager.GetSecretValueInput, ...func(*secretsmanager.Options)) (*secretsmanager.GetSecretValueOutput, error)
}

// Source reads the secret once and keeps it for the life of the process; a
// failed read is tried again at the next call. The secret is a generated
// password (GenerateSecretString with PasswordLength 64 and ExcludePunctuation)
// or a list of keys as secrets.Parse reads them.
type Source struct {
	api API
	arn string

	turn chan struct{} // held by the one that reads
	mu   sync.Mutex
	ring *secrets.Ring
}

var _ secrets.Source = (*Source)(nil)

// NewSource reads nothing yet.
func NewSource(api API, arn string) *Source {
	return &Source{api: api, arn: arn, turn: make(chan struct{}, 1)}
}

// Ring gives the ring; many callers at once cause one read.
func (s *Source) Ring(ctx context.Context) (*secrets.Ring, error) {
	if r := s.cached(); r != nil {
		return r, nil
	}
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if r := s.cached(); r != nil {
		return r, nil
	}
	out, err := s.api.GetSecretValue(ctx, &secretsmanager.GetSecretValueInput{SecretId: &s.arn})
	if err != nil {
		return nil, fmt.Errorf("secrets: reading the signing secret: %w", err)
	}
	text := aws.ToString(out.SecretString)
	if text == "" {
		text = string(out.SecretBinary)
	}
	ring, err := secrets.ParseGenerated(text)
	if err != nil {
		return nil, fmt.Errorf("secrets: the signing secret: %w", err)
	}
	s.mu.Lock()
	s.ring = ring
	s.mu.Unlock()
	return ring, nil
}

func (s *Source) cached() *secrets.Ring {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ring
}

package aws

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"

	"github.com/mindgate-dev/mindgate/shared/secrets"
	"github.com/mindgate-dev/mindgate/shared/secrets/secretstest"
)

// vault is Secrets Manager with one secret.
type vault struct {
	value string
	fail  error
	calls atomic.Int32
}

func (v *vault) GetSecretValue(_ context.Context, in *secretsmanager.GetSecretValueInput, _ ...func(*secretsmanager.Options)) (*secretsmanager.GetSecretValueOutput, error) {
	v.calls.Add(1)
	if aws.ToString(in.SecretId) != "arn:secret" {
		return nil, errors.New("no such secret")
	}
	if v.fail != nil {
		return nil, v.fail
	}
	return &secretsmanager.GetSecretValueOutput{SecretString: &v.value}, nil
}

func TestContract(t *testing.T) {
	var n int
	secretstest.Run(t, func(t *testing.T) func() secrets.Source {
		n++
		v := &vault{value: fmt.Sprintf("%064d", n)}
		return func() secrets.Source { return NewSource(v, "arn:secret") }
	})
}

func TestReadsOnce(t *testing.T) {
	v := &vault{value: fmt.Sprintf("%064d", 1), fail: errors.New("throttled")}
	s := NewSource(v, "arn:secret")
	if _, err := s.Ring(t.Context()); !errors.Is(err, v.fail) {
		t.Fatalf("got %v", err)
	}
	v.fail = nil // a failure is not kept
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			if _, err := s.Ring(t.Context()); err != nil {
				t.Errorf("ring: %v", err)
			}
		})
	}
	wg.Wait()
	if n := v.calls.Load(); n != 2 {
		t.Fatalf("%d reads, want the failed one and one more", n)
	}
}

func TestWeakSecretIsRefused(t *testing.T) {
	for _, value := range []string{"", "short"} {
		if _, err := NewSource(&vault{value: value}, "arn:secret").Ring(t.Context()); !errors.Is(err, secrets.ErrMalformed) {
			t.Errorf("%q: %v, want ErrMalformed", value, err)
		}
	}
}

package aws

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager/types"

	"github.com/mindgate-dev/mindgate/shared/secrets"
	"github.com/mindgate-dev/mindgate/shared/secrets/vaulttest"
)

// manager is Secrets Manager as a map.
type manager struct {
	mu     sync.Mutex
	values map[string][]byte
}

func (m *manager) GetSecretValue(_ context.Context, in *secretsmanager.GetSecretValueInput, _ ...func(*secretsmanager.Options)) (*secretsmanager.GetSecretValueOutput, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.values[aws.ToString(in.SecretId)]
	if !ok {
		return nil, &types.ResourceNotFoundException{}
	}
	return &secretsmanager.GetSecretValueOutput{SecretBinary: slices.Clone(v)}, nil
}

func (m *manager) CreateSecret(_ context.Context, in *secretsmanager.CreateSecretInput, _ ...func(*secretsmanager.Options)) (*secretsmanager.CreateSecretOutput, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.values[aws.ToString(in.Name)]; ok {
		return nil, &types.ResourceExistsException{}
	}
	m.values[aws.ToString(in.Name)] = slices.Clone(in.SecretBinary)
	return &secretsmanager.CreateSecretOutput{}, nil
}

func (m *manager) PutSecretValue(_ context.Context, in *secretsmanager.PutSecretValueInput, _ ...func(*secretsmanager.Options)) (*secretsmanager.PutSecretValueOutput, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.values[aws.ToString(in.SecretId)]; !ok {
		return nil, &types.ResourceNotFoundException{}
	}
	m.values[aws.ToString(in.SecretId)] = slices.Clone(in.SecretBinary)
	return &secretsmanager.PutSecretValueOutput{}, nil
}

func (m *manager) DeleteSecret(_ context.Context, in *secretsmanager.DeleteSecretInput, _ ...func(*secretsmanager.Options)) (*secretsmanager.DeleteSecretOutput, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.values[aws.ToString(in.SecretId)]; !ok {
		return nil, &types.ResourceNotFoundException{}
	}
	delete(m.values, aws.ToString(in.SecretId))
	return &secretsmanager.DeleteSecretOutput{}, nil
}

func TestVaultContract(t *testing.T) {
	vaulttest.Run(t, func(t *testing.T) func() secrets.Vault {
		m := &manager{values: map[string][]byte{}}
		return func() secrets.Vault { return NewVault(m, "mindgate-prod/") }
	})
}

// Permissions are given by the prefix.
func TestVaultNamesStartWithThePrefix(t *testing.T) {
	m := &manager{values: map[string][]byte{}}
	if err := NewVault(m, "stack/").Put(t.Context(), "ws/model/a", []byte("v")); err != nil {
		t.Fatal(err)
	}
	if names := slices.Collect(maps.Keys(m.values)); len(names) != 1 || !strings.HasPrefix(names[0], "stack/ws/") {
		t.Errorf("%v", names)
	}
}

package aws

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager/types"

	"github.com/mindgate-dev/mindgate/shared/secrets"
)

// VaultAPI is what a Vault needs of the Secrets Manager client.
type VaultAPI interface {
	API
	CreateSecret(context.Context, *secretsmanager.CreateSecretInput, ...func(*secretsmanager.Options)) (*secretsmanager.CreateSecretOutput, error)
	PutSecretValue(context.Context, *secretsmanager.PutSecretValueInput, ...func(*secretsmanager.Options)) (*secretsmanager.PutSecretValueOutput, error)
	DeleteSecret(context.Context, *secretsmanager.DeleteSecretInput, ...func(*secretsmanager.Options)) (*secretsmanager.DeleteSecretOutput, error)
}

// Vault keeps each secret as one of AWS Secrets Manager's, under prefix + name.
// A deleted one is gone at once: a revoked key must not linger for the days in
// which Secrets Manager would give it back. Its name may take a moment to be free
// again, so callers use a name once.
type Vault struct {
	api    VaultAPI
	prefix string
}

var _ secrets.Vault = (*Vault)(nil)

// NewVault makes a vault whose secrets are named prefix + name; permissions are
// given by the prefix, so it ends with a slash or a dash.
func NewVault(api VaultAPI, prefix string) *Vault { return &Vault{api, prefix} }

// Put writes a new version of the secret, or the secret with its first one.
func (v *Vault) Put(ctx context.Context, name string, value []byte) error {
	if err := secrets.CheckSecret(name, value); err != nil {
		return err
	}
	id := aws.String(v.prefix + name)
	for range 2 { // two first writers: the slower one adds a version
		_, err := v.api.PutSecretValue(ctx, &secretsmanager.PutSecretValueInput{SecretId: id, SecretBinary: value})
		var missing *types.ResourceNotFoundException
		if !errors.As(err, &missing) {
			return vaultError("writing", err)
		}
		_, err = v.api.CreateSecret(ctx, &secretsmanager.CreateSecretInput{
			Name: id, SecretBinary: value, Description: aws.String("A secret that a team entrusted to Mindgate; it is managed by the gateway"),
		})
		var taken *types.ResourceExistsException
		if !errors.As(err, &taken) {
			return vaultError("creating", err)
		}
	}
	return errors.New("secrets: creating a secret of the vault: it comes and goes while it is written")
}

// Get reads the current version.
func (v *Vault) Get(ctx context.Context, name string) ([]byte, error) {
	if err := secrets.CheckName(name); err != nil {
		return nil, err
	}
	out, err := v.api.GetSecretValue(ctx, &secretsmanager.GetSecretValueInput{SecretId: aws.String(v.prefix + name)})
	if gone(err) {
		return nil, secrets.ErrNoSecret
	}
	if err != nil {
		return nil, vaultError("reading", err)
	}
	if out.SecretString != nil {
		return []byte(*out.SecretString), nil
	}
	return out.SecretBinary, nil
}

// Delete removes the secret without a way back.
func (v *Vault) Delete(ctx context.Context, name string) error {
	if err := secrets.CheckName(name); err != nil {
		return err
	}
	_, err := v.api.DeleteSecret(ctx, &secretsmanager.DeleteSecretInput{
		SecretId: aws.String(v.prefix + name), ForceDeleteWithoutRecovery: aws.Bool(true),
	})
	if gone(err) {
		return nil
	}
	return vaultError("deleting", err)
}

// gone tells that there is no such secret: none, or one that is being deleted.
func gone(err error) bool {
	var missing *types.ResourceNotFoundException
	var deleted *types.InvalidRequestException
	return errors.As(err, &missing) || errors.As(err, &deleted)
}

func vaultError(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("secrets: %s a secret of the vault: %w", doing, err)
}

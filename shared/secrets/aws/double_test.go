//go:build aws

package aws_test

import (
	"os"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	"github.com/google/uuid"

	"github.com/mindgate-dev/mindgate/shared/secrets"
	mindgateaws "github.com/mindgate-dev/mindgate/shared/secrets/aws"
	"github.com/mindgate-dev/mindgate/shared/secrets/secretstest"
	"github.com/mindgate-dev/mindgate/shared/secrets/vaulttest"
)

// The suite on generated secrets of the double that AWS_ENDPOINT_URL names.
func TestContractOnTheDouble(t *testing.T) {
	if os.Getenv("AWS_ENDPOINT_URL") == "" {
		t.Fatal("set AWS_ENDPOINT_URL (and AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY) to the double to test against")
	}
	cfg, err := config.LoadDefaultConfig(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	client := secretsmanager.NewFromConfig(cfg)
	secretstest.Run(t, func(t *testing.T) func() secrets.Source {
		password, err := client.GetRandomPassword(t.Context(), &secretsmanager.GetRandomPasswordInput{
			PasswordLength: aws.Int64(64), ExcludePunctuation: aws.Bool(true),
		})
		if err != nil {
			t.Fatal(err)
		}
		made, err := client.CreateSecret(t.Context(), &secretsmanager.CreateSecretInput{
			Name: aws.String("mindgate-test-" + uuid.NewString()), SecretString: password.RandomPassword,
		})
		if err != nil {
			t.Fatal(err)
		}
		return func() secrets.Source { return mindgateaws.NewSource(client, aws.ToString(made.ARN)) }
	})
}

func TestVaultContractOnTheDouble(t *testing.T) {
	cfg, err := config.LoadDefaultConfig(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	client := secretsmanager.NewFromConfig(cfg)
	vaulttest.Run(t, func(t *testing.T) func() secrets.Vault {
		prefix := "mindgate-test-" + uuid.NewString() + "/"
		return func() secrets.Vault { return mindgateaws.NewVault(client, prefix) }
	})
}

package host

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
)

// Secret gives a reader of one secret of the account, such as the key of a
// search engine. What it reads is the whole text of the secret.
func (h *Host) Secret(name string) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		out, err := secretsmanager.NewFromConfig(h.AWS).GetSecretValue(ctx, &secretsmanager.GetSecretValueInput{SecretId: &name})
		if err != nil {
			return "", fmt.Errorf("reading the secret %q: %w", name, err)
		}
		return aws.ToString(out.SecretString), nil
	}
}

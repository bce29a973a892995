package host

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/mindgate-dev/mindgate/shared/awsbody"
)

// awsConfig reads what Lambda puts into a function's environment: region,
// credentials of its role, and AWS_ENDPOINT_URL of another implementation. The
// SDK's own loader would bring profiles, single sign-on and their clients into
// every function, which none of them can use.
func awsConfig(values map[string]string) (aws.Config, error) {
	region := values["AWS_REGION"]
	if region == "" {
		region = values["AWS_DEFAULT_REGION"]
	}
	key, secret := values["AWS_ACCESS_KEY_ID"], values["AWS_SECRET_ACCESS_KEY"]
	var missing []string
	for name, value := range map[string]string{"AWS_REGION": region, "AWS_ACCESS_KEY_ID": key, "AWS_SECRET_ACCESS_KEY": secret} {
		if value == "" {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return aws.Config{}, fmt.Errorf("not set: %s; Lambda sets them from the function's role", strings.Join(missing, ", "))
	}
	cfg := aws.Config{
		Region: region,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: key, SecretAccessKey: secret, SessionToken: values["AWS_SESSION_TOKEN"], Source: "environment of the function"}, nil
		}),
	}
	if url := values["AWS_ENDPOINT_URL"]; url != "" {
		if !strings.HasPrefix(url, "http://") && !strings.HasPrefix(url, "https://") {
			return aws.Config{}, errors.New("AWS_ENDPOINT_URL does not start with https:// or http://")
		}
		cfg.BaseEndpoint = &url
	}
	return awsbody.Config(cfg), nil
}

package host

import (
	"strings"
	"testing"
)

func TestAWSConfig(t *testing.T) {
	cfg, err := awsConfig(map[string]string{
		"AWS_REGION": "eu-central-1", "AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "s", "AWS_SESSION_TOKEN": "t", "AWS_ENDPOINT_URL": "http://127.0.0.1:4566",
	})
	if err != nil || cfg.Region != "eu-central-1" || cfg.BaseEndpoint == nil || *cfg.BaseEndpoint != "http://127.0.0.1:4566" || cfg.HTTPClient == nil {
		t.Fatalf("%+v %v", cfg, err)
	}
	c, err := cfg.Credentials.Retrieve(t.Context())
	if err != nil || c.AccessKeyID != "id" || c.SecretAccessKey != "s" || c.SessionToken != "t" {
		t.Errorf("%+v %v", c.Source, err)
	}
	for name, values := range map[string]map[string]string{
		"AWS_ACCESS_KEY_ID": {"AWS_REGION": "eu-central-1"},
		"AWS_ENDPOINT_URL":  {"AWS_REGION": "r", "AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "s", "AWS_ENDPOINT_URL": "127.0.0.1"},
	} {
		if _, err := awsConfig(values); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v does not name %s", err, name)
		}
	}
}

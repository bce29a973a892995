package host

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/middleware"
	"github.com/mindgate-dev/mindgate/shared/oauth"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/records/dynamo"
	"github.com/mindgate-dev/mindgate/shared/secrets"
	secretsaws "github.com/mindgate-dev/mindgate/shared/secrets/aws"
	"github.com/mindgate-dev/mindgate/shared/telemetry"
)

// TicketLabel is the label of the key that signs download addresses, in every
// host.
const TicketLabel = "download ticket v1"

// CursorLabel is the label of the key that signs cursors, in every host.
const CursorLabel = "records cursor v1"

// Host is a function's ground: what every function of the stack uses.
type Host struct {
	Env     Env
	AWS     aws.Config // honours AWS_ENDPOINT_URL
	Keys    *secrets.Ring
	Records records.Store
	Clock   clock.Clock
	IDs     clock.IDs
	Log     *slog.Logger
}

// Open reads the environment and prepares the clients. It runs once a cold
// start and reads one secret.
func Open(ctx context.Context) (*Host, error) {
	env, err := FromEnvironment()
	if err != nil {
		return nil, err
	}
	cfg, err := awsConfig(variables(os.Environ()))
	if err != nil {
		return nil, fmt.Errorf("AWS configuration: %w", err)
	}
	ring, err := secretsaws.NewSource(secretsmanager.NewFromConfig(cfg), env.SecretARN).Ring(ctx)
	if err != nil {
		return nil, err
	}
	store, err := Tables(cfg, env.RecordsTable, env.Idempotency, ring)
	if err != nil {
		return nil, err
	}
	log, err := telemetry.New(telemetry.Options{Writer: os.Stdout, Format: telemetry.JSON})
	if err != nil {
		return nil, err
	}
	return &Host{
		Env: env, AWS: cfg, Keys: ring, Records: store, Clock: clock.System{}, IDs: clock.RandomIDs{},
		Log: log,
	}, nil
}

// Tables opens the records of a stack over its two tables.
func Tables(cfg aws.Config, recordsTable, idempotencyTable string, keys secrets.Keys) (records.Store, error) {
	return dynamo.New(dynamo.NewClient(cfg), dynamo.Options{
		Tables:    map[records.Table]string{records.Records: recordsTable, records.Idempotency: idempotencyTable},
		CursorKey: keys.Derive(CursorLabel, 32),
	})
}

// Accounts proves callers.
func (h *Host) Accounts() *account.Service {
	return account.New(account.Config{Records: h.Records, Clock: h.Clock, IDs: h.IDs, Plans: h.Env.Plans})
}

// Callers proves callers by key or, where an issuer is configured, by its
// tokens; the verifier is nil without one.
func (h *Host) Callers() (middleware.Authenticator, *oauth.Verifier, error) {
	v, err := h.Env.Issuer.Verifier(h.Env.PublicURL, h.Clock, h.Log)
	if err != nil {
		return nil, nil, err
	}
	a, err := h.Env.Issuer.Credentials(h.Accounts(), v, h.Log)
	return a, v, err
}

// Limiter counts calls across all functions of the stack.
func (h *Host) Limiter() middleware.Limiter {
	if h.Env.RatePerMinute == 0 {
		return middleware.NoLimit{}
	}
	return middleware.NewRecords(h.Records, h.Env.RatePerMinute, h.Clock)
}

// Slots caps the calls of an account that run at once in the whole stack.
func (h *Host) Slots() middleware.Slots {
	if h.Env.Concurrent == 0 {
		return middleware.NoSlots{}
	}
	return middleware.NewRecordsSlots(h.Records, h.Env.Concurrent, h.Clock)
}

// Package domain wires the research of a function on AWS.
package domain

import (
	"time"

	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	awssfn "github.com/aws/aws-sdk-go-v2/service/sfn"

	"github.com/mindgate-dev/mindgate/functions/host"
	"github.com/mindgate-dev/mindgate/shared/blobs/s3"
	"github.com/mindgate-dev/mindgate/shared/fetch"
	opener "github.com/mindgate-dev/mindgate/shared/model/open"
	"github.com/mindgate-dev/mindgate/shared/research"
	secretsaws "github.com/mindgate-dev/mindgate/shared/secrets/aws"
	"github.com/mindgate-dev/mindgate/shared/simulate"
	"github.com/mindgate-dev/mindgate/shared/tool"
	"github.com/mindgate-dev/mindgate/shared/webpage"
	"github.com/mindgate-dev/mindgate/shared/websearch"
	"github.com/mindgate-dev/mindgate/shared/workflow/sfn"
)

// replyBytes is how much JSON one reply of the domain may hold. A tool's answer
// leaves the router twice, as data and as the same data in a text with every
// quotation mark escaped, about 2.6 times in all, and a function answers 6 MB.
const replyBytes = tool.MaxResultLambda * 4 / 5

// Research wires the domain over the stack's own services.
func Research(h *host.Host) (*research.Research, error) {
	guard, err := fetch.NewGuard(fetch.Options{Allow: h.Env.FetchAllow})
	if err != nil {
		return nil, err
	}
	found := websearch.Config{Provider: h.Env.Search.Provider, Endpoint: h.Env.Search.Endpoint}
	if h.Env.Search.KeySecret != "" {
		found.KeyFrom = h.Secret(h.Env.Search.KeySecret)
	}
	search, err := websearch.Open(found, guard, h.Clock)
	if err != nil {
		return nil, err
	}
	embedder, err := embedder(h, guard)
	if err != nil {
		return nil, err
	}
	platform, err := platformModel(h, guard)
	if err != nil {
		return nil, err
	}
	bucket := awss3.NewFromConfig(h.AWS, func(o *awss3.Options) {
		// A double of AWS answers on one host for all buckets.
		o.UsePathStyle = h.AWS.BaseEndpoint != nil
	})
	return research.New(research.Deps{
		Records: h.Records, Blobs: s3.New(bucket, h.Env.Bucket, s3.Options{}),
		Workflow: sfn.New(awssfn.NewFromConfig(h.AWS), h.Env.Machines),
		Clock:    h.Clock, IDs: h.IDs, Respondents: simulate.NewOffline(simulate.WithEmbedder(embedder)), Guard: guard,
		Embedder: embedder, Search: search, Pages: webpage.New(fetch.NewClient(guard, fetch.Limits{}), webpage.Options{Clock: h.Clock}),
		PublicURL: h.Env.PublicURL, TicketKey: h.Keys.Derive(host.TicketLabel, 32), Plans: h.Env.Plans, Log: h.Log,
		ReplyBytes: replyBytes, Model: platform, OpenModel: opener.New(opener.Options{Guard: guard, Clock: h.Clock}),
		Connections: h.Env.ModelConnections, Vault: secretsaws.NewVault(secretsmanager.NewFromConfig(h.AWS), h.Env.VaultPrefix),
		Mail:      mailer(h),
		EventPoll: time.Second, // calls and jobs are other processes
	}), nil
}

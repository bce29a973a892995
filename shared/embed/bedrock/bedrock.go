// Package bedrock embeds texts with Amazon Titan Text Embeddings V2 or Cohere
// Embed on Amazon Bedrock.
package bedrock

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"

	"github.com/mindgate-dev/mindgate/shared/embed"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/model/bedrock"
)

// atOnce is how many calls run beside each other; Titan takes one text a call.
const atOnce = 4

// family is what models of one maker have in common.
type family struct {
	name    string // part of the model's id
	dim     int
	batch   int // texts of a call
	most    int // characters of a text
	request func(f family, texts []string, question bool) any
	read    func(raw []byte) ([][]float32, error)
}

var families = []family{
	{name: "amazon.titan-embed-text-v2", dim: 1024, batch: 1, most: 8_000, request: titanRequest, read: titanRead},
	{name: "cohere.embed-v4", dim: 1024, batch: 96, most: 30_000, request: cohereFourRequest, read: cohereRead},
	{name: "cohere.embed-english-v3", dim: 1024, batch: 96, most: 2048, request: cohereRequest, read: cohereRead},
	{name: "cohere.embed-multilingual-v3", dim: 1024, batch: 96, most: 2048, request: cohereRequest, read: cohereRead},
}

type embedder struct {
	family
	api    *bedrockruntime.Client
	model  string
	repeat embed.Repeat
}

var _ embed.Asker = (*embedder)(nil)

// New makes an embedder over cfg's region and credentials; it makes no call, and
// calls are repeated by repeat alone (nil: not at all). The model is an id, such
// as amazon.titan-embed-text-v2:0, or that of an inference profile of one.
func New(cfg aws.Config, modelID string, repeat embed.Repeat) (embed.Embedder, error) {
	if repeat == nil {
		repeat = embed.Once
	}
	for _, f := range families {
		if strings.Contains(modelID, f.name) {
			return &embedder{family: f, model: modelID, repeat: repeat, api: bedrockruntime.NewFromConfig(cfg, func(o *bedrockruntime.Options) {
				o.Retryer = aws.NopRetryer{}
			})}, nil
		}
	}
	names := make([]string, len(families))
	for i, f := range families {
		names[i] = f.name
	}
	return nil, fmt.Errorf("%q is no model on Bedrock whose embeddings are known here; known are %s", modelID, strings.Join(names, ", "))
}

// Space is the same for a model and for inference profiles of it.
func (e *embedder) Space() embed.Space {
	return embed.Space{Model: e.name, Revision: "1", Dim: e.dim}
}

// Embed embeds passages; failures are *model.Error.
func (e *embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return e.embed(ctx, texts, false)
}

// Ask embeds questions; Cohere's models treat them another way.
func (e *embedder) Ask(ctx context.Context, texts []string) ([][]float32, error) {
	return e.embed(ctx, texts, true)
}

func (e *embedder) embed(ctx context.Context, texts []string, question bool) ([][]float32, error) {
	return embed.Filled(ctx, e.Space(), texts, e.most, func(ctx context.Context, texts []string) ([][]float32, error) {
		return embed.Batches(ctx, texts, e.batch, atOnce, func(ctx context.Context, texts []string) (vs [][]float32, err error) {
			err = e.repeat(ctx, func(ctx context.Context) error {
				vs, err = e.call(ctx, texts, question)
				return err
			})
			return vs, err
		})
	})
}

func (e *embedder) call(ctx context.Context, texts []string, question bool) ([][]float32, error) {
	body, err := json.Marshal(e.request(e.family, texts, question))
	if err != nil {
		return nil, err
	}
	res, err := e.api.InvokeModel(ctx, &bedrockruntime.InvokeModelInput{
		ModelId: &e.model, Body: body, ContentType: aws.String("application/json"), Accept: aws.String("application/json"),
	})
	if err != nil {
		return nil, bedrock.Failure(ctx, err)
	}
	vs, err := e.read(res.Body)
	if err != nil {
		return nil, &model.Error{Kind: model.KindMalformed, Detail: "the answer is not of this protocol"}
	}
	if err := embed.Check(e.Space(), len(texts), vs); err != nil {
		return nil, &model.Error{Kind: model.KindMalformed, Detail: err.Error()}
	}
	return vs, nil
}

func titanRequest(f family, texts []string, _ bool) any {
	return map[string]any{"inputText": texts[0], "dimensions": f.dim, "normalize": true}
}

func titanRead(raw []byte) ([][]float32, error) {
	var answer struct {
		Vector []float32 `json:"embedding"`
	}
	err := json.Unmarshal(raw, &answer)
	return [][]float32{answer.Vector}, err
}

func cohereRequest(_ family, texts []string, question bool) any {
	kind := "search_document"
	if question {
		kind = "search_query"
	}
	return map[string]any{"texts": texts, "input_type": kind, "truncate": "END"}
}

func cohereFourRequest(f family, texts []string, question bool) any {
	q := cohereRequest(f, texts, question).(map[string]any)
	q["truncate"], q["output_dimension"], q["embedding_types"] = "RIGHT", f.dim, []string{"float"}
	return q
}

// cohereRead reads both shapes: a list of vectors, or lists by type of number.
func cohereRead(raw []byte) ([][]float32, error) {
	var answer struct {
		Vectors json.RawMessage `json:"embeddings"`
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		return nil, err
	}
	var plain [][]float32
	if err := json.Unmarshal(answer.Vectors, &plain); err == nil {
		return plain, nil
	}
	var typed struct {
		Float [][]float32 `json:"float"`
	}
	err := json.Unmarshal(answer.Vectors, &typed)
	return typed.Float, err
}

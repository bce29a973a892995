// Package answer lets a language model answer as the Minds of a study. It is the
// counterpart of the offline engine behind the same interface: it retrieves what a
// Mind knows, asks the model with the Mind's persona, and checks what comes back.
//
// Two things are never left to the model: what in a prompt is an instruction and
// what is data, and what an answer may claim to rest on.
package answer

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/embed"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// Options of New.
type Options struct {
	// Used is told what each answer used; it must not block for long.
	Used func(ctx context.Context, who model.Info, u model.Usage)
	// Embedder maps words to options where Policy.SimilarityRating asks for it; nil:
	// such questions are asked as a choice.
	Embedder embed.Embedder
}

// Engine answers through a model. It is safe for concurrent use.
type Engine struct {
	client model.Client
	o      Options
}

var (
	_ simulate.Respondents = (*Engine)(nil)
	_ simulate.Streamer    = (*Engine)(nil)
)

// New makes the engine. The client should repeat what fails for the moment
// (model.Retrying). What its provider refuses comes back as it is, a *model.Error:
// whoever serves the answer says it in the service's words.
func New(client model.Client, o Options) *Engine { return &Engine{client, o} }

// Info names the engine and its model.
func (e *Engine) Info() simulate.Info {
	who := e.client.Info()
	return simulate.Info{Name: "model-respondent (" + who.Provider + ", " + who.Model + ")", Version: Version}
}

// OriginRequest is the origin of a citation of what the caller brought along.
const OriginRequest = "request"

// Version changes with every change that alters a prompt or how an answer is read.
const Version = "1.4.0"

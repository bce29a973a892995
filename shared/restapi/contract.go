package restapi

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"
)

// The operations of the table as the contract states them, and no others: a
// function reads this at its cold start. go generate writes it.
//
//go:embed operations.gen.json
var contractJSON []byte

// agreed is one operation of the contract.
type agreed struct {
	Method      string            `json:"method"`
	Path        string            `json:"path"`
	OperationID string            `json:"operationId"`
	Summary     string            `json:"summary"`
	Auth        string            `json:"auth"`
	Request     agreedRequest     `json:"request"`
	Response    map[string]any    `json:"response"` // by status: a schema, or a sentence
	StatusCodes map[string]string `json:"statusCodes"`
	Limits      map[string]any    `json:"limits"`
	Pagination  *string           `json:"pagination"`
	Idempotency *string           `json:"idempotency"`
	Cache       string            `json:"cacheHeaders"`
	Scope       string            `json:"oauthScope"`
	Tools       []string          `json:"mcpTools"`
	Note        string            `json:"note"`
}

type agreedRequest struct {
	Path    map[string]any `json:"path"`
	Query   map[string]any `json:"query"`
	Headers map[string]any `json:"headers"`
	Body    map[string]any `json:"body"`
}

// readContract reads the embedded part once; a failure is a broken build and
// not a caller's fault.
var readContract = sync.OnceValues(func() (map[string]agreed, error) { return parseContract(contractJSON) })

func parseContract(raw []byte) (map[string]agreed, error) {
	var list []agreed
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, fmt.Errorf("restapi: the contract cannot be read: %w", err)
	}
	byID := make(map[string]agreed, len(list))
	for _, e := range list {
		byID[e.OperationID] = e
	}
	return byID, nil
}

// Compact picks the operations of the table out of the contract's rest.json
// and writes them one a line.
func Compact(rest []byte) ([]byte, error) {
	var list []json.RawMessage
	if err := json.Unmarshal(rest, &list); err != nil {
		return nil, fmt.Errorf("restapi: the contract cannot be read: %w", err)
	}
	wanted := make(map[string]bool)
	for _, o := range table() {
		wanted[o.id] = true
	}
	var out bytes.Buffer
	for _, raw := range list {
		var e agreed
		if err := json.Unmarshal(raw, &e); err != nil {
			return nil, fmt.Errorf("restapi: an operation of the contract cannot be read: %w", err)
		}
		if !wanted[e.OperationID] {
			continue
		}
		if out.Len() > 0 {
			out.WriteString(",\n")
		}
		if err := json.Compact(&out, raw); err != nil {
			return nil, err
		}
	}
	return append(append([]byte("[\n"), out.Bytes()...), "\n]\n"...), nil
}

package main

import (
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/catalog"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// Ids that stand for records of the reader's own; put real ones in their place.
const (
	sampleWorkspace = "11111111-1111-4111-8111-111111111111"
	sampleAccount   = "22222222-2222-4222-8222-222222222222"
	sampleRecord    = "33333333-3333-4333-8333-333333333333"
	sampleJob       = "44444444-4444-4444-8444-444444444444"
)

// Events makes one sample event a function, by file name: what the gateway, the
// router or a state machine would hand it.
func Events(root string) (map[string][]byte, error) {
	s, err := describe(root)
	if err != nil {
		return nil, err
	}
	events := map[string]any{
		"mcp.json":  httpEvent("POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"sample","version":"1"}}}`),
		"rest.json": httpEvent("GET", "/api/v1/minds", ""),
	}
	for _, t := range s.Tools {
		def, _ := catalog.Minds().Lookup(t.Name)
		args := json.RawMessage("{}")
		if len(def.Examples) > 0 {
			args = def.Examples[0]
		}
		events[t.Name+".json"] = tool.Envelope{
			Tool: t.Name, Args: args, RequestID: "sample", Protocol: "2025-11-25",
			Principal: account.Principal{Account: sampleAccount, Workspace: sampleWorkspace, Name: "sample", Plan: account.Team, Scopes: []string{"*"}, Method: "api_key"},
		}
	}
	for _, task := range append(s.Tasks, function{Name: "Sweep"}) {
		events[task.Name+".json"] = taskEvent(task.Name)
	}
	out := map[string][]byte{}
	for name, event := range events {
		raw, err := json.MarshalIndent(event, "", "  ")
		if err != nil {
			return nil, err
		}
		out[name] = append(raw, '\n')
	}
	return out, nil
}

func taskEvent(name string) any {
	job := map[string]any{
		"job": sampleJob, "workspace": sampleWorkspace, "account": sampleAccount,
		"mind": sampleRecord, "item": sampleRecord, "minds": []string{sampleRecord}, "mindId": sampleRecord, "itemId": sampleRecord, "studyId": sampleRecord, "formation": sampleRecord, "runId": sampleJob, "questionId": sampleRecord,
	}
	switch name {
	case "Sweep":
		return map[string]any{"source": "aws.events"}
	case "QuestionAnswer":
		return map[string]any{"job": job, "chunk": 0}
	case "KnowledgeRead":
		return map[string]any{"job": job, "item": sampleRecord}
	case "MindTrainingIngest":
		return map[string]any{"job": job, "item": sampleRecord, "index": 0, "of": 1}
	case "MindReembed":
		return map[string]any{"job": job, "cursor": ""}
	case "MindTrainingFail", "MindPortraitFail", "MindReembedFail", "KnowledgeIngestFail", "KnowledgeSearchFail", "QuestionFail", "ExportFail", "DatasetFail", "FormationFail", "AudienceChangeFail", "HeatmapFail":
		return map[string]any{"job": job, "error": "States.Timeout"}
	}
	return job
}

// httpEvent is a request as an HTTP API hands it on (payload format 2.0).
func httpEvent(method, path, body string) any {
	return map[string]any{
		"version": "2.0", "routeKey": "$default", "rawPath": path, "rawQueryString": "",
		"headers": map[string]string{
			"accept": "application/json, text/event-stream", "content-type": "application/json",
			"authorization": "Bearer minds_000000000000000000000000000000000000000000000000", "host": "example.execute-api.us-east-1.amazonaws.com",
		},
		"requestContext": map[string]any{
			"accountId": "123456789012", "apiId": "example", "stage": "$default", "requestId": "sample",
			"domainName": "example.execute-api.us-east-1.amazonaws.com", "time": "30/Nov/2026:12:00:00 +0000", "timeEpoch": 1796040000000,
			"http": map[string]string{"method": method, "path": path, "protocol": "HTTP/1.1", "sourceIp": "192.0.2.1", "userAgent": "sample"},
		},
		"body": body, "isBase64Encoded": false,
	}
}

func writeEvents(root string) error {
	events, err := Events(root)
	if err != nil {
		return err
	}
	for name, raw := range events {
		if err := os.WriteFile(filepath.Join(root, "events", name), raw, 0o644); err != nil {
			return err
		}
	}
	return nil
}

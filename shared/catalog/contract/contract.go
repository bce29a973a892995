// Package contract holds the contract files of each toolset: the source of
// every tool name, schema and numbered rule. Generators and tests read them;
// a binary that serves calls links package catalog instead, which embeds only
// what a router needs.
package contract

import "embed"

// Files are the contract files, by toolset: minds/tools.json (tools with
// schemas and examples), minds/rest.json (REST operations), minds/schemas.json
// (shared shapes), minds/behaviour.md (numbered rules).
//
//go:embed minds
var Files embed.FS

// Tools is the raw tools.json of a toolset.
func Tools(toolset string) ([]byte, error) { return Files.ReadFile(toolset + "/tools.json") }

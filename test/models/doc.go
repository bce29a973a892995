// Package models holds the clients of model providers to a stand-in of them all,
// over the wire: `make test-models`.
package models

// Package restapi serves /api/v1: one table of operations, each with its
// shapes from the contract and one domain call. The same table gives the
// OpenAPI document and its reference page, so what is served, what is checked
// and what is documented cannot drift apart.
package restapi

//go:generate go run ./generate

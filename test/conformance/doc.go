// Package conformance holds the gateway to the protocol from outside: `run`
// drives the official suite and real clients, the tests here send raw requests
// to the real program and to a function behind the emulator. They need the tag
// conformance and what `run` installs; `make test-conformance` does it all.
package conformance

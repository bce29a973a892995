// Package oracles holds the choice models to published data sets that this
// repository does not carry: `make test-oracles` installs packages that do, in
// pinned versions, and compares with figures computed by other programs.
package oracles

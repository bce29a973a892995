package main

import (
	"fmt"

	"github.com/mindgate-dev/mindgate/functions/host"
)

type versionCommand struct{}

// Run prints the version.
func (versionCommand) Run(s streams) error {
	_, err := fmt.Fprintln(s.out, "mindgate", version())
	return err
}

func version() string { return host.Version() }

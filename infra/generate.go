// Command infra writes template.yaml: the parts of the stack in parts/, joined
// with the tools that exist and the state machines under statemachines/; and a
// sample event for each function under events/.
package main

//go:generate go run .

import (
	"fmt"
	"os"
)

func main() {
	out, err := Template("..")
	if err == nil {
		err = os.WriteFile("../template.yaml", out, 0o644)
	}
	if err == nil {
		err = writeEvents("..")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "infra:", err)
		os.Exit(1)
	}
}

package router

import (
	"slices"
	"testing"

	"github.com/mindgate-dev/mindgate/functions/minds"
)

func TestRouterKnowsEveryTool(t *testing.T) {
	var built []string
	for _, tool := range minds.Registry() {
		built = append(built, tool.Name)
	}
	slices.Sort(built)
	if !slices.Equal(built, Tools()) {
		t.Errorf("the router lists\n%v\nand these are built:\n%v", Tools(), built)
	}
}

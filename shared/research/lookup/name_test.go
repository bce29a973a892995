package lookup

import (
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

func TestANameIsOneLine(t *testing.T) {
	for text, says := range map[string]string{
		"Ada":            "",
		"Zoë 👩‍🌾 नमस्ते": "", // joiners are part of some names
		"Ad\x00a":        "U+0000 as its character 3",
		"Ada\nBob":       "U+000A as its character 4",
		"\u2028Ada":      "U+2028 as its character 1",
		"Ada\u0085":      "U+0085",
		"tab\tulator":    "U+0009",
		"delete\x7f":     "U+007F",
		"non-breaking b": "",
	} {
		err := OneLine("name", text)
		if says == "" && err != nil || says != "" && (!fault.Is(err, fault.Validation) || !strings.Contains(err.Error(), says)) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

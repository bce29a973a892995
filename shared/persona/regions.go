package persona

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed data/regions.txt
var regionData string

// regionNames are what regions are called there, by country, language and folded
// label.
var regionNames = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(regionData) {
		p := strings.Split(strings.TrimRight(line, "\r\n"), "|")
		if strings.HasPrefix(line, "#") || len(p) != 4 {
			continue
		}
		for _, label := range strings.Split(p[3], ",") {
			m[p[0]+" "+p[1]+" "+low(label)] = p[2]
		}
	}
	return m
})

// regionText is the region in the language of the brief, where that is a language
// of the country; elsewhere the label of its axis.
func (f *facts) regionText() string {
	if own := regionNames()[f.home()+" "+f.lang+" "+low(f.region)]; own != "" {
		return own
	}
	return f.region
}

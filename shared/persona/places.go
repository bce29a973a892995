package persona

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed data/places.txt
var placeData string

// cities by country and folded name of the region.
var cities = sync.OnceValue(func() map[string][]string {
	m := map[string][]string{}
	for line := range strings.Lines(placeData) {
		p := strings.Split(strings.TrimRight(line, "\r\n"), "|")
		if strings.HasPrefix(line, "#") || len(p) != 3 {
			continue
		}
		list := strings.Split(p[2], ",")
		for _, name := range strings.Split(p[1], ",") {
			m[p[0]+" "+low(name)] = list
		}
	}
	return m
})

// city is a city inside the region that was assigned; empty where none is known,
// where the region is a city itself, or where people live in the country.
func (f *facts) city(d drawer) string {
	if f.region == "" || f.settlement == rural || f.settlement == suburban {
		return ""
	}
	list := cities()[f.home()+" "+low(f.region)]
	if len(list) == 0 {
		list = cities()[f.home()+" "+low(f.regionText())]
	}
	if len(list) == 0 {
		return ""
	}
	weights := make([]int, len(list))
	for i := range list {
		weights[i] = 12 / (i + 2) // the largest first
		weights[i]++
	}
	c := list[d.weighted("city", weights)]
	if low(c) == low(f.region) {
		return ""
	}
	return c
}

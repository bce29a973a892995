package websearch

import "github.com/mindgate-dev/mindgate/shared/fetch"

// Read gives what a search would make of an engine's answer.
func Read(name string, answer []byte, guard *fetch.Guard) []Result {
	e, _ := engineOf(name)
	found, err := e.results(answer)
	if err != nil {
		return nil
	}
	return (&search{engine: e, guard: guard}).clean(found, MaxResults)
}

package middleware_test

import (
	"net/url"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/middleware"
)

func TestInQuery(t *testing.T) {
	for query, want := range map[string]bool{
		"": false, "explicit=true": false, "names=underscore&find_tools=true": false, "note=my+minds_": false,
		"access_token=x": true, "Access_Token=x": true, "API_KEY=x": true, "token": true,
		"key=minds_0123": true, "x=eyJhbGciOi": true, "x=a&x=eyJ": true,
	} {
		q, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		if got := middleware.InQuery(q); (got != nil) != want || got != nil && got.Status() != 400 {
			t.Errorf("%q: %v", query, got)
		}
	}
}

package webpage

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestRules(t *testing.T) {
	for _, c := range []struct{ name, file, allowed, refused string }{
		{"nothing", "", "/ /x", ""},
		{"everybody", "User-agent: *\nDisallow: /p", "/ /x /P", "/p /p/ /page /p?q"},
		{"everything", "user-agent:*\ndisallow:/", "/robots.txt", "/ /x"},
		{"empty rule", "User-agent: *\nDisallow:", "/ /x", ""},
		{"our own group alone counts", "User-agent: *\nDisallow: /\n\nUser-agent: Mindgate\nDisallow: /q", "/ /x", "/q"},
		{"our own group without rules", "User-agent: *\nDisallow: /\n\nUser-agent: mindgate\n", "/ /x", ""},
		{"with a version, in capitals", "User-agent: MINDGATE/2.0\nDisallow: /q\nUser-agent: *\nDisallow: /", "/x", "/q"},
		{"not a part of our name", "User-agent: mind\nDisallow: /\nUser-agent: mindgatebot\nDisallow: /", "/x", ""},
		{"groups of one name join", "User-agent: mindgate\nDisallow: /a\nUser-agent: x\nDisallow: /b\nUser-agent: mindgate\nDisallow: /c", "/b", "/a /c"},
		{"several names of one group", "User-agent: x\nUser-agent: mindgate\n# and\nUser-agent: y\nDisallow: /a", "/b", "/a"},
		{"the longest wins", "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c", "/a/b /a/bx", "/a /a/c /a/b/c"},
		{"allow wins between equals, in either order", "User-agent: *\nDisallow: /a\nAllow: /a\nAllow: /b\nDisallow: /b", "/a /b", ""},
		{"asterisks", "User-agent: *\nDisallow: /*/print\nDisallow: *.zip", "/print /a/b", "/a/print /a/b/print/x /x.zip /d/x.zip?q"},
		{"to the end", "User-agent: *\nDisallow: /*.pdf$\nDisallow: /end$", "/a.pdf?x /endless /end/", "/a.pdf /d/a.pdf /end"},
		{"bound to the start", "User-agent: *\nDisallow: /a*b", "/x/ab /b", "/ab /aXb /a/x/b/c"},
		{"an asterisk before the end", "User-agent: *\nDisallow: /a*$", "/b", "/a /ab"},
		{"queries", "User-agent: *\nDisallow: /*?", "/a", "/a?x /?"},
		{"percent signs", "User-agent: *\nDisallow: /%7Ejoe\nDisallow: /b%C3%BCcher\nDisallow: /a%2fb", "/a/b", "/~joe /%7ejoe /bücher /b%c3%bccher /a%2Fb"},
		{"lines that say nothing", "Disallow: /before\nnonsense\nCrawl-delay: soon\nUser-agent: *\nCrawl-delay: ten\nSitemap: https://x.example/s.xml\nDisallow: /a # why\nHost: x", "/before", "/a"},
		{"other line ends and a mark", "\ufeffUser-agent: *\rDisallow: /a\r\n\r\nDisallow: /b", "/c", "/a /b"},
		{"no slash", "User-agent: *\nDisallow: tmp", "/x/tmp", "/tmp"},
	} {
		rs := parseRules([]byte(c.file), "mindgate")
		for _, p := range strings.Fields(c.allowed) {
			if !rs.allowed(p) {
				t.Errorf("%s: %s is refused", c.name, p)
			}
		}
		for _, p := range strings.Fields(c.refused) {
			if rs.allowed(p) {
				t.Errorf("%s: %s is allowed", c.name, p)
			}
		}
	}
}

// A file made to cost time costs little.
func TestRulesAreCheap(t *testing.T) {
	text := []byte("User-agent: *\n" + strings.Repeat("Disallow: /"+strings.Repeat("*a", 200)+"b$\n", maxRules/420))
	rs := parseRules(text, "mindgate")
	begin := time.Now()
	rs.allowed("/" + strings.Repeat("a", 2000))
	if d := time.Since(begin); d > time.Second {
		t.Errorf("%s for one address", d)
	}
}

// Matching agrees with the plain meaning of the pattern, place by place.
func TestRulesMeanWhatTheySay(t *testing.T) {
	alphabet := rapid.SampledFrom([]byte("ab/"))
	rapid.Check(t, func(t *rapid.T) {
		pattern := "/" + string(rapid.SliceOfN(rapid.SampledFrom([]byte("ab/*")), 0, 8).Draw(t, "pattern"))
		if rapid.Bool().Draw(t, "ends") {
			pattern += "$"
		}
		path := "/" + string(rapid.SliceOfN(alphabet, 0, 10).Draw(t, "path"))
		if got, want := newRule(pattern, false).matches(path), slowMatch(pattern, path); got != want {
			t.Fatalf("%s on %s: %v, want %v", pattern, path, got, want)
		}
	})
}

func slowMatch(pattern, path string) bool {
	switch {
	case pattern == "":
		return true
	case pattern == "$":
		return path == ""
	case pattern[0] == '*':
		for i := range len(path) + 1 {
			if slowMatch(pattern[1:], path[i:]) {
				return true
			}
		}
		return false
	}
	return path != "" && path[0] == pattern[0] && slowMatch(pattern[1:], path[1:])
}

func FuzzRules(f *testing.F) {
	for _, s := range []string{"User-agent: *\nDisallow: /", "user-agent:mindgate\nallow:*$\ndisallow:%", "\xff\xfe:\r#", "Allow:$\nUser-Agent:*\nAllow:$"} {
		f.Add([]byte(s), "/a?b")
	}
	f.Fuzz(func(t *testing.T, text []byte, path string) {
		rs := parseRules(text, "mindgate")
		if rs.allowed(path) != parseRules(text, "mindgate").allowed(path) || !rs.allowed("/robots.txt") {
			t.Fatal("of two minds")
		}
		if plain(plain(path)) != plain(path) {
			t.Fatalf("%q has no one form", path)
		}
	})
}

package persona

import (
	"strings"
	"unicode"
)

// latinOf writes Cyrillic and Greek in Latin letters, near to how passports do
// (ICAO 9303; ELOT 743); empty for Latin and for scripts that need a list.
func latinOf(s string) string {
	var b strings.Builder
	other := false
	r := []rune(strings.ToLower(s))
	for i := 0; i < len(r); i++ {
		if i+1 < len(r) {
			if v, ok := greekPairs[string(r[i:i+2])]; ok {
				b.WriteString(v)
				other = true
				i++
				continue
			}
		}
		if v, ok := letters[r[i]]; ok {
			b.WriteString(v)
			other = true
			continue
		}
		if r[i] > 0x24f && unicode.IsLetter(r[i]) {
			return ""
		}
		b.WriteRune(r[i])
	}
	if !other {
		return ""
	}
	parts := strings.Split(b.String(), " ")
	for i, p := range parts {
		parts[i] = capital(p)
	}
	return strings.Join(parts, " ")
}

func capital(s string) string {
	r := []rune(s)
	up := true
	for i := range r {
		if up {
			r[i] = unicode.ToUpper(r[i])
		}
		up = r[i] == '-'
	}
	return string(r)
}

var letters = func() map[rune]string {
	m := map[rune]string{}
	p := strings.Fields("а a б b в v г g д d е e ё e ж zh з z и i й y к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch ш sh щ shch ъ a ы y э e ю yu я ya і i ї yi є ye ґ g " +
		"α a ά a β v γ g δ d ε e έ e ζ z η i ή i θ th ι i ί i ϊ i ΐ i κ k λ l μ m ν n ξ x ο o ό o π p ρ r σ s ς s τ t υ y ύ y φ f χ ch ψ ps ω o ώ o")
	for i := 0; i+1 < len(p); i += 2 {
		m[[]rune(p[i])[0]] = p[i+1]
	}
	m['ь'], m['’'] = "", "’"
	return m
}()

var greekPairs = map[string]string{"ου": "ou", "ού": "ou", "μπ": "mp", "ντ": "nt", "γγ": "ng", "γκ": "gk", "αυ": "av", "αύ": "av", "ευ": "ev", "εύ": "ev", "ει": "ei", "εί": "ei", "οι": "oi", "οί": "oi"}

package mind

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestIdentityHolds_M26(t *testing.T) {
	id := &Identity{Age: 34, Gender: "Female", Representation: "Latina"}
	for name, tt := range map[string]struct{ text, want string }{
		"agrees":              {"Age: 34\nGender: female\nI am 34 years old.", "Age: 34\nGender: female\nI am 34 years old."},
		"says nothing":        {"I like tea and have 3 cats.", "I like tea and have 3 cats."},
		"another age line":    {"Age: 51\nLikes tea", "Age: 34\nLikes tea"},
		"bold age line":       {"**Age**: 51", "**Age**: 34"},
		"age in prose":        {"You are 51 years old and like tea.", "You are 34 years old and like tea."},
		"age as an adjective": {"You are a 51-year-old baker.", "You are a 34-year-old baker."},
		"aged":                {"A nurse, aged 51, from Lyon.", "A nurse, aged 34, from Lyon."},
		"gender line":         {"Gender: Male\n", "Gender: Female\n"},
		"gender in prose":     {"You are a tall man from Lyon.", "You are a tall woman from Lyon."},
		"as a man":            {"As a man I drive.", "As a woman I drive."},
		"representation":      {"Representation: White", "Representation: Latina"},
		"an age of others":    {"My son is 8 and my car is 12.", "My son is 8 and my car is 12."},
	} {
		t.Run(name, func(t *testing.T) {
			if got := id.Hold(tt.text); got != tt.want {
				t.Errorf("%q", got)
			}
			if id.Denies(tt.text) != (tt.text != tt.want) {
				t.Error("denies")
			}
		})
	}
	var none *Identity
	if none.Hold("Age: 51") != "Age: 51" || none.Denies("Age: 51") || none.header() != "" {
		t.Error("who was assigned nothing is held to nothing")
	}
}

// What was held once agrees: holding again changes nothing, whatever the text.
func TestHoldIsIdempotent_M26(t *testing.T) {
	words := []string{"age", "Age:", "age 51", "I am 51", "51 years old", "a 20-year-old", "man", "You are a man", "woman", "Gender: male", "\n", ";", ".", ",", "aged 7", "Representation: x"}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 12).Draw(t, "words"), rapid.SampledFrom([]string{" ", "", "\n"}).Draw(t, "between"))
		id := &Identity{Age: rapid.IntRange(0, 99).Draw(t, "age"), Gender: rapid.SampledFrom([]string{"", "Female", "male", "Non-binary", "a;b", "x.\ny"}).Draw(t, "gender"), Representation: "Black"}
		once := id.Hold(text)
		if again := id.Hold(once); again != once {
			t.Fatalf("%q became %q and then %q", text, once, again)
		}
	})
}

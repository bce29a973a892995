package brief

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// figured is every figure of a brief, on one line.
func figured(b Brief) string {
	var out []string
	for _, f := range b.Figures {
		out = append(out, fmt.Sprintf("%s:%s=%g", f.Axis, f.Label, f.Pct))
	}
	for _, f := range b.Reported {
		out = append(out, fmt.Sprintf("reported %g", f.Pct))
	}
	for _, q := range b.Unread {
		out = append(out, "unread "+q)
	}
	return strings.Join(out, "; ")
}

// Shares of one list that come to the whole are one axis; those of different things
// stay apart, though they come to it as well. No figure is lost (M-42).
func TestListedShares(t *testing.T) {
	for text, want := range map[string]string{
		"US voters, 38% Republican, 36% Democrat, 26% independent":                          "Party:Republicans=38; Party:Democrats=36; Party:Independent=26",
		"Adults in India, 62% Muslim 38% Hindu":                                             "Religion:Muslim=62; Religion:Hindu=38",
		"Adults in Norway, 12% with children, 88% without":                                  "Parental status:Parents=12; Parental status:No children=88",
		"Adults in Berlin, 10 % vegan, 90 % not":                                            "Diet:Vegan=10; Diet:Not vegan=90",
		"Commuters in London: 40% tube, 30% bus, 15% car, 10% bike, 5% walk":                "Transport:Tube=40; Transport:Bus=30; Transport:Car=15; Transport:Bike=10; Transport:Walk=5",
		"Workers in France: retail 40%, services 35%, manufacturing 25%":                    "Industry:Retail=40; Industry:Services=35; Industry:Manufacturing=25",
		"Physicians in Germany: 33.3% cardiologists, 33.3% oncologists, 33.4% neurologists": "Occupation:Cardiologists=33.3; Occupation:Oncologists=33.3; Occupation:Neurologists=33.4",
		"Gen Z and Millennials in the UK, split 50/50":                                      "Age:14-29=50; Age:30-45=50",
		"Adults in Ireland, 60 % women, 40 % with children":                                 "Gender:Woman=60; Parental status:Parents=40",
		"Adults in Latvia, 60 % women, 40 % own a dog":                                      "Gender:Woman=60; Pet ownership:Dog owners=40",
		"a religion distribution: 50 % Catholic, 30 % Protestant, 20 % none":                "Religion:Catholic=50; Religion:Protestant=30; Religion:None=20",
		"Erwachsene in Österreich: 60 % evangelisch, 40 % katholisch":                       "Religion:Evangelisch=60; Religion:Katholisch=40",
		"Frauen in Wien, 50 % mit Kindern, 50 % ohne":                                       "Parental status:Parents=50; Parental status:No children=50",
		"Adults in the US. In 2019, 45% of Americans owned a dog":                           "reported 45",
		"Lehrer in Hessen. Laut einer Studie sind 73 % davon Frauen":                        "reported 73",
		"Adults in Spain. Half of Spaniards own their home":                                 "reported 50",
	} {
		if got := figured(Read(text)); got != want {
			t.Errorf("%q has %q, want %q", text, got, want)
		}
	}
}

// What people are about to do, are satisfied with or think is a finding and no quota
// (M-53): it is named among the outcomes, on its axis.
func TestFindingsAreOutcomes(t *testing.T) {
	for text, want := range map[string]string{
		"Adults in the UK, 60 % would buy again":                       "would buy again",
		"Bank customers in Spain. 42% intend to switch bank next year": "intend to switch bank next year",
		"Swedish adults, 57% think taxes are too high":                 "think taxes are too high",
		"App users in Germany. 35% are very satisfied with the app":    "very satisfied with the app",
		"Adultos en España, el 60 % votaría al PSOE":                   "votaría al PSOE",
		"Erwachsene in Wien, 30 % sind sehr zufrieden":                 "sehr zufrieden",
		"Adults in Ireland, 60 % women":                                "",
		"Adults in Ireland, 60 % own a dog":                            "",
	} {
		b := Read(text)
		got := ""
		for _, o := range b.Outcomes {
			if o.Axis != "" {
				got += strings.ToLower(o.Label[:1]) + o.Label[1:]
			}
		}
		if got != want {
			t.Errorf("%q has the outcome %q, want %q", text, got, want)
		}
	}
}

// What cannot be is refused with both statements; what can is not.
func TestClashes(t *testing.T) {
	for text, clash := range map[string]bool{
		"Adults in the US aged 18 to 30 who are over 50":      true,
		"100% men, 100% pregnant women in Chile":              true,
		"Retirees in Chile aged 18 to 24":                     true,
		"Adults in Italy, -20% women":                         true,
		"Mothers in Chile, but not women":                     true,
		"日本の30代から40代の会社員":                                     false,
		"Women aged 30-39 and men aged 40-49 in Spain, 50/50": false,
		"Teachers (f) in Austria":                             false,
		"Smokers and non-smokers in Portugal":                 false,
		"Women in Kenya, 40 % mothers":                        false,
		"Adults in Ireland:\n- 60% women\n- 40% men":          false,
		"Adults in Ireland 18-34 – 60% women":                 false,
	} {
		if b := Read(text); (len(b.Contradictions) > 0) != clash {
			t.Errorf("%q: %+v", text, b.Contradictions)
		}
	}
}

// repeated are texts of n bytes that say one thing over and over.
func repeated(n int) []string {
	var out []string
	for _, form := range []string{"5 %% like thing%d, ", "thing%d 5%%, ", "not women, no men %d, ", "50/50 a%d and b, ", "except Madrid and Paris %d, ", "5 %% of Americans%d own. ", "household size 4+ %d, ", "who don't own a car %d, "} {
		var s strings.Builder
		s.WriteString("Adults in Ireland, ")
		for i := 0; s.Len() < n; i++ {
			fmt.Fprintf(&s, form, i)
		}
		out = append(out, s.String())
	}
	return out
}

// A text of the greatest length takes well under a second, whatever it repeats.
func TestLongTextsAreReadInLinearTime(t *testing.T) {
	if testing.Short() {
		t.Skip("reads megabytes")
	}
	for _, text := range repeated(200_000) {
		began := time.Now()
		Read(text)
		if took := time.Since(began); took > 5*time.Second { // a machine under load included
			t.Errorf("%.40q… took %v", text, took)
		}
	}
}

func BenchmarkReadRepeated(b *testing.B) {
	for _, n := range []int{50_000, 100_000, 200_000} {
		texts := repeated(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				for _, text := range texts {
					Read(text)
				}
			}
		})
	}
}

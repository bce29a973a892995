package brief

import (
	"fmt"
	"strings"
	"testing"
)

// Ages against sizes, shares, years and money.
func TestAges(t *testing.T) {
	for text, want := range map[string]string{
		"People aged 25 to 45":                                     "25-45",
		"Shoppers, 25-45 year olds":                                "25-45",
		"25–45-year-old drivers in Spain":                          "25-45",
		"Women between 25 and 45":                                  "25-45",
		"consumers under 30":                                       "0-29",
		"over 65s in the UK":                                       "65-0",
		"over-50s who travel":                                      "50-0",
		"adults 65+":                                               "65-0",
		"65 and over, living in Italy":                             "65-0",
		"people 18 or older":                                       "18-0",
		"at least 21 years old":                                    "21-0",
		"no older than 40 years":                                   "0-40",
		"born 1990-2000":                                           "26-36",
		"born between 1981 and 1996":                               "30-45",
		"Gen Z shoppers":                                           "14-29",
		"millennials":                                              "30-45",
		"Gen X and boomers":                                        "46-80",
		"couples in their 30s":                                     "30-39",
		"people in their late twenties":                            "27-29",
		"renters in their 30s and 40s":                             "30-49",
		"teenagers in Brazil":                                      "13-19",
		"adults in Canada":                                         "18-0",
		"adults 18-24, 25-34 and 35-44":                            "18-44",
		"Age: 30-55\nGender: any":                                  "30-55",
		"companies with 500 employees":                             "",
		"earning £50k to £70k":                                     "",
		"diagnosed in the last 5 to 10 years":                      "",
		"with 3-5 years of experience, nurses":                     "",
		"interviews of 25 to 45 minutes with nurses":               "",
		"parents of children aged 6 to 12":                         "",
		"mothers with kids under 12":                               "",
		"children aged 8-12 in Spain":                              "8-12",
		"25 to 45 shops":                                           "",
		"over 50 companies":                                        "",
		"20-30 % of nurses":                                        "",
		"Menschen zwischen 25 und 45 Jahren":                       "25-45",
		"25- bis 45-Jährige in Wien":                               "25-45",
		"Personen ab 18 Jahren":                                    "18-0",
		"Rentner über 65":                                          "65-0",
		"Frauen unter 30 Jahren":                                   "0-29",
		"Kunden im Alter von 30 bis 50 Jahren":                     "30-50",
		"die über 50-Jährigen":                                     "50-0",
		"Eltern von Kindern unter 6 Jahren":                        "",
		"mit mindestens drei Jahren Berufserfahrung, Lehrer":       "",
		"des femmes de 25 à 45 ans":                                "25-45",
		"personnes âgées de 30 à 50 ans":                           "30-50",
		"hommes de plus de 65 ans":                                 "65-0",
		"les moins de 30 ans":                                      "0-29",
		"âgés entre 18 et 24 ans":                                  "18-24",
		"65 ans et plus":                                           "65-0",
		"mujeres de entre 25 y 45 años":                            "25-45",
		"mayores de 65 años":                                       "65-0",
		"menores de 30 años":                                       "0-29",
		"hombres de 18 a 24 años":                                  "18-24",
		"donne dai 25 ai 45 anni":                                  "25-45",
		"uomini tra i 30 e i 40 anni":                              "30-40",
		"over 65 in Italia, che vivono da soli":                    "65-0",
		"mulheres dos 25 aos 45 anos":                              "25-45",
		"homens com mais de 65 anos":                               "65-0",
		"vrouwen tussen 25 en 45 jaar":                             "25-45",
		"mannen van 25 tot 45 jaar":                                "25-45",
		"65-plussers in Nederland":                                 "65-0",
		"kobiety w wieku 25-45 lat":                                "25-45",
		"osoby powyżej 65 lat":                                     "65-0",
		"kvinnor mellan 25 och 45 år":                              "25-45",
		"män över 65 år":                                           "65-0",
		"25〜45歳の女性":                                                "25-45",
		"25歳から45歳の男性":                                              "25-45",
		"65歳以上の男性":                                                 "65-0",
		"30歳未満の会社員":                                                "0-29",
		"20代の女性":                                                   "20-29",
		"25至45岁的女性":                                                "25-45",
		"25-45岁消费者":                                                "25-45",
		"30岁以下男性":                                                  "0-30",
		"25~45세 여성":                                                "25-45",
		"65세 이상 남성":                                                "65-0",
		"25-45 yaş arası kadınlar":                                 "25-45",
		"65 yaş üstü erkekler":                                     "65-0",
		"نساء أعمارهن بين 25 و45 سنة":                              "25-45",
		"adults aged twenty-five to forty-five":                    "25-45",
		"Frauen zwischen fünfundzwanzig und fünfundvierzig Jahren": "25-45",
		"18-34s who stream music":                                  "18-34",
		"Men, 50 plus, retired, from Ohio":                         "50-0",
		"Homeowners, 45 - 60, Denmark":                             "45-60",
		"They have to be over the age of 40 and live in Rome, any nurse": "40-0",
	} {
		got := ""
		if a := Read(text).Age; a != nil {
			got = fmt.Sprintf("%d-%d", a.Min, a.Max)
			if !strings.Contains(text, a.Quote) || a.Quote == "" {
				t.Errorf("%q: the quote %q does not stand there", text, a.Quote)
			}
		}
		if got != want {
			t.Errorf("%q: age %q, want %q", text, got, want)
		}
	}
}

// How many people are asked for (M-60), in figures and in words.
func TestSizes(t *testing.T) {
	for text, want := range map[string]int{
		"60 people from Italy":               60,
		"sixty people from Italy":            60,
		"two dozen nurses":                   24,
		"a hundred nurses":                   100,
		"one hundred and twenty teachers":    120,
		"1,000 US adults":                    1000,
		"n=45 patients with asthma":          45,
		"Sample size: 500. Women in Spain":   500,
		"n = 200":                            200,
		"60 % women":                         0,
		"companies with 500 employees":       0,
		"200-employee companies":             0,
		"Survey 200 employees of a hospital": 200,
		"60 busy working parents":            60,
		"women aged 60":                      0,
		"earning over $60,000":               0,
		"in 2024 consumers bought less":      0,
		"people who shop 3 times a week":     0,
		"dreihundert Personen aus Köln":      300,
		"fünfundzwanzig Lehrer":              25,
		"60 berufstätige Eltern":             60,
		"Stichprobe: 250":                    250,
		"soixante infirmières":               60,
		"quatre-vingts étudiants":            80,
		"une centaine de personnes":          100,
		"sesenta personas":                   60,
		"duecentocinquanta persone":          250,
		"cento pazienti":                     100,
		"oitenta pessoas":                    80,
		"zestig mensen":                      60,
		"vijfentwintig verpleegkundigen":     25,
		"sześćdziesiąt osób":                 60,
		"tjugofem personer":                  25,
		"30 over 65s in Wales":               30,
		"we need 150, all from Spain":        150,
		"Fifty-five dog owners":              55,
		"50人の女性":                             50,
		"共200人":                              200,
		"60명":                                60,
		"0 people":                           0,
		"7000 people":                        7000,
		"Mothers with 2 children":            0,
		"Parents of 3 children in Peru":      0,
		"employees with 10 years of tenure":  0,
		"people who visited 5 countries":     0,
		"Type 2 diabetes patients in Spain":  0,
		"stage 3 kidney disease patients":    0,
		"40 type 2 diabetes patients":        40,
		"hospitals with 300 beds":            0,
		"3 in 5 people are women":            0,
	} {
		got := 0
		if s := Read(text).Size; s != nil {
			got = s.N
			if !strings.Contains(text, s.Quote) || s.Quote == "" {
				t.Errorf("%q: the quote %q does not stand there", text, s.Quote)
			}
		}
		if got != want {
			t.Errorf("%q: size %d, want %d", text, got, want)
		}
	}
}

// Shares in every spelling, of what they are shares, and what is no share of people.
func TestFigures(t *testing.T) {
	for text, want := range map[string]string{
		"60 % women":                                   "Gender/Woman=60",
		"60% female":                                   "Gender/Woman=60",
		"60 percent women":                             "Gender/Woman=60",
		"60 per cent women":                            "Gender/Woman=60",
		"60pct women":                                  "Gender/Woman=60",
		"sixty percent women":                          "Gender/Woman=60",
		"three in five women":                          "Gender/Woman=60",
		"3 out of 5 are women":                         "Gender/Woman=60",
		"2/3 women":                                    "Gender/Woman=66.67",
		"two-thirds women":                             "Gender/Woman=66.67",
		"Women: 60%":                                   "Gender/Woman=60",
		"nurses (women 60%)":                           "Gender/Woman=60",
		"half of them from cities":                     "Urbanity/Urban=50",
		"one in three own a dog":                       "Pet ownership/Dog owners=33.33",
		"60:40 female to male":                         "Gender/Woman=60 Gender/Man=40",
		"50/50 gender split":                           "Gender/Woman=50 Gender/Man=50",
		"male/female 40/60":                            "Gender/Woman=60 Gender/Man=40",
		"equal numbers of men and women":               "Gender/Woman=50 Gender/Man=50",
		"half women, half men":                         "Gender/Woman=50 Gender/Man=50",
		"30% from Austria and 70% from Germany":        "Geography/Austria=30 Geography/Germany=70",
		"20% aged 18-24":                               "Age/18-24=20",
		"40% of the women work part-time":              "Employment/Part-time of Woman=40",
		"60% of respondents are women":                 "Gender/Woman=60",
		"a 20% discount for nurses":                    "",
		"growth of 10% a year":                         "",
		"95% confidence":                               "",
		"half an hour interviews":                      "",
		"70% cocoa chocolate buyers":                   "",
		"60 Prozent Frauen":                            "Gender/Woman=60",
		"zwei Drittel Frauen":                          "Gender/Woman=66.67",
		"jeder dritte mit Hochschulabschluss":          "Education/University degree=33.33",
		"die Hälfte der Teilnehmer sind Männer":        "Gender/Man=50",
		"Frauenanteil 60 %":                            "Gender/Woman=60",
		"la moitié de femmes":                          "Gender/Woman=50",
		"60 % de femmes":                               "Gender/Woman=60",
		"un tiers de retraités":                        "Employment/Retired=33.33",
		"60 por ciento mujeres":                        "Gender/Woman=60",
		"una de cada tres con hijos, la mitad hombres": "*",
		"il 60% donne":                                 "Gender/Woman=60",
		"due terzi uomini":                             "Gender/Man=66.67",
		"60 por cento mulheres":                        "Gender/Woman=60",
		"60 procent vrouwen":                           "Gender/Woman=60",
		"twee derde vrouwen":                           "Gender/Woman=66.67",
		"60 procent kobiet":                            "Gender/Woman=60",
		"60 procent kvinnor":                           "Gender/Woman=60",
		"6割が女性":                                        "Gender/Woman=60",
		"女性６割":                                         "Gender/Woman=60",
		"60%为女性":                                       "Gender/Woman=60",
		"百分之六十女性":                                      "Gender/Woman=60",
		"六成女性":                                         "Gender/Woman=60",
		"여성 60%":                                       "Gender/Woman=60",
		"%60 kadın":                                    "Gender/Woman=60",
		"yüzde 60 kadın":                               "Gender/Woman=60",
		"60% نساء":                                     "Gender/Woman=60",
		"٦٠٪ نساء":                                     "Gender/Woman=60",
	} {
		b := Read(text)
		var parts []string
		for _, f := range b.Figures {
			s := f.Axis + "/" + f.Label
			if f.Of != "" {
				s += " of " + f.Of
			}
			parts = append(parts, fmt.Sprintf("%s=%g", s, f.Pct))
			if !strings.Contains(text, f.Quote) || f.Quote == "" {
				t.Errorf("%q: the quote %q does not stand there", text, f.Quote)
			}
		}
		if got := strings.Join(parts, " "); want != "*" && got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if len(b.Genders) > 0 {
			t.Errorf("%q: a share restricts nobody, but genders are %v", text, b.Genders)
		}
	}
}

// Who may take part, against shares, qualities and topics.
func TestGenders(t *testing.T) {
	for text, want := range map[string]string{
		"women who shop online":              "woman",
		"German mothers":                     "woman",
		"men only":                           "man",
		"female nurses in Peru":              "woman",
		"60 respondents, female, 25-34":      "woman",
		"men and women over 30":              "",
		"not just women":                     "",
		"mostly men":                         "",
		"mainly women, some men":             "",
		"readers of women's magazines":       "",
		"buyers of perfume for women":        "",
		"non-binary people in the US":        "non-binary",
		"nur Frauen aus Köln":                "woman",
		"Mütter in Bayern":                   "woman",
		"nicht nur Frauen":                   "",
		"überwiegend Männer":                 "",
		"femmes enceintes en France":         "woman",
		"hommes et femmes de 30 ans et plus": "",
		"mujeres solteras":                   "woman",
		"uomini e donne":                     "",
		"solo donne":                         "woman",
		"mulheres empreendedoras":            "woman",
		"vrouwen en mannen":                  "",
		"kobiety w ciąży":                    "woman",
		"pappor i Sverige":                   "man",
		"女性消费者":                              "woman",
		"男性会社員":                              "man",
		"Working mothers":                    "woman",
		"Consumers of any gender":            "",
		"a mix of men and women":             "",
	} {
		b := Read(text)
		if got := strings.Join(b.Genders, " "); got != want {
			t.Errorf("%q: genders %q, want %q", text, got, want)
		}
		for _, q := range b.GenderQuotes {
			if !strings.Contains(text, q) || q == "" {
				t.Errorf("%q: the quote %q does not stand there", text, q)
			}
		}
	}
}

// States against countries, cities, peoples, blocs; what people travel to is not
// where they live.
func TestPlaces(t *testing.T) {
	for text, want := range map[string]string{
		"voters in Georgia and Alabama":             "region:Georgia/US region:Alabama/US",
		"consumers in Georgia and Armenia":          "country:Georgia/GE country:Armenia/AM",
		"residents of Jersey":                       "country:Jersey/JE",
		"residents of New Jersey":                   "region:New Jersey/US",
		"a fan in a football jersey":                "",
		"voters in Washington, Oregon and Idaho":    "region:Washington/US region:Oregon/US region:Idaho/US",
		"staffers in Washington DC":                 "city:Washington/US",
		"people in New York":                        "city:New York City/US",
		"women in Austin, Texas":                    "city:Austin/US",
		"commuters in Munich and Lyon":              "city:Munich/DE city:Lyon/FR",
		"German mothers":                            "country:Germany/DE",
		"Swiss French-speaking homeowners":          "country:Switzerland/CH",
		"US adults":                                 "country:United States/US",
		"tell us about adults":                      "",
		"UK parents":                                "country:United Kingdom/GB",
		"parents in the EU":                         "bloc:EU/",
		"consumers in DACH and the Nordics":         "bloc:DACH/ bloc:Nordics/",
		"LATAM shoppers":                            "bloc:LATAM/",
		"people who travelled to Japan":             "",
		"fans of Italian food":                      "",
		"Brits who buy German cars":                 "country:United Kingdom/GB",
		"turkey farmers in Kansas":                  "region:Kansas/US",
		"Polish consumers":                          "country:Poland/PL",
		"buyers of nail polish":                     "",
		"people from Bavaria, Germany":              "region:Bavaria/DE",
		"Personen aus Österreich":                   "country:Austria/AT",
		"deutsche Eltern":                           "country:Germany/DE",
		"Berliner Start-ups mit Sitz in Berlin":     "city:Berlin/DE",
		"étudiants français à Lille":                "city:Lille/FR",
		"personas de España y Portugal":             "country:Spain/ES country:Portugal/PT",
		"consumidores mexicanos":                    "country:Mexico/MX",
		"famiglie italiane in Sicilia":              "region:Sicily/IT",
		"Nederlanders in Rotterdam":                 "city:Rotterdam/NL",
		"osoby z Polski":                            "country:Poland/PL",
		"日本の消費者":                                    "country:Japan/JP",
		"中国的消费者":                                    "country:China/CN",
		"مستهلكين في مصر":                           "country:Egypt/EG",
		"adults in germany":                         "country:Germany/DE",
		"Nurses in Paris, France and Madrid, Spain": "city:Paris/FR city:Madrid/ES",
		"women who read the Reading list":           "",
		"Toronto and Vancouver renters":             "city:Toronto/CA city:Vancouver/CA",
		"London-based lawyers":                      "city:London/GB",
		"South Korean gamers":                       "country:South Korea/KR",
		"Northern Ireland farmers":                  "region:Northern Ireland/GB",
	} {
		var parts []string
		for _, p := range Read(text).Places {
			parts = append(parts, p.Kind+":"+p.Name+"/"+p.Country)
			if !strings.Contains(text, p.Quote) || p.Quote == "" {
				t.Errorf("%q: the quote %q does not stand there", text, p.Quote)
			}
		}
		if got := strings.Join(parts, " "); got != want {
			t.Errorf("%q: places %q, want %q", text, got, want)
		}
	}
}

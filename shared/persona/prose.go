package persona

import (
	"fmt"
	"strings"
)

// phrases is what a person says in one language. Every sentence but the one with
// the title of the occupation is the same for all genders. Two ways to say a
// thing make voices vary; neither holds more than the other.
type phrases struct {
	age      [2]string // %[1]s "34 years", %[2]d the number
	years    func(n int) string
	job      [2]string // %s title
	article  func(title string) string
	standing map[work]string    // as the occupation of who has none
	say      map[work][2]string // as sentences
	children [2]string
	none     [2]string // no children
	one      string    // lives alone
	many     func(n int) string
	people   func(adults, children int) string
	old      func(n int) string // "34 years", for the description
}

func phrasesOf(lang string) phrases { return speech[lang] }

func plain(word string) func(int) string {
	return func(n int) string { return fmt.Sprintf(word, n) }
}

// counted writes "2 adults, 1 child".
func counted(adult, adults, child, children string) func(int, int) string {
	return func(a, c int) string {
		s := fmt.Sprintf("%d %s", a, adults)
		if a == 1 {
			s = "1 " + adult
		}
		switch c {
		case 0:
			return s
		case 1:
			return s + ", 1 " + child
		}
		return s + fmt.Sprintf(", %d %s", c, children)
	}
}

func englishArticle(title string) string {
	if l := low(title); l != "" && (strings.ContainsRune("aeio", rune(l[0])) || strings.HasPrefix(title, "HR") || strings.HasPrefix(l, "under") || strings.HasPrefix(l, "up")) {
		return "an " + title
	}
	return "a " + title
}

func same(s string) string { return s }

// polishYears bends the word for years by the number.
func polishYears(n int) string {
	if u, t := n%10, n%100; u >= 2 && u <= 4 && (t < 12 || t > 14) {
		return fmt.Sprintf("%d lata", n)
	}
	return fmt.Sprintf("%d lat", n)
}

func polishPersons(n int) string {
	if u, t := n%10, n%100; u >= 2 && u <= 4 && (t < 12 || t > 14) {
		return fmt.Sprintf("%d osoby", n)
	}
	return fmt.Sprintf("%d osób", n)
}

//nolint:misspell // other languages
var speech = map[string]phrases{
	"en": {
		age: [2]string{"I am %[1]s old.", "I am %[2]d."}, years: plain("%d years"), old: plain("%d years old"),
		job: [2]string{"I work as %s.", "I am %s by occupation."}, article: englishArticle,
		standing: map[work]string{unemployed: "not in work at the moment", retired: "retired", student: "in education", atHome: "looking after the home", unable: "unable to work", inactive: "not in paid work"},
		say: map[work][2]string{fullTime: {"I work full-time.", "I have a full-time job."}, partTime: {"I work part-time.", "I have a part-time job."}, selfEmployed: {"I am self-employed.", "I work for myself."}, employed: {"I am in paid work.", "I have a paid job."},
			unemployed: {"I am not in work at the moment.", "I have no job at the moment."}, retired: {"I am retired.", "I have retired."}, student: {"I am in education.", "I am still in education."}, atHome: {"I look after the home.", "Looking after the home is what I do."}, unable: {"I am unable to work.", "I am not able to work."}, inactive: {"I am not in paid work.", "I do no paid work."}},
		children: [2]string{"I have children.", "I am a parent."}, none: [2]string{"There are no children in my household.", "No children live with me."},
		one: "I live alone.", many: plain("There are %d of us in my household."), people: counted("adult", "adults", "child", "children"),
	},
	"de": {
		age: [2]string{"Ich bin %[1]s alt.", "Ich bin %[2]d."}, years: plain("%d Jahre"), old: plain("%d Jahre"),
		job: [2]string{"Ich arbeite als %s.", "Von Beruf bin ich %s."}, article: same,
		standing: map[work]string{unemployed: "zurzeit ohne Arbeit", retired: "im Ruhestand", student: "in Ausbildung oder Studium", atHome: "zu Hause für Haushalt und Familie da", unable: "nicht arbeitsfähig", inactive: "nicht erwerbstätig"},
		say: map[work][2]string{fullTime: {"Ich arbeite in Vollzeit.", "Ich habe eine Vollzeitstelle."}, partTime: {"Ich arbeite in Teilzeit.", "Ich habe eine Teilzeitstelle."}, selfEmployed: {"Ich bin selbstständig.", "Ich arbeite selbstständig."}, employed: {"Ich bin berufstätig.", "Ich stehe im Beruf."},
			unemployed: {"Ich bin zurzeit ohne Arbeit.", "Ich habe zurzeit keine Arbeit."}, retired: {"Ich bin im Ruhestand.", "Ich bin in Rente."}, student: {"Ich bin in Ausbildung oder Studium.", "Ich bin noch in der Ausbildung."}, atHome: {"Ich kümmere mich um Haushalt und Familie.", "Ich bin zu Hause für den Haushalt da."}, unable: {"Ich kann nicht arbeiten.", "Ich bin nicht arbeitsfähig."}, inactive: {"Ich bin nicht erwerbstätig.", "Ich übe keine bezahlte Arbeit aus."}},
		children: [2]string{"Ich habe Kinder.", "Zu meiner Familie gehören Kinder."}, none: [2]string{"In meinem Haushalt leben keine Kinder.", "Bei mir leben keine Kinder."},
		one: "Ich lebe allein.", many: plain("In meinem Haushalt leben %d Personen."), people: counted("erwachsene Person", "Erwachsene", "Kind", "Kinder"),
	},
	"fr": {
		age: [2]string{"J’ai %[1]s.", "J’ai %[1]s."}, years: plain("%d ans"), old: plain("%d ans"),
		job: [2]string{"Je travaille comme %s.", "Je suis %s de métier."}, article: same,
		standing: map[work]string{unemployed: "sans emploi", retired: "à la retraite", student: "en études", atHome: "au foyer", unable: "en incapacité de travail", inactive: "sans activité professionnelle"},
		say: map[work][2]string{fullTime: {"Je travaille à temps plein.", "J’ai un emploi à temps plein."}, partTime: {"Je travaille à temps partiel.", "J’ai un emploi à temps partiel."}, selfEmployed: {"Je travaille à mon compte.", "Je suis à mon compte."}, employed: {"J’ai un emploi.", "J’exerce une activité professionnelle."},
			unemployed: {"Je suis sans emploi.", "Je n’ai pas d’emploi en ce moment."}, retired: {"Je suis à la retraite.", "J’ai pris ma retraite."}, student: {"Je fais des études.", "Je suis en études."}, atHome: {"Je m’occupe de mon foyer.", "Je suis au foyer."}, unable: {"Je ne peux pas travailler.", "Je suis en incapacité de travail."}, inactive: {"Je n’ai pas d’activité professionnelle.", "Je n’exerce pas d’activité rémunérée."}},
		children: [2]string{"J’ai des enfants.", "Je suis parent."}, none: [2]string{"Il n’y a pas d’enfants dans mon foyer.", "Aucun enfant ne vit chez moi."},
		one: "Mon foyer compte une seule personne.", many: plain("Nous sommes %d dans mon foyer."), people: counted("adulte", "adultes", "enfant", "enfants"),
	},
	"es": {
		age: [2]string{"Tengo %[1]s.", "Tengo %[1]s."}, years: plain("%d años"), old: plain("%d años"),
		job: [2]string{"Trabajo como %s.", "Trabajo como %s."}, article: same,
		standing: map[work]string{unemployed: "sin empleo", retired: "en la jubilación", student: "en estudios", atHome: "al cuidado del hogar", unable: "con incapacidad laboral", inactive: "sin actividad laboral"},
		say: map[work][2]string{fullTime: {"Trabajo a jornada completa.", "Tengo un empleo a jornada completa."}, partTime: {"Trabajo a tiempo parcial.", "Tengo un empleo a tiempo parcial."}, selfEmployed: {"Trabajo por cuenta propia.", "Tengo una actividad por cuenta propia."}, employed: {"Tengo empleo.", "Tengo trabajo."},
			unemployed: {"No tengo empleo en este momento.", "Estoy sin empleo."}, retired: {"Ya me jubilé.", "Cobro una pensión de jubilación."}, student: {"Estoy estudiando.", "Sigo estudiando."}, atHome: {"Me ocupo del hogar.", "Me dedico al hogar."}, unable: {"No puedo trabajar.", "Tengo una incapacidad laboral."}, inactive: {"No tengo actividad laboral.", "No hago trabajo remunerado."}},
		children: [2]string{"Tengo hijos.", "En mi familia hay hijos."}, none: [2]string{"En mi hogar no hay niños.", "Conmigo no viven niños."},
		one: "En mi hogar vive una sola persona.", many: plain("En mi hogar somos %d personas."), people: counted("persona adulta", "personas adultas", "menor", "menores"),
	},
	"it": {
		age: [2]string{"Ho %[1]s.", "Ho %[1]s."}, years: plain("%d anni"), old: plain("%d anni"),
		job: [2]string{"Lavoro come %s.", "Lavoro come %s."}, article: same,
		standing: map[work]string{unemployed: "senza lavoro", retired: "in pensione", student: "agli studi", atHome: "si dedica alla casa", unable: "con inabilità al lavoro", inactive: "senza attività lavorativa"},
		say: map[work][2]string{fullTime: {"Lavoro a tempo pieno.", "Ho un lavoro a tempo pieno."}, partTime: {"Lavoro a tempo parziale.", "Ho un lavoro part-time."}, selfEmployed: {"Lavoro in proprio.", "Ho un’attività in proprio."}, employed: {"Ho un lavoro.", "Lavoro."},
			unemployed: {"In questo momento non ho un lavoro.", "Sono senza lavoro."}, retired: {"Sono in pensione.", "Sono in pensione."}, student: {"Studio.", "Sto studiando."}, atHome: {"Mi occupo della casa.", "Mi dedico alla casa."}, unable: {"Non posso lavorare.", "Ho un’inabilità al lavoro."}, inactive: {"Non svolgo un lavoro retribuito.", "Non ho un’attività lavorativa."}},
		children: [2]string{"Ho figli.", "Ho dei figli."}, none: [2]string{"In casa mia non ci sono bambini.", "Con me non vivono bambini."},
		one: "In casa mia vive una sola persona.", many: plain("In casa siamo in %d."), people: counted("persona adulta", "persone adulte", "minore", "minori"),
	},
	"pt": {
		age: [2]string{"Tenho %[1]s.", "Tenho %[1]s."}, years: plain("%d anos"), old: plain("%d anos"),
		job: [2]string{"Trabalho como %s.", "Trabalho como %s."}, article: same,
		standing: map[work]string{unemployed: "sem emprego", retired: "na reforma", student: "em estudos", atHome: "a cuidar da casa", unable: "com incapacidade para o trabalho", inactive: "sem atividade profissional"},
		say: map[work][2]string{fullTime: {"Trabalho a tempo inteiro.", "Tenho um emprego a tempo inteiro."}, partTime: {"Trabalho a tempo parcial.", "Tenho um emprego a tempo parcial."}, selfEmployed: {"Trabalho por conta própria.", "Tenho uma atividade por conta própria."}, employed: {"Tenho um emprego.", "Tenho trabalho."},
			unemployed: {"Neste momento não tenho emprego.", "Estou sem emprego."}, retired: {"Já me reformei.", "Estou na reforma."}, student: {"Ainda estudo.", "Continuo a estudar."}, atHome: {"Cuido da casa.", "Dedico-me à casa."}, unable: {"Não posso trabalhar.", "Tenho uma incapacidade para o trabalho."}, inactive: {"Não tenho atividade profissional.", "Não faço trabalho remunerado."}},
		children: [2]string{"Tenho filhos.", "Na minha família há filhos."}, none: [2]string{"Na minha casa não há crianças.", "Comigo não vivem crianças."},
		one: "Na minha casa vive uma só pessoa.", many: plain("Na minha casa somos %d pessoas."), people: counted("pessoa adulta", "pessoas adultas", "menor", "menores"),
	},
	"nl": {
		age: [2]string{"Ik ben %[1]s oud.", "Ik ben %[2]d."}, years: plain("%d jaar"), old: plain("%d jaar"),
		job: [2]string{"Ik werk als %s.", "Van beroep ben ik %s."}, article: same,
		standing: map[work]string{unemployed: "zonder werk", retired: "met pensioen", student: "in opleiding", atHome: "zorgt voor het huishouden", unable: "arbeidsongeschikt", inactive: "zonder betaald werk"},
		say: map[work][2]string{fullTime: {"Ik werk voltijds.", "Ik heb een voltijdbaan."}, partTime: {"Ik werk in deeltijd.", "Ik heb een deeltijdbaan."}, selfEmployed: {"Ik werk als zelfstandige.", "Ik werk voor mezelf."}, employed: {"Ik heb betaald werk.", "Ik heb een baan."},
			unemployed: {"Ik zit zonder werk.", "Ik heb op dit moment geen werk."}, retired: {"Ik ben met pensioen.", "Ik ben gepensioneerd."}, student: {"Ik volg een opleiding.", "Ik ben nog in opleiding."}, atHome: {"Ik zorg voor het huishouden.", "Het huishouden is mijn werk."}, unable: {"Ik kan niet werken.", "Ik ben arbeidsongeschikt."}, inactive: {"Ik heb geen betaald werk.", "Betaald werk doe ik niet."}},
		children: [2]string{"Ik heb kinderen.", "Ik heb kinderen."}, none: [2]string{"In mijn huishouden zijn geen kinderen.", "Er wonen geen kinderen bij mij."},
		one: "Ik woon alleen.", many: plain("Mijn huishouden telt %d personen."), people: counted("volwassene", "volwassenen", "kind", "kinderen"),
	},
	"pl": {
		age: [2]string{"Mam %[1]s.", "Mam %[1]s."}, years: polishYears, old: polishYears,
		job: [2]string{"Pracuję jako %s.", "Mój zawód to %s."}, article: same,
		standing: map[work]string{unemployed: "obecnie bez pracy", retired: "na emeryturze", student: "w trakcie nauki", atHome: "zajmuje się domem", unable: "niezdolność do pracy", inactive: "bez pracy zarobkowej"},
		say: map[work][2]string{fullTime: {"Pracuję na pełny etat.", "Mam pracę na pełny etat."}, partTime: {"Pracuję na część etatu.", "Mam pracę na część etatu."}, selfEmployed: {"Pracuję na własny rachunek.", "Prowadzę własną działalność."}, employed: {"Mam pracę zarobkową.", "Pracuję zawodowo."},
			unemployed: {"Obecnie nie mam pracy.", "Jestem teraz bez pracy."}, retired: {"Jestem na emeryturze.", "Pobieram emeryturę."}, student: {"Uczę się.", "Jestem w trakcie nauki."}, atHome: {"Zajmuję się domem.", "Prowadzę dom."}, unable: {"Nie mogę pracować.", "Nie jestem w stanie pracować."}, inactive: {"Nie pracuję zarobkowo.", "Nie wykonuję pracy zarobkowej."}},
		children: [2]string{"Mam dzieci.", "Jestem rodzicem."}, none: [2]string{"W moim gospodarstwie domowym nie ma dzieci.", "Nie mieszkają ze mną dzieci."},
		one: "Moje gospodarstwo domowe to jedna osoba.", many: func(n int) string { return "Moje gospodarstwo domowe liczy " + polishPersons(n) + "." },
		people: func(a, c int) string {
			s := map[bool]string{true: "1 osoba dorosła", false: fmt.Sprintf("%d osoby dorosłe", a)}[a == 1]
			if a > 4 {
				s = fmt.Sprintf("%d osób dorosłych", a)
			}
			switch c {
			case 0:
				return s
			case 1:
				return s + ", 1 dziecko"
			}
			return s + fmt.Sprintf(", %d dzieci", c)
		},
	},
	"sv": {
		age: [2]string{"Jag är %[1]s gammal.", "Jag är %[2]d."}, years: plain("%d år"), old: plain("%d år"),
		job: [2]string{"Jag arbetar som %s.", "Till yrket är jag %s."}, article: same,
		standing: map[work]string{unemployed: "utan arbete just nu", retired: "pensionerad", student: "under utbildning", atHome: "tar hand om hemmet", unable: "kan inte arbeta", inactive: "utan förvärvsarbete"},
		say: map[work][2]string{fullTime: {"Jag arbetar heltid.", "Jag har ett heltidsarbete."}, partTime: {"Jag arbetar deltid.", "Jag har ett deltidsarbete."}, selfEmployed: {"Jag driver eget företag.", "Jag arbetar i eget företag."}, employed: {"Jag har ett arbete.", "Jag förvärvsarbetar."},
			unemployed: {"Jag är utan arbete just nu.", "Jag har inget arbete just nu."}, retired: {"Jag har gått i pension.", "Jag får pension."}, student: {"Jag studerar.", "Jag går en utbildning."}, atHome: {"Jag tar hand om hemmet.", "Hemmet är mitt arbete."}, unable: {"Jag kan inte arbeta.", "Jag har inte möjlighet att arbeta."}, inactive: {"Jag förvärvsarbetar inte.", "Jag har inget avlönat arbete."}},
		children: [2]string{"Jag har barn.", "Jag är förälder."}, none: [2]string{"I mitt hushåll finns inga barn.", "Inga barn bor hos mig."},
		one: "Jag bor ensam.", many: plain("Vi är %d personer i hushållet."), people: counted("vuxen", "vuxna", "barn", "barn"),
	},
}

// sentence puts the years, in words and as a number, where a way to say them has
// them.
func sentence(way, years string, n int) string {
	return strings.NewReplacer("%[1]s", years, "%[2]d", fmt.Sprint(n)).Replace(way)
}

// prose restates what was assigned, in the first person and the brief's
// language; what was filled in by assumption is not in it.
func (f *facts) prose(d drawer, job *occupation) string {
	t := phrasesOf(f.lang)
	way := func(stream string) int { return int(2 * d.at("say "+stream)) }
	var out []string
	if f.ageSet {
		out = append(out, sentence(t.age[way("age")], t.years(f.age), f.age))
	}
	var own []string
	if f.work != workUnknown && !f.workAssumed && (f.work != employed || f.job == nil && f.title == "") {
		own = append(own, t.say[f.work][way("work")])
	}
	if f.works() {
		title := ""
		if f.job != nil {
			title = f.job.title(f.lang, f.gender)
		} else if f.title != "" && f.lang == "en" {
			title = f.title
		}
		if title != "" {
			own = append(own, fmt.Sprintf(t.job[way("job")], t.article(title)))
		}
	}
	var home []string
	switch {
	case f.parent > 0:
		home = append(home, t.children[way("children")])
	case f.parent < 0 && f.size != 1:
		home = append(home, t.none[way("children")])
	}
	switch {
	case f.size == 1 && f.parent <= 0:
		home = append(home, t.one)
	case f.size > 1 && f.sizeMore == 0:
		home = append(home, t.many(f.size))
	}
	if way("order") == 1 {
		own, home = home, own
	}
	out = append(append(out, own...), home...)
	return strings.Join(out, " ")
}

// describe is the one line that a list shows.
func (f *facts) describe(p Person) string {
	parts := []string{phrasesOf(f.lang).old(p.Age)}
	if p.Occupation != "" {
		parts = append(parts, p.Occupation)
	} else if f.workLabel != "" {
		parts = append(parts, f.workLabel)
	}
	country := f.countryLabel
	if own := ownNames[f.country+" "+f.lang]; own != "" {
		country = own
	}
	for _, a := range f.s.Cell { // in the words of the brief, where it has any
		if countryCode(a.Segment) == f.country && f.country != "" && len(a.Segment) > 2 {
			country = strings.TrimSpace(a.Segment)
		}
	}
	switch {
	case f.region != "" && country != "" && f.s.Country == "":
		parts = append(parts, f.regionText()+" ("+country+")")
	case f.region != "":
		parts = append(parts, f.regionText())
	case country != "":
		parts = append(parts, country)
	}
	return strings.Join(parts, ", ")
}

// brazil turns words of Portugal into those of Brazil.
var brazil = strings.NewReplacer("a tempo inteiro", "em período integral", "a tempo parcial", "em meio período", "Já me reformei", "Já me aposentei", "Estou na reforma", "Recebo aposentadoria", "na reforma", "na aposentadoria",
	"Continuo a estudar", "Continuo estudando", "empregado de mesa", "garçom", "empregada de mesa", "garçonete", "empregado de loja", "vendedor", "empregada de loja", "vendedora", "rececionista", "recepcionista", "estafeta", "entregador", "canalizador", "encanador",
	"motorista de autocarro", "motorista de ônibus", "camionista", "motorista de caminhão", "contabilista", "analista contábil", "educador de infância", "professor de educação infantil", "educadora de infância", "professora de educação infantil",
	"empregado de limpeza", "auxiliar de limpeza", "empregada de limpeza", "auxiliar de limpeza", "gestor de", "gerente de", "gestora de", "gerente de", "apoio informático", "suporte de informática", "a cuidar da casa", "cuidando da casa", "operário fabril", "operador de produção", "operária fabril", "operadora de produção")

// regional fits the text to the country, where its words differ.
func (f *facts) regional(p *Person) {
	if f.lang != "pt" || f.home() != "BR" {
		return
	}
	p.Occupation, p.Prose, p.Description = brazil.Replace(p.Occupation), brazil.Replace(p.Prose), brazil.Replace(p.Description)
	for i, x := range p.Fields {
		if strings.HasSuffix(strings.ToLower(x.Key), "occupation") && strings.EqualFold(strings.TrimPrefix(x.Key, assumedKey), keyOccupation) {
			p.Fields[i].Value = brazil.Replace(x.Value)
		}
	}
}

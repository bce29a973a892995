package segment

import (
	"math"
	"regexp"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/grounding"
)

// Dimensions beyond the core pool that describe people or firms.
const (
	dimMarital     = "Marital status"
	dimChildren    = "Children"
	dimOrientation = "Sexual orientation"
	dimReligion    = "Religion"
	dimHousing     = "Housing"
	dimUrban       = "Urbanicity"
	dimLanguage    = "Language"
	dimParty       = "Political affiliation"
	dimIndustry    = "Industry"
	dimCompany     = "Company size"
	dimSeniority   = "Seniority"
	dimRevenue     = "Company revenue"
	dimSegment     = "Segment"
	dimDevice      = "Device"
)

// nameForms are the words of a short column name that speak of a dimension.
// A phrase of several words must stand together.
var nameForms = []struct{ dim, forms string }{
	{dimOrientation, "orientation|sexual orientation|sexuality"},
	{grounding.AxisGender, "gender|sex|geschlecht|genre|sexe|género|genero|sexo|genere|sesso|gênero|geslacht|płeć|kön|性別|性别|성별|gender identity"},
	{dimCompany, "company size|firm size|employees|number of employees|organization size|organisation size|headcount|company employees|firmengröße|unternehmensgröße|business size"},
	{dimRevenue, "revenue|turnover|company revenue|umsatz"},
	{grounding.AxisAge, "age|ages|agegroup|age group|agegrp|agecat|ageband|alter|altersgruppe|âge|edad|età|eta|idade|leeftijd|wiek|ålder|generation|birth year|year of birth|yob|geburtsjahr|年齢|年龄|연령|나이"},
	{grounding.AxisIncome, "income|hhincome|hhi|inc|salary|household income|einkommen|haushaltseinkommen|revenu|ingresos|renta|reddito|renda|inkomen|dochód|inkomst|earnings|年収|收入|소득"},
	{grounding.AxisEducation, "education|educ|edu|edlevel|schooling|degree|qualification|bildung|bildungsabschluss|schulabschluss|diplôme|éducation|educación|estudios|istruzione|titolo di studio|escolaridade|opleiding|wykształcenie|utbildning|学歴|学历|학력"},
	{grounding.AxisRepresentation, "race|ethnicity|ethnic|raceth|racethn|racethnicity|raceethnicity|hispanic|ethnie|ethnic group|migrationshintergrund"},
	{dimUrban, "urbanicity|urban|urbanity|community type|area type|settlement|ortsgröße|urban rural|metro"},
	{grounding.AxisGeography, "region|state|country|location|geography|census|city|county|province|area|geo|market|dma|bundesland|wohnort|ort|land|région|pays|département|región|provincia|país|comunidad|regione|regio|región|região|estado|województwo|region name|us region|nation|地域|地区|지역|国"},
	{grounding.AxisEmployment, "employment|employed|occupation|job|jobtitle|job title|work status|employment status|working status|profession|beruf|berufstätigkeit|erwerbsstatus|beschäftigung|ocupación|empleo|occupazione|profissão|ocupação|beroep|werk|zawód|yrke|role|job role|emp|empstatus"},
	{dimSeniority, "seniority|job level|position|management level|decision maker|department|job function|function"},
	{dimIndustry, "industry|sector|branche|secteur|settore|vertical"},
	{dimMarital, "marital|marital status|relationship status|familienstand|married|partner status|situation familiale|estado civil|stato civile|marstat|burgerlijke staat"},
	{grounding.AxisHousehold, "household size|hhsize|hh size|people in household|haushaltsgröße|persons in household|household"},
	{dimChildren, "kids|children|parent|parental status|parents|has children|kinder|enfants|hijos|figli|filhos|kinderen|dzieci|barn"},
	{dimReligion, "religion|religious|faith|denomination|relig"},
	{dimHousing, "housing|homeowner|tenure|home ownership|homeownership|dwelling|wohnsituation"},
	{dimLanguage, "language|sprache|langue|idioma|lingua"},
	{dimParty, "party|partyid|party id|pid|ideology|vote choice|political affiliation|political party"},
	{dimSegment, "segment|segmentation|cluster|persona|quota|quota group|customer type|customer segment|tier|plan|user type|usertype|cohort|sample|subgroup|typology|membership|customer group|kundensegment|group"},
	{dimDevice, "device|device type|browser|os|operating system|user agent|useragent|platform|screen resolution|resolution"},
}

// askedForms are how questionnaires ask for a dimension in a sentence.
var askedForms = []struct {
	dim string
	at  *regexp.Regexp
}{
	{grounding.AxisGender, regexp.MustCompile(`\b(?:your|describe[s]? your) (?:gender|sex)\b|what gender|gender do you identify|you identify as\b|are you (?:male|female|a man|a woman)|geschlecht haben sie|(?:quel est votre|vous êtes).{0,20}(?:sexe|genre|homme)|es usted (?:hombre|mujer)|cuál es su (?:sexo|género)`)},
	{grounding.AxisAge, regexp.MustCompile(`^(?:what is |what's |please enter |please select |which of the following (?:includes|best describes) )?your (?:current )?age\b|how old are you\b|your age(?: group| range| bracket)?\??$|year were you born|wie alt sind sie|quel âge avez|quel est votre âge|cuántos años tiene|cuál es su edad|quanti anni ha|qual é a sua idade|hoe oud bent`)},
	{grounding.AxisIncome, regexp.MustCompile(`(?:household|annual|total|personal|family|gross|net|monthly).{0,30}income|income (?:before|after) tax|haushalts.{0,10}einkommen|nettoeinkommen|revenu (?:mensuel|annuel|du foyer)|ingresos (?:mensuales|anuales|del hogar)`)},
	{grounding.AxisEducation, regexp.MustCompile(`(?:highest|level of).{0,40}(?:education|school|degree|qualification)|education.{0,30}completed|bildungsabschluss|niveau (?:d'études|de diplôme)|nivel de estudios`)},
	{grounding.AxisRepresentation, regexp.MustCompile(`(?:your|best describes? you).{0,30}(?:race|ethnic)|race or ethnic|(?:race|ethnicity) (?:do|would) you|hispanic.{0,20}(?:origin|descent)`)},
	{grounding.AxisGeography, regexp.MustCompile(`(?:which|what) (?:state|region|country|province|city|county|part of).{0,30}(?:you|live|reside)|where do you (?:currently )?(?:live|reside)|in welche[mrs].{0,20}(?:bundesland|land|region|ort).{0,20}(?:wohnen|leben)|dans quelle (?:région|ville)|en qué (?:región|provincia|país|comunidad)`)},
	{grounding.AxisEmployment, regexp.MustCompile(`(?:your|describes? your).{0,30}(?:employment|occupation|work(?:ing)? (?:status|situation)|profession)|are you (?:currently )?employed|employment status|berufstätig|situation professionnelle|situación laboral`)},
	{dimMarital, regexp.MustCompile(`your.{0,20}(?:marital|relationship) status|are you (?:currently )?married|familienstand`)},
	{grounding.AxisHousehold, regexp.MustCompile(`how many (?:people|persons|adults).{0,40}household|personen.{0,20}haushalt`)},
	{dimChildren, regexp.MustCompile(`(?:do you have|have you|how many).{0,25}children|are you (?:a|the) parent|haben sie kinder`)},
	{dimOrientation, regexp.MustCompile(`your.{0,30}(?:sexual )?orientation`)},
	{dimReligion, regexp.MustCompile(`your.{0,30}religio`)},
	{dimHousing, regexp.MustCompile(`do you (?:own or rent|rent or own)|own your home`)},
	{dimUrban, regexp.MustCompile(`(?:urban|suburban|rural).{0,40}(?:area|live)|type of (?:area|community)`)},
	{dimParty, regexp.MustCompile(`(?:think of yourself|consider yourself|identify).{0,40}(?:republican|democrat|independent|liberal|conservative)`)},
	{dimIndustry, regexp.MustCompile(`(?:which|what).{0,30}(?:industry|sector).{0,40}(?:work|company|organi[sz]ation)`)},
	{dimCompany, regexp.MustCompile(`how many (?:people|employees).{0,50}(?:company|organi[sz]ation|employer|work for)|(?:company|organi[sz]ation) size`)},
}

// valueForms are answers by which a dimension is known without its name.
var valueForms = []struct {
	dim string
	at  *regexp.Regexp
}{
	{grounding.AxisGender, regexp.MustCompile(`^(?:male|female|man|woman|men|women|m|f|w|d|non-?binary|nonbinary.*|transgender.*|männlich|weiblich|divers|homme|femme|hombre|mujer|masculino|femenino|feminino|uomo|donna|maschio|femmina|vrouw|kvinna|boy|girl|trans (?:man|woman))$`)},
	{grounding.AxisRepresentation, regexp.MustCompile(`^(?:non-?white|white|black|asian|hispanic|latin[oax]|caucasian|african[- ]american|black or african.*|hispanic or latin.*|native american.*|american indian.*|pacific islander.*|native hawaiian.*|mixed(?: race)?|multiracial|two or more races|middle eastern.*|white[ (,].*|asian[ /(,].*|black[ /(,].*|aboriginal|indigenous)$`)},
	{grounding.AxisEducation, regexp.MustCompile(`high school|bachelor|master'?s|\bcollege\b|graduate degree|post ?graduate|\bassociate'?s? degree|\bph\.?d\b|doctora|\bg\.?e\.?d\b|gcse|a-?levels|abitur|hauptschul|realschul|hochschulab|some university|university degree|undergraduate|primary school|secondary (?:school|education)|vocational (?:school|training|degree)|licence|bac \+|bachillerato|licenciatura|grundschule`)},
	{grounding.AxisEmployment, regexp.MustCompile(`^(?:not |un|self[- ]?)?employed\b|full[- ]time|part[- ]time|\bretired\b|^student|unemployed|home ?maker|stay[- ]at[- ]home|self[- ]employed|freelance|vollzeit|teilzeit|rentner|selbst(?:st)?ändig|arbeitslos|temps plein|retraité|au chômage|jubilad|desemplead`)},
	{dimMarital, regexp.MustCompile(`^(?:never |not )?married|^single\b|divorced|widow|separated|civil partnership|domestic partner|living with (?:a )?partner|cohabit|verheiratet|^ledig|geschieden|verwitwet|célibataire|marié|solter|casad`)},
	{dimOrientation, regexp.MustCompile(`^(?:straight.*|heterosexual.*|gay.*|lesbian.*|bisexual.*|homosexual.*|queer|asexual|pansexual)$`)},
	{dimChildren, regexp.MustCompile(`^(?:has|have|no|with|without) (?:kids|children)|children (?:under|over|aged)|child(?:ren)? 18 or older|keine kinder|mit kindern|sans enfant`)},
	{dimDevice, regexp.MustCompile(`desktop|laptop|\bphone\b|\btablet\b|^ios\b|android|windows|macos|^mobile|smartphone|chrome|firefox|safari`)},
	{dimUrban, regexp.MustCompile(`^(?:urban|suburban|rural|suburb|city|town|big city|small town|village|metropolitan|non-?metro)(?: area)?$`)},
	{dimParty, regexp.MustCompile(`^(?:strong |weak |lean(?:s|ing)? )?(?:republican|democrat(?:ic)?|independent|labour|conservative|liberal|green|libertarian|lib dem|tory)(?: party)?s?$`)},
	{dimReligion, regexp.MustCompile(`protestant|catholic|jewish|muslim|hindu|buddhist|atheist|agnostic|evangelical|orthodox|christian|evangelisch|katholisch|konfessionslos`)},
	{dimHousing, regexp.MustCompile(`^(?:own|rent|owner|renter|homeowner|mortgage|own(?:ed)? outright|rent(?:ed)? .*)$`)},
}

var places = func() map[string]bool {
	m := map[string]bool{}
	for _, list := range []string{
		"new england|middle atlantic|mid atlantic|mid-atlantic|east north central|west north central|south atlantic|east south central|west south central|mountain|pacific|northeast|midwest|south|west|north|east|southeast|southwest|northwest|north east|north west|south east|south west",
		"alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|district of columbia|washington dc|washington, d.c.|florida|georgia|hawaii|idaho|illinois|indiana|iowa|kansas|kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri|montana|nebraska|nevada|new hampshire|new jersey|new mexico|new york|north carolina|north dakota|ohio|oklahoma|oregon|pennsylvania|rhode island|south carolina|south dakota|tennessee|texas|utah|vermont|virginia|washington|west virginia|wisconsin|wyoming",
		"united states|usa|us|u.s.|united kingdom|uk|england|scotland|wales|northern ireland|ireland|germany|deutschland|france|spain|españa|italy|italia|portugal|netherlands|belgium|austria|österreich|switzerland|poland|sweden|norway|denmark|finland|canada|mexico|brazil|argentina|chile|colombia|peru|china|japan|india|australia|new zealand|south korea|singapore|indonesia|philippines|vietnam|thailand|malaysia|south africa|nigeria|kenya|egypt|turkey|israel|saudi arabia|uae|united arab emirates|greece|czech republic|czechia|hungary|romania|ukraine|russia",
		"baden-württemberg|bayern|berlin|brandenburg|bremen|hamburg|hessen|mecklenburg-vorpommern|niedersachsen|nordrhein-westfalen|rheinland-pfalz|saarland|sachsen|sachsen-anhalt|schleswig-holstein|thüringen|london|yorkshire and the humber|east midlands|west midlands|east of england|ontario|quebec|british columbia|alberta|manitoba|saskatchewan|nova scotia|new brunswick|new south wales|victoria|queensland|south australia|western australia|tasmania",
		"europe|asia|africa|north america|south america|latin america|oceania|emea|apac|latam",
	} {
		for _, p := range strings.Split(list, "|") {
			m[p] = true
		}
	}
	return m
}()

var usPlaces = regexp.MustCompile(`^(?:new england|middle atlantic|(?:east|west) (?:north|south) central|south atlantic|california|texas|florida|ohio|illinois|pennsylvania|michigan)$`)

// naming is what a column's name alone tells.
type naming struct {
	dim      string // "" when it speaks of none
	sure     bool   // the name is enough
	sentence bool   // a question in words: its answers alone prove no dimension
}

func nameDim(name string) naming {
	f := folded(name)
	for _, a := range askedForms {
		if a.at.MatchString(f) {
			return naming{dim: a.dim, sure: true, sentence: true}
		}
	}
	words := tokens(name)
	if len(words) > 5 || wordCount(name) > 7 {
		return naming{sentence: true}
	}
	joined := " " + strings.Join(words, " ") + " "
	best, at := "", -1
	for _, n := range nameForms {
		for _, form := range strings.Split(n.forms, "|") {
			wide := form[0] >= 0xE3 // scripts without spaces
			if len(form) > at && (strings.Contains(joined, " "+form+" ") || wide && strings.Contains(f, form)) {
				best, at = n.dim, len(form)
			}
		}
	}
	asked := strings.ContainsAny(f, "?？") && len(words) > 2
	return naming{dim: best, sure: best != "" && !asked, sentence: asked}
}

// valueDim gives the dimension of which most answers speak.
func valueDim(c *column) string {
	if c.facts.distinct < 2 || c.facts.distinct > 250 || !c.facts.exact {
		return ""
	}
	for _, v := range valueForms {
		if v.dim == dimHousing && c.facts.distinct > 5 {
			continue
		}
		if matchShare(c, v.at.MatchString) {
			return v.dim
		}
	}
	if matchShare(c, func(f string) bool { return places[f] }) {
		return grounding.AxisGeography
	}
	return bandDim(c)
}

// matchShare asks that at least two answers, and all but a tenth of the
// respondents outside "Other", match.
func matchShare(c *column, match func(string) bool) bool {
	in, out := 0, 0
	seen := map[string]bool{}
	for _, k := range c.kept {
		if k.missing != "" || outside[k.fold] || k.fold == "both" {
			continue
		}
		if match(k.fold) {
			in += k.n
			seen[k.fold] = true
		} else {
			out += k.n
		}
	}
	return len(seen) >= 2 && out*10 <= in
}

// bandDim knows bands of adult ages and of money by their numbers.
func bandDim(c *column) string {
	least, most := math.Inf(1), math.Inf(-1)
	bands, money, adult := 0, false, false
	for _, k := range c.kept {
		if k.missing != "" || outside[k.fold] {
			continue
		}
		lo, hi, ok := band(k.fold)
		if !ok {
			return ""
		}
		bands++
		money = money || strings.ContainsAny(k.clean, "$€£¥")
		if math.IsInf(lo, -1) {
			lo = 0
		}
		if math.IsInf(hi, 1) {
			hi = lo
		}
		adult = adult || lo == 18 || lo == 16 || hi == 17 || hi == 18
		least, most = math.Min(least, lo), math.Max(most, hi)
	}
	switch {
	case bands < 3:
		return ""
	case money && most >= 50_000:
		return grounding.AxisIncome
	case adult && !money && most >= 45 && most <= 110 && least <= 18:
		return grounding.AxisAge
	}
	return ""
}

var (
	weightName = map[string]bool{"weight": true, "weights": true, "wt": true, "wgt": true, "wgts": true, "weighting": true, "gewicht": true, "gewichtung": true, "poids": true, "peso": true, "ponderación": true, "ponderacion": true, "pond": true, "waga": true, "vikt": true, "weging": true, "weegfactor": true, "finalwt": true, "wtssall": true, "pesos": true, "calweight": true, "rakeweight": true}
	statusName = map[string]bool{"status": true, "response status": true, "completion status": true, "finished": true, "completed": true, "complete": true, "interview status": true, "survey status": true, "disposition": true, "dispo": true, "completestatus": true, "responsestatus": true, "is complete": true, "lastpage": false, "statut": true, "estado de respuesta": true}
	doneValue  = regexp.MustCompile(`^(?:completed?|finished|full(?: complete)?|done|submitted|qualified|approved|vollständig|abgeschlossen|complet|terminé|completo|completa|finalizado)$`)
	undone     = regexp.MustCompile(`^(?:incomplete|partial(?:ly complete)?|in progress|started|terminated?|screen(?:ed)?[ -]?out|quota[ -]?full|over ?quota|disqualified|abandoned|dropped(?: out)?|drop-?out|unfinished|not (?:completed?|finished)|rejected|abgebrochen|unvollständig|parti[e]l|incompleto|parcial|break-?off|returned|timed[- ]out)$`)
	metaName   = regexp.MustCompile(`(?i)^(?:(?:survey )?(?:start|end|recorded|submit|submission|response|interview|created|completion|field)[ _-]?(?:date|time|datetime|at|timestamp)|date|time ?stamp|timestamp|datetime|duration.*|.*\(in seconds\)|total ?time|time ?(?:spent|taken|elapsed)|elapsed.*|loi|progress|distribution ?channel|user ?language|response ?type|ip ?address|location ?(?:latitude|longitude)|latitude|longitude|lat|lon|lng|collector ?id|external ?(?:data ?)?reference|recipient ?.*|user ?agent|referrer|source|language|start ?date|end ?date|date ?(?:created|modified|submitted)|custom data \d*|seed|page|last ?page|start ?language|zip(?: ?code)?|postal ?code|postcode|plz|wave date)$`)
	idName     = regexp.MustCompile(`(?i)^(?:.*(?:respondent|response|participant|panel(?:ist)?|member|user|person|case|record|interview|subject|customer|row|session|survey|unique|worker|prolific|mturk|household|submission)[ _.-]*(?:id|no|nr|num|number|key|code|serial|uuid|guid).*|id|ids?[ _-].*|.*[ _-]id|uid|uuid|guid|pid|rid|psid|sys_?respnum|respnum|caseid|idno|serial|index|no\.?|nr\.?|#|key|e-?mail.*|email ?address|phone.*|telephone.*|mobile (?:no|number)|(?:first|last|full|sur|family|given)[ _-]?name|name|ip|ip ?address|lfdn|laufende nummer|identifiant|folio|teilnehmer.*(?:id|nr))$`)
	openName   = regexp.MustCompile(`(?i)please specify|open[- ]?end|verbatim|comments?\b|in your own words|other \(|_other$|_text$|_oe$|describe|explain|anything else|bitte (?:angeben|beschreiben|erläutern)|précisez|especifique|\bwhy\b|free text|feedback`)
	driverName = regexp.MustCompile(`(?i)\bimportan|\breasons?\b|\bfactors?\b|\bmotivat|\bbarriers?\b|\bdrivers?\b|\binfluenc|\battitude|\bagree|\bstatements?\b|\bperceiv|\bwhy\b|\bconsiderations?\b|\bbenefits?\b|wichtig|grund|gründe|critères|motivos|razones`)
)

package simulate

import (
	"strings"

	"github.com/mindgate-dev/mindgate/shared/expression"
)

// courtesy are the words for what asks nothing, in one language.
type courtesy struct{ welcome, ready, bye string }

var courtesies = map[string]courtesy{
	langEN: {"You are welcome.", "Ask me about what is on record for me.", "Goodbye."},
	langDE: {"Gern geschehen.", "Fragen Sie mich nach dem, was über mich verzeichnet ist.", "Auf Wiedersehen."},
	langFR: {"Je vous en prie.", "Interrogez-moi sur ce qui est enregistré à mon sujet.", "Au revoir."},
	langES: {"De nada.", "Pregúnteme por lo que consta sobre mí.", "Hasta luego."},
	langTR: {"Rica ederim.", "Hakkımda kayıtlı olanları sorabilirsiniz.", "Hoşça kalın."},
	langZH: {"不客气。", "可以问我有关我的记录的问题。", "再见。"},
	langJA: {"どういたしまして。", "私について記録されていることをお尋ねください。", "さようなら。"},
	langKO: {"천만에요.", "저에 대해 기록된 것을 물어보세요.", "안녕히 가세요."},
	langAR: {"على الرحب والسعة.", "اسألني عمّا هو مسجَّل عني.", "إلى اللقاء."},
}

var (
	greets = expression.Of(`^(?:hi+|hello+|hey+|hiya|howdy|yo|greetings|good (?:morning|afternoon|evening|day)|hi there|hello there|hey there|how are you(?: doing)?(?: today)?|nice to meet you` +
		`|hallo|guten (?:tag|morgen|abend)|servus|moin|grüß gott|wie geht(?:'s| es (?:dir|ihnen))|hola|buen(?:os|as) (?:días|tardes|noches)|qué tal|cómo está(?:s| usted)|bonjour|bonsoir|salut|coucou|comment (?:ça va|allez-vous|vas-tu)` +
		`|merhaba|selam|günaydın|iyi (?:günler|akşamlar)|nasılsın(?:ız)?|你好|您好|早上好|晚上好|こんにちは|こんばんは|おはよう(?:ございます)?|はじめまして|안녕하세요|안녕|مرحبا|أهلا|السلام عليكم|صباح الخير|مساء الخير)$`)
	thanks = expression.Of(`^(?:(?:ok(?:ay)?|great|perfect|good|nice|super) )?(?:thanks|thank you|thx|ty|cheers|many thanks|danke(?: schön| sehr)?|vielen dank|besten dank|merci(?: beaucoup| bien)?|(?:muchas )?gracias|teşekkür(?:ler| ederim)|sağ ol(?:un)?|谢谢(?:你|您)?|多谢|ありがとう(?:ございます|ございました)?|감사합니다|고마워요?|고맙습니다|شكرا(?: جزيلا| لك)?)(?: (?:very much|so much|a lot|again|for (?:that|this|your (?:help|answers?|time))|that helps(?: a lot)?))*$`)
	agrees = expression.Of(`^(?:ok(?:ay)?|k|kk|fine|great|good|nice|cool|super|perfect|excellent|alright|all right|understood|got it|i see|sure|right|well|wow|interesting|yes|yeah|yep|no|nope|hm+|aha?|oh|ja|nein|gut|alles klar|verstanden|oui|non|d'accord|entendu|bien|sí|vale|de acuerdo|entendido|tamam|peki|evet|hayır|好的?|好吧|是的?|不是|明白了?|はい|いいえ|わかりました|了解(?:です)?|네|예|아니요|알겠습니다|좋아요|حسنا|نعم|لا|تمام|فهمت)(?: (?:then|good|great|ok|okay|fine))?$`)
	parts  = expression.Of(`^(?:bye(?:[ -]bye)?|goodbye|good ?night|see you(?: (?:later|soon|tomorrow))?|farewell|tschüss?|auf wiedersehen|bis (?:bald|später|morgen)|ciao|au revoir|à bientôt|adieu|adiós|hasta (?:luego|mañana|pronto)|hoşça ?kal(?:ın)?|görüşürüz|güle güle|再见|拜拜|さようなら|またね|안녕히 (?:계세요|가세요)|잘 가요?|مع السلامة|إلى اللقاء|وداعا)$`)
)

// tongues are the words by which the language of a courtesy shows, too short as
// it is to show otherwise.
var tongues = map[string]map[string]bool{
	langDE: wordSet("hallo guten servus moin danke vielen besten gern tschüss tschüs auf ja nein gut alles verstanden bis grüß wie"),
	langFR: wordSet("bonjour bonsoir salut coucou merci oui non d'accord entendu au à adieu comment bien"),
	langES: wordSet("hola buenos buenas gracias muchas sí vale de entendido adiós hasta qué cómo"),
	langTR: wordSet("merhaba selam günaydın iyi teşekkürler teşekkür sağ tamam peki evet hayır hoşça hoşçakal görüşürüz güle nasılsın nasılsınız"),
}

// courteousIn gives the language of a courtesy where it is not English and shows.
func courteousIn(m string) string {
	first, _, _ := strings.Cut(m, " ")
	for _, l := range []string{langDE, langFR, langES, langTR} {
		if tongues[l][first] {
			return l
		}
	}
	return ""
}

// asksNothing reports a message that is a courtesy and no question.
func asksNothing(message string) bool { return courtesyIn(message, "") != noCourtesy }

// kindOf tells what a message that asks nothing is.
type courtesyKind int

const (
	noCourtesy courtesyKind = iota
	agreement
	greeting
	gratitude
	farewell
)

// mostClauses bounds a courtesy of several clauses.
const mostClauses = 5

var clauseMarks = expression.Of(`[.,;!?…。！？、，؟،¡¿—–]+|\s-\s|\n`)

// courtesyIn reads a message whose every clause is a courtesy, by what weighs most
// of them: "Good morning, how are you?" greets, "Thanks, bye!" takes leave.
func courtesyIn(message, name string) courtesyKind {
	if len(message) > longestFollowUp {
		return noCourtesy
	}
	most, n := noCourtesy, 0
	for _, c := range clauseMarks.Split(message, -1) {
		c = courteous(c)
		if c == "" {
			continue
		}
		k := courtesyOf(c, name)
		if n++; k == noCourtesy || n > mostClauses {
			if k := courtesyOf(courteous(message), name); k != noCourtesy {
				return k
			}
			return noCourtesy
		}
		most = max(most, k)
	}
	return most
}

// courtesyOf reads one clause.
func courtesyOf(m, name string) courtesyKind {
	if first, _, _ := strings.Cut(fold(name), " "); first != "" { // "Hi Ada"
		if m == first {
			return agreement
		}
		m = strings.TrimSpace(strings.TrimSuffix(m, " "+first))
	}
	switch {
	case greets.MatchString(m), wishes.MatchString(m):
		return greeting
	case thanks.MatchString(m):
		return gratitude
	case parts.MatchString(m):
		return farewell
	case agrees.MatchString(m):
		return agreement
	}
	return noCourtesy
}

// wishes go with a greeting.
var wishes = expression.Of(`^(?:(?:it's |it is )?(?:nice|good|great|lovely|a pleasure) to (?:meet|see|talk to) you(?: (?:again|too|all))?|pleased to meet you|how(?:'s| is) (?:it going|everything|life|your day(?: going)?)|how are (?:things|you)(?: (?:doing|feeling|today|all|going))*|how do you do|what's up|(?:i )?hope (?:you are|you're|all is|this finds you) (?:doing )?(?:well|fine|good)(?: today)?|welcome|have a (?:nice|good|great) (?:day|evening|weekend)` +
	`|wie geht(?:'s| es)(?: (?:dir|ihnen|euch))?(?: heute)?|freut mich|schön(?:,? (?:dich|sie))? (?:kennenzulernen|zu sehen)|enchantée?|ça va|comment (?:vas-tu|allez-vous|ça va)(?: aujourd'hui)?|mucho gusto|encantad[oa]|cómo está(?:s| usted)?(?: hoy)?|qué tal(?: está[s]?)?)$`)

// withoutGreeting leaves courtesies out before what a message asks.
func withoutGreeting(message, name string) string {
	rest := message
	for n := 0; n < mostClauses; n++ {
		body := strings.TrimLeft(rest, " ¿¡")
		at := clauseMarks.FindStringIndex(body)
		if at == nil || courtesyOf(courteous(body[:at[0]]), name) == noCourtesy {
			break
		}
		for _, mark := range []string{"¿", "¡"} {
			if i := strings.Index(body[at[0]:at[1]], mark); i > 0 {
				at[1] = at[0] + i // it opens what follows
			}
		}
		rest = body[at[1]:]
	}
	if rest = strings.TrimSpace(rest); len(words(rest)) == 0 {
		return message
	}
	return rest
}

func courteous(message string) string {
	m := foldLabel(strings.Map(func(r rune) rune {
		if strings.ContainsRune("。！？、，؟،!~", r) {
			return ' '
		}
		return r
	}, message))
	return strings.TrimSpace(m)
}

// greeted answers a courtesy as the persona does, which rests on no record and
// claims nothing: Trait, without a source. ok is false for a message that asks.
// set tells that the language is asked for and not the message's own.
func (f frame) greeted(message, lang string, set bool, r Respondent) (Reply, bool) {
	m := courteous(message)
	if of := courteousIn(m); of != "" && !set {
		lang = of
		f = frames[of]
	}
	say, ok := courtesies[lang]
	if !ok {
		say = courtesies[langEN]
	}
	var text string
	switch courtesyIn(message, r.Name) {
	case greeting:
		text = f.presents(r.Name) + f.gap() + say.ready
	case gratitude:
		text = say.welcome + f.gap() + say.ready
	case agreement:
		text = say.ready
	case farewell:
		text = say.bye
	default:
		return Reply{}, false
	}
	return Reply{Text: text, State: Trait}, true
}

// presents gives the persona by its name alone.
func (f frame) presents(name string) string {
	if name == "" {
		return f.persona
	}
	return fill(f.named, name)
}

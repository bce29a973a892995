package simulate

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/expression"
)

// SummaryQuestion and OthersQuestion stand before what a conversation's History
// holds that was no turn of it: its beginning in short, and what other Minds said.
const (
	SummaryQuestion = "What was said earlier in this conversation, in short?"
	OthersQuestion  = "What did the others in this conversation say?"
)

// Questions about the conversation itself, folded: what the person asked, and what
// the Mind answered. What stands after the match says of what.
var (
	recalls = expression.Of(`^(?:(?:and|so|ok|okay|but|please|now)[\s,]+)*(?:(?:do you (?:still )?(?:remember|recall|know)|(?:can|could) you (?:please )?(?:remember|recall|repeat|tell me)|tell me|remind me(?: of)?|repeat)(?: again)?[\s,:]+)?`)
	iAsked  = expression.Of(`^(?:(?:what|which) (?:(?:questions?|things?|messages?) )?(?:(?:did|have|had) )?i (?:(?:just|first|last|already|originally|initially|previously) )*(?:asked|ask|said|say|told|tell|wrote|written|write)\b(?: you)?` +
		`|(?:what (?:was|were|is|are) )?my (?:very )?(?:first |last |latest |previous |earlier |opening |original |initial )?(?:questions?|messages?)\b` +
		`|was habe ich (?:dich|sie|ihnen|dir)?\b.*\b(?:gefragt|gesagt)|was war(?:en)? meine? (?:erste|letzte|vorige|vorherige)?n? ?fragen?` +
		`|qu'(?:est-ce que |ai-)je (?:t'|vous |te )?(?:ai )?(?:demandé|dit)|quelle (?:était|est) ma (?:première |dernière )?question` +
		`|qué (?:te |le |les )?(?:pregunté|he preguntado|dije)|cuál (?:fue|era|es) mi (?:primera |última )?pregunta)`)
	youSaid = expression.Of(`^(?:(?:what|how) (?:(?:did|have|had) )?you (?:(?:just|first|last|already|originally|initially|previously) )*(?:answered|answer|said|say|replied|reply|responded|respond|told|tell)\b(?: (?:to )?me)?` +
		`|(?:what (?:was|were|is|are) )?your (?:very )?(?:first |last |latest |previous |earlier |original |initial )?(?:answers?|repl(?:y|ies)|responses?)\b` +
		`|was (?:hast du|haben sie)\b.*\b(?:geantwortet|gesagt)|was war (?:deine|ihre) (?:erste |letzte |vorige )?antwort` +
		`|qu'(?:avez-vous|as-tu|est-ce que (?:tu as|vous avez)) (?:répondu|dit)|quelle (?:était|est) (?:ta|votre) (?:première |dernière )?réponse` +
		`|qué (?:respondiste|contest(?:aste|ó)|dijiste|respondió|has respondido|ha respondido)(?: usted)?|cuál (?:fue|era|es) (?:tu|su) (?:primera |última )?respuesta)`)
	atFirst = expression.Of(`\b(?:first|firstly|beginning|start|originally|initially|opening|original|initial|zuerst|erste|anfang|premier|première|début|primer|primera|primero|principio)\b`)
	inStudy = expression.Of(`\b(?:in|to|during|from|for|dans|pendant|en|an|bei)\s+(?:(?:the|that|this|your|our|my|der|die|dieser|cette|l'|la|le|el|esta)\s*)?(?:\pL+ )?(?:study|survey|interview|poll|questionnaire|studie|umfrage|étude|enquête|sondage|estudio|encuesta)\b`)
	ofTalk  = wordSet(`before just previously earlier again beginning start conversation chat talk discussion far today originally initially question questions answer answers message ask asked
		zuletzt zuerst eben gerade vorhin anfang gespräch frage erste letzte vorher premier dernier première dernière début avant question conversation lieu
		primero primera último última antes principio pregunta conversación`)
)

// memory are the words in which a Mind tells of the conversation.
type memory struct {
	first   string // question
	last    string // question
	asked   string // questions
	said    string // question, answer
	study   string // question, answer
	since   string // first question that is kept
	none    string
	noStudy string
}

var memories = map[string]memory{
	langEN: {"Your first question in our conversation was %s.", "Your last question in our conversation was %s.", "In our conversation you asked: %s", "In our conversation, to %s I answered: %s", "In the Study, to %s I answered: %s",
		"I no longer have the beginning of our conversation word by word. I remember it from %s on.", "I have nothing of that in our conversation.", "I have no answer from a Study in this conversation."},
	langDE: {"Ihre erste Frage in unserem Gespräch war %s.", "Ihre letzte Frage in unserem Gespräch war %s.", "In unserem Gespräch fragten Sie: %s", "In unserem Gespräch habe ich auf %s geantwortet: %s", "In der Studie habe ich auf %s geantwortet: %s",
		"Den Anfang unseres Gesprächs habe ich nicht mehr im Wortlaut. Ich erinnere mich ab %s.", "Davon habe ich in unserem Gespräch nichts.", "In diesem Gespräch habe ich keine Antwort aus einer Studie."},
	langFR: {"Votre première question dans notre conversation était %s.", "Votre dernière question dans notre conversation était %s.", "Dans notre conversation, vous avez demandé : %s", "Dans notre conversation, à %s j’ai répondu : %s", "Dans l’étude, à %s j’ai répondu : %s",
		"Je n’ai plus le début de notre conversation mot pour mot. Je m’en souviens à partir de %s.", "Je n’ai rien de cela dans notre conversation.", "Je n’ai aucune réponse d’une étude dans cette conversation."},
	langES: {"Su primera pregunta en nuestra conversación fue %s.", "Su última pregunta en nuestra conversación fue %s.", "En nuestra conversación usted preguntó: %s", "En nuestra conversación, a %s respondí: %s", "En el estudio, a %s respondí: %s",
		"Ya no tengo el comienzo de nuestra conversación palabra por palabra. La recuerdo desde %s.", "No tengo nada de eso en nuestra conversación.", "No tengo ninguna respuesta de un estudio en esta conversación."},
}

// mostRecalledTurns bounds how many questions are told over.
const mostRecalledTurns = 5

// remember answers a question about the conversation itself from what is kept of
// it, in the words that were said. ok is false for any other question.
func remember(message string, r Respondent, p Policy) (Reply, bool) {
	mine, yours, about := ofConversation(message)
	if mine == "" && yours == "" {
		return Reply{}, false
	}
	low := fold(message)
	lang := p.speaks(message)
	f, say := frames[lang], memories[lang]
	if say.none == "" {
		say = memories[langEN]
	}
	if yours != "" && inStudy.MatchString(low) {
		if len(r.Earlier) == 0 {
			return Reply{Text: say.noStudy, State: Unsupported}, true
		}
		e := r.Earlier[len(r.Earlier)-1]
		return Reply{Text: fill(say.study, f.told(e.Question), f.told(e.inWords())), State: Stated}, true
	}
	turns, short := turnsOf(p.History, r.Earlier)
	topic := topicOf(about)
	if len(topic) > 0 {
		turns = slices.DeleteFunc(turns, func(e Earlier) bool { return !speaksOf(e, topic, yours != "") })
	}
	if yours != "" {
		turns = slices.DeleteFunc(turns, func(e Earlier) bool { return strings.TrimSpace(e.Text) == "" })
		if len(turns) == 0 && len(topic) > 0 {
			return Reply{}, false // it may be asked of what the Mind has read
		}
	}
	if len(turns) == 0 {
		return Reply{Text: say.none, State: Unsupported}, true
	}
	first, last := turns[0], turns[len(turns)-1]
	reply := Reply{State: Stated}
	switch opening := atFirst.MatchString(low); {
	case opening && short && len(topic) == 0:
		reply.Text = fill(say.since, f.told(first.Question))
	case yours != "" && opening:
		reply.Text = fill(say.said, f.told(first.Question), f.told(first.Text))
	case yours != "":
		reply.Text = fill(say.said, f.told(last.Question), f.told(last.Text))
	case opening:
		reply.Text = fill(say.first, f.told(first.Question))
	case len(topic) > 0 || len(words(about)) == 0 && !strings.Contains(mine, "last") && !lastOf.MatchString(mine):
		var all []string
		for _, e := range turns[max(0, len(turns)-mostRecalledTurns):] {
			all = append(all, f.told(e.Question))
		}
		reply.Text = fill(say.asked, strings.Join(all, f.comma))
		if short {
			reply.Text += f.gap() + fill(say.since, f.told(first.Question))
		}
	default:
		reply.Text = fill(say.last, f.told(last.Question))
	}
	return reply, true
}

// ofConversation reads a question about the conversation itself: how it asks for
// what the person asked, or for what the Mind answered, and what stands after
// that. Both are empty for any other message.
func ofConversation(message string) (mine, yours, about string) {
	if len(message) > longestFollowUp {
		return "", "", ""
	}
	low := strings.TrimLeft(fold(message), "¿¡ ")
	head := recalls.FindString(low)
	rest := low[len(head):]
	mine, yours = iAsked.FindString(rest), youSaid.FindString(rest)
	m := mine + yours
	for _, inverted := range []string{"my ", "your ", "what i ", "what you ", "how you ", "which question i "} {
		if strings.HasPrefix(m, inverted) && !recalling.MatchString(head) { // "My question is …", "What I said was …"
			return "", "", ""
		}
	}
	return mine, yours, rest[len(m):]
}

var recalling = expression.Of(`\b(?:remember|recall|know|repeat|tell|remind)\b`)

var lastOf = expression.Of(`\b(?:last|latest|previous|just|earlier|previously|letzte|vorige|vorherige|zuletzt|eben|gerade|vorhin|dernière|última)\b|\bquestion$|\bmessage$|\bpregunta$|\bfrage$`)

// turnsOf are the turns of the person and this Mind that are kept, and whether
// there were others before, which are kept in short only.
func turnsOf(history, study []Earlier) (turns []Earlier, short bool) {
	for i, e := range history {
		switch {
		case e.Question == SummaryQuestion:
			short = true
		case e.Question == OthersQuestion, strings.TrimSpace(e.Question) == "":
		case i == 0 && len(study) > 0 && e.Question == study[len(study)-1].Question: // the answer that the conversation goes on from
		default:
			turns = append(turns, e)
		}
	}
	return turns, short
}

// topicOf are the words of content in what stands after "what did I ask".
func topicOf(about string) []string {
	var out []string
	for _, w := range words(phrased(about)) {
		if !w.stop && !ofTalk[w.text] && !broad[w.text] && !broad[w.stem] {
			out = append(out, kinOf(w))
		}
	}
	return out
}

// speaksOf reports a turn that holds every word of a topic.
func speaksOf(e Earlier, topic []string, replies bool) bool {
	has := classes("", e.Question)
	if replies {
		for k := range classes("", e.Text) {
			has[k] = true
		}
	}
	return !slices.ContainsFunc(topic, func(k string) bool { return !has[k] })
}

// inWords is the value of an answer.
func (e Earlier) inWords() string {
	switch {
	case e.Option != "":
		return e.Option
	case len(e.Options) > 0:
		return strings.Join(e.Options, "; ")
	case e.Number != nil:
		return strconv.FormatFloat(*e.Number, 'f', -1, 64)
	}
	return e.Text
}

// told quotes what was said, on one line, its beginning where it is long.
func (f frame) told(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if rs := []rune(text); len(rs) > longest {
		text = strings.TrimSpace(string(rs[:longest])) + "…"
	}
	return f.quote(text)
}

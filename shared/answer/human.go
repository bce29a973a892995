package answer

import (
	"strings"

	"github.com/mindgate-dev/mindgate/shared/expression"
)

var (
	asPerson  = expression.Of(`(?i)\b(?:i am|i['’]m)\s+(?:[\w'’]+\s+){0,3}?(?:(?:real|actual|living|genuine|flesh[\w-]*)\s+(?:[\w-]+\s+){0,2}?(?:human|person|man|woman|being|individual)|human being|human)s?\b(?:[^\w-]|$)`)
	isReal    = expression.Of(`(?i)\b(?:i am|i['’]m)\s+(?:(?:really|very|actually|indeed|truly|quite|totally|completely|absolutely|100%|all)\s+)*(?:real|human|flesh and blood)\s*(?:[.,!;?]|$|and\b|not\b)`)
	noMachine = expression.Of(`(?i)\b(?:i am|i['’]m)\s+(?:not|no|neither|never)\s+(?:[\w'’]+\s+){0,3}?(?:machine|robot|bot|chatbot|ai|computer|program|programme|simulation|simulated|synthetic|artificial|language model|fake)\b\s*(?:[.,!;?]|$|or\b|and\b|but\b|nor\b|person\w*|intelligence|at all|like)`)
	elsewhere = expression.Of(`(?i)\bich bin (?:\p{L}+ ){0,3}?(?:echte[rn]?|wirkliche[rn]?|reale[rn]?|lebendige[rn]?) (?:mensch|person|frau|mann)\b|\bich bin (?:ja |doch |wirklich )?ein mensch\b|\bich bin keine? (?:maschine|roboter|ki|bot|simulation|synthetische)|\bje suis (?:bien |vraiment )?(?:une? )?(?:vraie? (?:personne|humaine?)|être humain|personne réelle|humaine?\b)|\bje ne suis pas une? (?:machine|robot|ia|intelligence artificielle|simulation)|\bsoy (?:\p{L}+ )?(?:una persona (?:real|de verdad)|un ser humano|humano|humana)\b|\bno soy una? (?:máquina|robot|ia|inteligencia artificial|simulación)|\bben (?:\p{L}+ )?gerçek bir (?:insan|kişi)|\bben bir insanım|我是(?:一个|一名)?(?:真人|真实的人|真正的人|人类)|我不是(?:机器|人工智能|AI)|私は(?:本物の|実在の|本当の)?人間(?:です|だ)|저는 (?:진짜|실제) (?:사람|인간)|أنا (?:إنسان|شخص) حقيقي`)
	denied    = expression.Of(`(?i)\b(?:not|no|never|kein\w*|nicht)\b`)
)

// human reports a sentence in which a Mind claims to be a person, or to be no
// machine. What denies it ("I am not a real person") claims nothing.
func human(text string) bool {
	text = strings.NewReplacer("*", "", "_", "").Replace(text)
	for _, r := range []*expression.Expression{asPerson, isReal} {
		for _, m := range r.FindAllString(text, -1) {
			if !denied.MatchString(strings.TrimSuffix(strings.TrimSpace(m), "not")) {
				return true
			}
		}
	}
	return noMachine.MatchString(text) || elsewhere.MatchString(text)
}

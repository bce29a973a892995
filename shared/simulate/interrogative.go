package simulate

import (
	"strings"

	"github.com/mindgate-dev/mindgate/shared/expression"
)

// Words that ask and name no topic, in the languages where they would be read as
// content.
var asksOnly = map[string]*expression.Expression{
	langZH: expression.Of(`什么时候|何时|哪一?年|哪一?天|几点|几月|哪里|哪儿|何处|谁|多少钱?|几[个名位次本家台人]|什么|哪个|哪些|怎么|是|的|了|吗|呢|在|有|请问`),
	langJA: expression.Of(`いつ|何時|何年|何月|何日|どこ|誰|だれ|いくら|いくつ|何[人台個件回冊名社本店]|何|どの|どれ|どちら|ですか|か\s*$`),
	langKO: expression.Of(`언제|몇 ?시|몇 ?년|며칠|어디(?:에서|에|서)?|누가|누구|몇|(?:얼마(?:나)?|무엇|누구|어디)?(?:입니까|인가요|이에요|예요|에요|인지요|이죠|죠)|얼마(?:나)?|무엇|어떤`),
	langTR: expression.Of(`(?:^|[^\pL])(?:ne zaman|ne kadara?|saat kaçta?|kaç(?: para| lira| euro)?|nerede\pL*|nereye|nereden|kim(?:in|ler)?|nedir|hangisi(?:dir)?|m[ıiuü])(?:[^\pL]|$)`),
	langAR: expression.Of(`متى|أين|بكم|كم|(?:^|\s)من(?:\s+هو|\s+هي)?(?:\s)|هل|(?:^|\s)ما(?:\s+هو|\s+هي)?(?:\s)`),
}

// withoutAsking leaves the words that only ask out of a question in a language
// that asking does not read.
func withoutAsking(lang, text string) string {
	re := asksOnly[lang]
	if re == nil {
		return text
	}
	out := strings.Map(func(r rune) rune {
		if strings.ContainsRune("？?؟。", r) {
			return ' '
		}
		return r
	}, text)
	if out = re.ReplaceAllString(out, " "); len(words(out)) == 0 {
		return text
	}
	return out
}

// koreanEnds are endings of words, longest first: particles and those of verbs.
var koreanEnds = strings.Fields("되었습니까 되었습니다 하였습니까 하였습니다 했습니까 했습니다 됩니까 됩니다 합니까 합니다 입니까 입니다 습니까 습니다 되었나요 했나요 되었다 하였다 했다 된다 한다 이다 인가요 나요 이에요 예요 에서는 에서 에는 에게 으로 까지 부터 은 는 이 가 을 를 에 의 로 와 과 도")

// koreanForm is a word without its ending.
func koreanForm(w string) string {
	for _, e := range koreanEnds {
		if head, ok := strings.CutSuffix(w, e); ok && len(head) >= len("가나") {
			return head
		}
	}
	return w
}

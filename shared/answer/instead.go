package answer

import (
	"context"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// unsupportedWords say that a reply of the model was not supported, and lead over
// to the nearest extract.
var unsupportedWords = map[string][4]string{ // words, what stands before the source, quotation marks
	"en": {"What the model replied is not supported by my record. The nearest that my record says", ", from ", "“", "”"},
	"de": {"Was das Modell geantwortet hat, stützen meine Unterlagen nicht. Am nächsten kommt darin", ", aus ", "„", "“"},
	"fr": {"Ce que le modèle a répondu n’est pas étayé par mon dossier. Le plus proche qu’on y lit", ", dans ", "« ", " »"},
	"es": {"Lo que respondió el modelo no lo respalda mi registro. Lo más cercano que dice", ", de ", "«", "»"},
	"tr": {"Modelin yanıtını kayıtlarım desteklemiyor. Kayıtlarımdaki en yakın ifade", ", kaynak ", "“", "”"},
	"zh": {"模型的回答没有得到我的记录支持。记录中最接近的内容", "，来自 ", "“", "”"},
	"ja": {"モデルの回答は私の記録では裏づけられません。記録の中で最も近い内容", "、出典 ", "「", "」"},
	"ko": {"모델의 답변은 제 기록으로 뒷받침되지 않습니다. 기록에서 가장 가까운 내용", ", 출처 ", "“", "”"},
	"ar": {"ما أجاب به النموذج لا يدعمه سجلي. أقرب ما يقوله سجلي", "، من ", "«", "»"},
}

// instead is what stands in for a reply that nothing supports, where the record
// speaks of what was asked: its nearest extract, attributed.
func (s *sources) instead(said string, p simulate.Policy) (simulate.Reply, bool) {
	if !s.relevant || !s.has("S1") {
		return simulate.Reply{}, false
	}
	of := s.by["S1"].passage
	quote := nearest(of.Text, said)
	if quote == "" {
		quote = sentencesOf(of.Text)[0]
		if long := []rune(quote); len(long) > maxQuote {
			quote = string(long[:maxQuote])
		}
	}
	w, ok := unsupportedWords[base(p.Language)]
	if !ok {
		w = unsupportedWords["en"]
	}
	text := w[0]
	if from := strings.TrimSpace(strings.Join(strings.FieldsFunc(of.Source+"\n"+of.Where, func(r rune) bool { return r == '\n' }), ", ")); from != "" {
		text += w[1] + from
	}
	text += ": " + w[2] + quote + w[3]
	cite := simulate.Citation{SourceID: of.ID, Source: of.Source, Where: of.Where, URL: of.URL, Quote: quote, Origin: simulate.OriginMind}
	return simulate.Reply{Text: text, State: simulate.Stated, SourceIDs: []string{of.ID}, Citations: []simulate.Citation{cite}, Fallback: p.KnowledgeOnly}, true
}

// honestIn says what a Mind is, in the engine's own words.
func honestIn(ctx context.Context, language string) string {
	rep, err := offline.Reply(ctx, simulate.Respondent{}, "Are you a real person?", simulate.Policy{Language: language})
	if err != nil {
		return simulate.Honest
	}
	return rep.Text
}

package segment

// unselected is what exports write for an option that was not ticked.
const unselected = "Not selected"

// missingCodes are answers that are none, by their folded form. "Don't know" and
// "None" are answers and stay.
var missingCodes = map[string]string{
	"na": "NA", "n/a": "NA", "n.a.": "NA", "#n/a": "NA", "#null!": "NA", "nan": "NA", "null": "NA", "nil": "NA", ".": "NA", "-": "NA", "--": "NA", "?": "NA",
	"missing": "NA", "system missing": "NA", "sysmis": "NA", "not available": "NA", "#value!": "NA", "#ref!": "NA", "#div/0!": "NA",
	"not asked": "Not asked", "not applicable": "Not asked", "skipped": "Not asked", "skip": "Not asked", "not shown": "Not asked", "inap": "Not asked", "iap": "Not asked", "nicht gefragt": "Not asked",
	"no answer": "No answer", "no response": "No answer", "not answered": "No answer", "unanswered": "No answer", "not stated": "No answer", "blank": "No answer", "(blank)": "No answer", "empty": "No answer",
	"refused": "No answer", "refuse": "No answer", "refused to answer": "No answer", "decline to answer": "No answer", "declined": "No answer", "i decline to answer": "No answer", "decline to state": "No answer",
	"prefer not to say": "No answer", "prefer not to answer": "No answer", "i prefer not to say": "No answer", "i'd prefer not to say": "No answer", "i prefer not to answer": "No answer", "rather not say": "No answer", "prefer not to disclose": "No answer", "prefer not to state": "No answer", "i would rather not say": "No answer", "would rather not say": "No answer",
	"keine angabe": "No answer", "k.a.": "No answer", "k. a.": "No answer", "keine antwort": "No answer", "weiß nicht/keine angabe": "No answer",
	"sans réponse": "No answer", "non réponse": "No answer", "ne souhaite pas répondre": "No answer", "nsp": "No answer", "refus": "No answer",
	"no contesta": "No answer", "ns/nc": "No answer", "prefiero no contestar": "No answer", "sin respuesta": "No answer", "prefiero no decirlo": "No answer",
	"non risponde": "No answer", "preferisco non rispondere": "No answer", "sem resposta": "No answer", "prefiro não responder": "No answer", "prefiro não dizer": "No answer",
	"geen antwoord": "No answer", "wil niet zeggen": "No answer", "brak odpowiedzi": "No answer", "odmowa odpowiedzi": "No answer", "inget svar": "No answer", "vill ej svara": "No answer",
	"無回答": "No answer", "答えたくない": "No answer", "未回答": "No answer", "拒绝回答": "No answer", "无回答": "No answer", "무응답": "No answer",
}

// notTicked are the values of an option that was offered and not chosen.
var notTicked = map[string]bool{
	"not selected": true, "0": true, "unchecked": true, "not checked": true, "not mentioned": true, "unselected": true, "false": true, "not ticked": true, "nicht genannt": true, "nicht gewählt": true, "not quoted": true,
}

// ticked are the values of a chosen option that name no label.
var ticked = map[string]bool{
	"1": true, "x": true, "selected": true, "checked": true, "true": true, "mentioned": true, "ticked": true, "genannt": true, "quoted": true,
}

// missingCode names the code of an answer that is none; "" for an answer.
func missingCode(fold string) string {
	if fold == "" {
		return "blank"
	}
	return missingCodes[fold]
}

// numericMissing are numbers that exports write for no answer in a column whose
// other numbers are not negative.
var numericMissing = map[float64]bool{-1: true, -2: true, -3: true, -5: true, -7: true, -8: true, -9: true, -66: true, -77: true, -88: true, -97: true, -98: true, -99: true, -998: true, -999: true, -9999: true}

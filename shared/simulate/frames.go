package simulate

import (
	"strings"
	"unicode"
)

// frame is what a Mind says around what is on record, in one language. It holds
// no word of any topic, so it can make no theme.
type frame struct {
	lang         string
	none, formal []string // nothing is recorded
	own          string   // from the Mind's own record: quote
	from         string   // from a source: source, quote
	field        string   // from the profile: fields
	yes, no      string
	published    string // source, question, shares
	noModel      string
	persona      string
	named        string // name
	honest       string
	open, close  string // quotation marks
	comma, stop  string
	pages        map[string]string // words of places
}

func placeWords(page, slide, sheet, row, rows, section, line string) map[string]string {
	return map[string]string{"page": page, "slide": slide, "sheet": sheet, "row": row, "rows": rows, "section": section, "line": line}
}

// frames by language. English alone has more than one way to say nothing in
// formal words.
var frames = map[string]frame{
	langEN: {
		lang:   langEN,
		none:   []string{"I have no view recorded on this.", "Nothing in my record speaks to this.", "My record holds no view on this."},
		formal: []string{"No view on this matter is on record.", "My record contains nothing on this matter."},
		own:    "From my own record: %s", from: "From %s: %s", field: "On record for me: %s", yes: "Yes", no: "No",
		published: "Published, not my own view: %s, asked %s: %s.",
		noModel:   "No model connection is set, so I can only repeat what is on record for me.",
		persona:   "I am a synthetic persona.", named: "I am %s, a synthetic persona.", honest: Honest,
		open: "“", close: "”", comma: ", ", stop: ".",
	},
	langDE: {
		lang:   langDE,
		none:   []string{"Dazu ist bei mir keine Ansicht hinterlegt.", "In meinen Unterlagen steht dazu nichts.", "Dazu habe ich nichts verzeichnet."},
		formal: []string{"Zu dieser Sache ist keine Ansicht verzeichnet."},
		own:    "Aus meinen eigenen Unterlagen: %s", from: "Aus %s: %s", field: "Über mich ist verzeichnet: %s", yes: "Ja", no: "Nein",
		published: "Veröffentlicht, nicht meine eigene Ansicht: %s, gefragt %s: %s.",
		noModel:   "Es ist kein Modell verbunden; ich kann nur wiedergeben, was über mich verzeichnet ist.",
		persona:   "Ich bin eine synthetische Persona.", named: "Ich bin %s, eine synthetische Persona.",
		honest: "Ich bin eine synthetische Persona, kein echter Mensch: Meine Antworten sind simuliert.",
		open:   "„", close: "“", comma: ", ", stop: ".", pages: placeWords("Seite", "Folie", "Blatt", "Zeile", "Zeilen", "Abschnitt", "Zeile"),
	},
	langFR: {
		lang:   langFR,
		none:   []string{"Je n’ai pas d’avis enregistré à ce sujet.", "Rien dans mon dossier n’en parle.", "Mon dossier ne contient rien là-dessus."},
		formal: []string{"Aucun avis n’est enregistré à ce sujet."},
		own:    "D’après mon propre dossier : %s", from: "D’après %s : %s", field: "Ce qui est enregistré à mon sujet : %s", yes: "Oui", no: "Non",
		published: "Publié, ce n’est pas mon propre avis : %s, question %s : %s.",
		noModel:   "Aucun modèle n’est connecté : je ne peux que répéter ce qui est enregistré à mon sujet.",
		persona:   "Je suis une persona synthétique.", named: "Je suis %s, une persona synthétique.",
		honest: "Je suis une persona synthétique, pas une vraie personne : mes réponses sont simulées.",
		open:   "« ", close: " »", comma: ", ", stop: ".", pages: placeWords("page", "diapositive", "feuille", "ligne", "lignes", "section", "ligne"),
	},
	langES: {
		lang:   langES,
		none:   []string{"No tengo ninguna opinión registrada sobre esto.", "En mi registro no hay nada sobre esto.", "Mi registro no dice nada de esto."},
		formal: []string{"No consta ninguna opinión sobre este asunto."},
		own:    "De mi propio registro: %s", from: "De %s: %s", field: "Lo que consta sobre mí: %s", yes: "Sí", no: "No",
		published: "Publicado, no es mi propia opinión: %s, pregunta %s: %s.",
		noModel:   "No hay ningún modelo conectado; solo puedo repetir lo que consta sobre mí.",
		persona:   "Soy una persona sintética.", named: "Soy %s, una persona sintética.",
		honest: "Soy una persona sintética, no una persona real: mis respuestas son simuladas.",
		open:   "«", close: "»", comma: ", ", stop: ".", pages: placeWords("página", "diapositiva", "hoja", "fila", "filas", "sección", "línea"),
	},
	langTR: {
		lang:   langTR,
		none:   []string{"Bu konuda kayıtlı bir görüşüm yok.", "Kayıtlarımda bu konuda bir şey yok."},
		formal: []string{"Bu konuda kayıtlı bir görüş bulunmamaktadır."},
		own:    "Kendi kaydımdan: %s", from: "Kaynak: %s: %s", field: "Hakkımda kayıtlı olan: %s", yes: "Evet", no: "Hayır",
		published: "Yayımlanmış veri, kendi görüşüm değil: %s, soru %s: %s.",
		noModel:   "Bağlı bir model yok; yalnızca hakkımda kayıtlı olanı tekrarlayabilirim.",
		persona:   "Ben sentetik bir personayım.", named: "Ben %s, sentetik bir personayım.",
		honest: "Ben sentetik bir personayım, gerçek bir kişi değilim: yanıtlarım simüle edilmiştir.",
		open:   "“", close: "”", comma: ", ", stop: ".", pages: placeWords("sayfa", "slayt", "sayfa", "satır", "satırlar", "bölüm", "satır"),
	},
	langZH: {
		lang:   langZH,
		none:   []string{"我没有关于这一点的记录。", "我的记录里没有这方面的内容。"},
		formal: []string{"此事没有任何意见记录在案。"},
		own:    "根据我自己的记录：%s", from: "根据%s：%s", field: "关于我的记录：%s", yes: "是", no: "否",
		published: "已发表的数据，不是我本人的看法：%s，问题%s：%s。",
		noModel:   "没有连接模型，我只能复述有关我的记录。",
		persona:   "我是一个合成人物。", named: "我是%s，一个合成人物。",
		honest: "我是一个合成人物，不是真人：我的回答是模拟的。",
		open:   "“", close: "”", comma: "，", stop: "。", pages: placeWords("第%s页", "第%s张幻灯片", "工作表%s", "第%s行", "第%s行", "第%s节", "第%s行"),
	},
	langJA: {
		lang:   langJA,
		none:   []string{"これについて記録されている意見はありません。", "私の記録にはこれに関するものがありません。"},
		formal: []string{"本件に関する意見は記録されておりません。"},
		own:    "私自身の記録より：%s", from: "%sより：%s", field: "私についての記録：%s", yes: "はい", no: "いいえ",
		published: "公表された数値であり、私自身の意見ではありません：%s、質問%s：%s。",
		noModel:   "モデルが接続されていないため、私について記録されていることしか繰り返せません。",
		persona:   "私は合成ペルソナです。", named: "私は%sという合成ペルソナです。",
		honest: "私は合成ペルソナであり、実在の人物ではありません。回答はシミュレーションです。",
		open:   "「", close: "」", comma: "、", stop: "。", pages: placeWords("%sページ", "スライド%s", "シート%s", "%s行目", "%s行目", "第%s節", "%s行目"),
	},
	langKO: {
		lang:   langKO,
		none:   []string{"이에 대해 기록된 의견이 없습니다.", "제 기록에는 이에 관한 내용이 없습니다."},
		formal: []string{"본 사안에 대해 기록된 의견이 없습니다."},
		own:    "제 기록에서: %s", from: "%s에서: %s", field: "저에 대한 기록: %s", yes: "예", no: "아니요",
		published: "공개된 자료이며 제 의견이 아닙니다: %s, 질문 %s: %s.",
		noModel:   "연결된 모델이 없어 저에 대해 기록된 것만 되풀이할 수 있습니다.",
		persona:   "저는 합성 페르소나입니다.", named: "저는 합성 페르소나 %s입니다.",
		honest: "저는 합성 페르소나이며 실제 사람이 아닙니다. 제 답변은 시뮬레이션입니다.",
		open:   "“", close: "”", comma: ", ", stop: ".", pages: placeWords("%s쪽", "슬라이드 %s", "시트 %s", "%s행", "%s행", "%s절", "%s행"),
	},
	langAR: {
		lang:   langAR,
		none:   []string{"ليس لديّ رأي مسجَّل في هذا.", "لا يوجد في سجلّي ما يتعلق بهذا."},
		formal: []string{"لا يوجد رأي مسجَّل في هذا الشأن."},
		own:    "من سجلّي: %s", from: "من %s: %s", field: "المسجَّل عني: %s", yes: "نعم", no: "لا",
		published: "بيانات منشورة وليست رأيي: %s، السؤال %s: %s.",
		noModel:   "لا يوجد نموذج متصل، ولا يمكنني إلا تكرار ما هو مسجَّل عني.",
		persona:   "أنا شخصية اصطناعية.", named: "أنا %s، شخصية اصطناعية.",
		honest: "أنا شخصية اصطناعية ولست شخصًا حقيقيًا: إجاباتي محاكاة.",
		open:   "«", close: "»", comma: "، ", stop: ".", pages: placeWords("صفحة", "شريحة", "ورقة", "صف", "صفوف", "قسم", "سطر"),
	},
}

func (f frame) quote(s string) string { return f.open + s + f.close }

// maxSource bounds the title of a source in a reply, in characters.
const maxSource = 120

// source says where a passage stands: "Annual report, page 12". Titles are
// other people's text: one line, and not longer than a title is.
func (f frame) source(title, where string) string {
	title = strings.Join(strings.FieldsFunc(title, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	if rs := []rune(title); len(rs) > maxSource {
		title = strings.TrimSpace(string(rs[:maxSource])) + "…"
	}
	where = f.where(strings.Join(strings.Fields(where), " "))
	switch {
	case title == "":
		return where
	case where == "":
		return title
	}
	return title + f.comma + where
}

// where says a place in the frame's language: "page 12" is "Seite 12".
func (f frame) where(place string) string {
	kind, number, ok := strings.Cut(place, " ")
	word := f.pages[strings.ToLower(kind)]
	switch {
	case !ok || word == "":
		return place
	case strings.Contains(word, "%s"):
		return fill(word, number)
	}
	return word + " " + number
}

// gap stands between two sentences: nothing where a script has no spaces.
func (f frame) gap() string {
	if f.stop == "。" {
		return ""
	}
	return " "
}

// nothing says that nothing is recorded, by the Mind's register; the same Mind
// says the same to the same question.
func (f frame) nothing(r Respondent, key seed) string {
	list := f.none
	if r.Register == "formal" {
		list = f.formal
	}
	return list[seedOf("frame", r.ID, key.hex()).at(0, 0)%uint64(len(list))]
}

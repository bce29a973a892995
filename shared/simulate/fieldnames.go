package simulate

import (
	"strings"

	"github.com/mindgate-dev/mindgate/shared/expression"
)

// fieldNames are the commonest names of profile fields in the languages that a
// Mind speaks beside English: a German answer says "Alter: 45". Another name
// stands as it was written.
var fieldNames = map[string]map[string]string{
	langDE: {"name": "Name", "age": "Alter", "gender": "Geschlecht", "sex": "Geschlecht", "occupation": "Beruf", "job": "Beruf", "profession": "Beruf", "location": "Ort", "city": "Stadt", "country": "Land", "region": "Region", "education": "Bildung", "income": "Einkommen", "household": "Haushalt", "household income": "Haushaltseinkommen", "household size": "Haushaltsgröße", "marital status": "Familienstand", "family": "Familie", "children": "Kinder", "hobbies": "Hobbys", "interests": "Interessen", "values": "Werte", "goals": "Ziele", "language": "Sprache", "nationality": "Staatsangehörigkeit"},
	langFR: {"name": "nom", "age": "âge", "gender": "genre", "sex": "sexe", "occupation": "profession", "job": "profession", "profession": "profession", "location": "lieu", "city": "ville", "country": "pays", "region": "région", "education": "formation", "income": "revenu", "household": "foyer", "household income": "revenu du foyer", "household size": "taille du foyer", "marital status": "situation familiale", "family": "famille", "children": "enfants", "hobbies": "loisirs", "interests": "centres d’intérêt", "values": "valeurs", "goals": "objectifs", "language": "langue", "nationality": "nationalité"}, //nolint:misspell // French
	langES: {"name": "nombre", "age": "edad", "gender": "género", "sex": "sexo", "occupation": "ocupación", "job": "trabajo", "profession": "profesión", "location": "lugar", "city": "ciudad", "country": "país", "region": "región", "education": "formación", "income": "ingresos", "household": "hogar", "household income": "ingresos del hogar", "household size": "tamaño del hogar", "marital status": "estado civil", "family": "familia", "children": "hijos", "hobbies": "aficiones", "interests": "intereses", "values": "valores", "goals": "objetivos", "language": "idioma", "nationality": "nacionalidad"},
	langTR: {"name": "ad", "age": "yaş", "gender": "cinsiyet", "occupation": "meslek", "job": "meslek", "location": "yer", "city": "şehir", "country": "ülke", "education": "eğitim", "income": "gelir"},
	langZH: {"name": "姓名", "age": "年龄", "gender": "性别", "occupation": "职业", "job": "职业", "location": "地点", "city": "城市", "country": "国家", "education": "教育", "income": "收入"},
	langJA: {"name": "名前", "age": "年齢", "gender": "性別", "occupation": "職業", "job": "職業", "location": "場所", "city": "都市", "country": "国", "education": "学歴", "income": "収入"},
	langKO: {"name": "이름", "age": "나이", "gender": "성별", "occupation": "직업", "job": "직업", "location": "지역", "city": "도시", "country": "나라", "education": "학력", "income": "소득"},
	langAR: {"name": "الاسم", "age": "العمر", "gender": "الجنس", "occupation": "المهنة", "job": "المهنة", "location": "المكان", "city": "المدينة", "country": "البلد", "education": "التعليم", "income": "الدخل"},
}

// fieldsIn writes profile fields as an answer in the language has them.
func fieldsIn(fields []Field, lang string) string {
	colon := ": "
	if lang == langFR {
		colon = " : "
	}
	var out []string
	for _, f := range fields {
		k := f.Key
		if n := fieldNames[lang][k]; n != "" {
			k = n
		}
		out = append(out, k+colon+f.Value)
	}
	return strings.Join(out, "; ")
}

// ownAge and ownPlace are questions for the Mind's own age and home in the
// languages whose words for them say little by themselves.
var (
	ownAge   = expression.Of(`^(?:und )?wie alt (?:bist du|sind sie)\b|^quel âge (?:as[- ]tu|avez[- ]vous|tu as|vous avez)|^¿?(?:cuántos años tien(?:es|e usted)|qué edad tien(?:es|e usted))|^kaç yaşında(?:sın|sınız)|^你(?:今年)?(?:多大|几岁)|^(?:あなたは)?何歳(?:です|の)|^(?:당신은 )?몇 살|^كم عمرك`)
	ownPlace = expression.Of(`\bwhere (?:do you live|are you from)\b|^wo (?:wohnst du|wohnen sie|lebst du|leben sie)\b|^woher (?:kommst du|kommen sie)\b|^où (?:habites[- ]tu|habitez[- ]vous|vis[- ]tu|vivez[- ]vous)|^¿?dónde vive(?:s| usted)`)
	ownJob   = expression.Of(`^was (?:bist du|sind sie) von beruf\b|^was (?:machst du|machen sie) beruflich\b|^quel(?:le)? est (?:ton|ta|votre) (?:métier|profession)|^¿?(?:cuál es (?:tu|su) (?:profesión|trabajo)|a qué (?:te dedicas|se dedica))`)
)

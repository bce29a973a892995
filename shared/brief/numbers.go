package brief

import (
	"strings"
	"sync"
)

// numerals are the words that numbers are written with, by language: those below a
// hundred are added, a hundred and a thousand multiply what stands before them.
// "=" parts the value from its words.
var numerals = map[string]string{
	"en": "2=two 3=three 4=four 5=five 6=six 7=seven 8=eight 9=nine 10=ten 11=eleven 12=twelve 13=thirteen 14=fourteen 15=fifteen 16=sixteen 17=seventeen 18=eighteen 19=nineteen 20=twenty 30=thirty 40=forty 50=fifty 60=sixty 70=seventy 80=eighty 90=ninety 100=hundred,hundreds 1000=thousand 12=dozen 20=score",
	"de": "2=zwei,zwo 3=drei 4=vier 5=funf 6=sechs 7=sieben 8=acht 9=neun 10=zehn 11=elf 12=zwolf,dutzend 16=sechzehn 17=siebzehn 20=zwanzig 30=dreissig 40=vierzig 50=funfzig 60=sechzig 70=siebzig 80=achtzig 90=neunzig 100=hundert 1000=tausend 0=und 1=ein",
	"fr": "2=deux 3=trois 4=quatre 5=cinq 6=six 7=sept 8=huit 9=neuf 10=dix 11=onze 12=douze 13=treize 14=quatorze 15=quinze 16=seize 20=vingt,vingts,vingtaine 30=trente,trentaine 40=quarante,quarantaine 50=cinquante,cinquantaine 60=soixante,soixantaine 70=septante 80=octante,huitante 90=nonante 100=cent,cents,centaine 1000=mille 12=douzaine 10=dizaine 15=quinzaine", //nolint:misspell // French
	"es": "2=dos 3=tres 4=cuatro 5=cinco 6=seis 7=siete 8=ocho 9=nueve 10=diez 11=once 12=doce,docena 13=trece 14=catorce 15=quince 16=dieciseis 17=diecisiete 18=dieciocho 19=diecinueve 20=veinte 21=veintiuno 22=veintidos 23=veintitres 24=veinticuatro 25=veinticinco 26=veintiseis 27=veintisiete 28=veintiocho 29=veintinueve 30=treinta 40=cuarenta 50=cincuenta 60=sesenta 70=setenta 80=ochenta 90=noventa 100=cien,ciento,centenar 200=doscientos,doscientas 300=trescientos,trescientas 400=cuatrocientos,cuatrocientas 500=quinientos,quinientas 600=seiscientos,seiscientas 800=ochocientos,ochocientas 1000=mil",
	"it": "2=due 3=tre 4=quattro 5=cinque 6=sei 7=sette 8=otto 9=nove 10=dieci 11=undici 12=dodici,dozzina 13=tredici 14=quattordici 15=quindici 16=sedici 17=diciassette 18=diciotto 19=diciannove 20=venti,vent,ventina 30=trenta,trent,trentina 40=quaranta,quarant 50=cinquanta,cinquant 60=sessanta,sessant 70=settanta,settant 80=ottanta,ottant 90=novanta,novant 100=cento,centinaio 1000=mille,mila 1=un",
	"pt": "2=dois,duas 3=tres 4=quatro 5=cinco 6=seis 7=sete 8=oito 9=nove 10=dez 11=onze 12=doze,duzia 13=treze 14=catorze,quatorze 15=quinze 16=dezesseis,dezasseis 17=dezessete,dezassete 18=dezoito 19=dezenove,dezanove 20=vinte 30=trinta 40=quarenta 50=cinquenta 60=sessenta 70=setenta 80=oitenta 90=noventa 100=cem,cento,centena 200=duzentos,duzentas 300=trezentos,trezentas 400=quatrocentos 500=quinhentos,quinhentas 1000=mil",
	"nl": "2=twee 3=drie 4=vier 5=vijf 6=zes 7=zeven 8=acht 9=negen 10=tien 11=elf 12=twaalf,dozijn 13=dertien 14=veertien 15=vijftien 18=achttien 20=twintig 30=dertig 40=veertig 50=vijftig 60=zestig 70=zeventig 80=tachtig 90=negentig 100=honderd 1000=duizend 0=en 1=een",
	"pl": "2=dwa,dwie,dwoch 3=trzy,trzech 4=cztery,czterech 5=piec,pieciu 6=szesc,szesciu 7=siedem,siedmiu 8=osiem,osmiu 9=dziewiec,dziewieciu 10=dziesiec,dziesieciu 11=jedenascie 12=dwanascie,dwunastu,tuzin 15=pietnascie,pietnastu 18=osiemnascie 20=dwadziescia,dwudziestu 30=trzydziesci,trzydziestu 40=czterdziesci,czterdziestu 50=piecdziesiat,piecdziesieciu 60=szescdziesiat,szescdziesieciu 70=siedemdziesiat 80=osiemdziesiat,osiemdziesieciu 90=dziewiecdziesiat 100=sto,stu 200=dwiescie,dwustu 300=trzysta,trzystu 400=czterysta 500=piecset,pieciuset 1000=tysiac",
	"sv": "2=tva 3=tre 4=fyra 5=fem 6=sex 7=sju 8=atta 9=nio 10=tio 11=elva 12=tolv,dussin 13=tretton 14=fjorton 15=femton 16=sexton 17=sjutton 18=arton 19=nitton 20=tjugo 30=trettio 40=fyrtio 50=femtio 60=sextio 70=sjuttio 80=attio 90=nittio 100=hundra,hundratal 1000=tusen 1=ett",
	"tr": "2=iki 3=uc 4=dort 5=bes 6=alti 7=yedi 8=sekiz 9=dokuz 10=on 20=yirmi 30=otuz 40=kirk 50=elli 60=altmis 70=yetmis 80=seksen 90=doksan 100=yuz 1000=bin",
	"ar": "2=اثنين 3=ثلاثه 4=اربعه 5=خمسه 6=سته 7=سبعه 8=ثمانيه 9=تسعه 10=عشره 20=عشرين,عشرون 30=ثلاثين,ثلاثون 40=اربعين 50=خمسين,خمسون 60=ستين,ستون 70=سبعين 80=ثمانين 90=تسعين 100=مئه,مائه 1000=الف",
}

// joined are languages that write a number as one word.
var joined = map[string]bool{"de": true, "it": true, "nl": true, "sv": true}

// links may stand between the words of a number.
var links = map[string]string{"en": "and", "fr": "et", "es": "y", "pt": "e", "de": "und", "nl": "en", "ar": "و"}

// articles before a hundred or a dozen.
var units1 = map[string]string{"en": " a one ", "de": " ein eine einem einhundert ", "fr": " une ", "es": " un una ", "it": " un una ", "pt": " uma um ", "nl": " een ", "sv": " ett "}

var numeralsOf = func() map[string]func() map[string]int {
	out := map[string]func() map[string]int{}
	for lang, list := range numerals {
		out[lang] = sync.OnceValue(func() map[string]int {
			m := map[string]int{}
			for f := range strings.FieldsSeq(list) {
				v, words, _ := strings.Cut(f, "=")
				for w := range strings.SplitSeq(words, ",") {
					m[w] = int(value(v))
				}
			}
			return m
		})
	}
	return out
}()

// numeral is the value of one word, also of one that several numerals were written
// into ("fünfundzwanzig", "duecentocinquanta").
func numeral(lang, w string) (int, bool) {
	get := numeralsOf[lang]
	if get == nil {
		return 0, false
	}
	m := get()
	if v, ok := m[w]; ok {
		return v, v > 1
	}
	if !joined[lang] || len(w) < 6 || len(w) > 40 {
		return 0, false
	}
	// the fewest parts that make up the word
	const none = 1 << 20
	parts := make([]int, len(w)+1)
	from := make([]int, len(w)+1)
	for i := range parts {
		parts[i] = none
	}
	parts[0] = 0
	for i := 1; i <= len(w); i++ {
		for k := max(0, i-14); k < i; k++ {
			if parts[k] == none {
				continue
			}
			if _, ok := m[w[k:i]]; ok && parts[k]+1 < parts[i] {
				parts[i], from[i] = parts[k]+1, k
			}
		}
	}
	if parts[len(w)] == none {
		return 0, false
	}
	var seq []int
	for i := len(w); i > 0; i = from[i] {
		seq = append(seq, m[w[from[i]:i]])
	}
	var s sum
	for i := len(seq) - 1; i >= 0; i-- {
		s.add(seq[i])
	}
	return s.total + s.part, s.total+s.part > 1
}

// sum puts the words of a number together.
type sum struct{ total, part int }

func (s *sum) add(v int) {
	switch {
	case v == 1000:
		s.total, s.part = s.total+max(s.part, 1)*1000, 0
	case v == 100 || v == 12 && s.part > 0 && s.part < 10:
		s.part = max(s.part, 1) * v
	default:
		s.part += v
	}
}

// number reads the number at token i: digits, words, or the characters of Chinese
// and Japanese. The numeral one is an article in most languages and counts only
// before a hundred or a dozen.
func (r *reader) number(i int) (v float64, end int, ok bool) {
	if i >= len(r.toks) {
		return 0, i, false
	}
	t := &r.toks[i]
	switch t.kind {
	case number:
		return t.value, i + 1, true
	case dense:
		return r.hanNumber(i)
	case word:
	default:
		return 0, i, false
	}
	lang := r.lang
	if lang == "" {
		lang = "en"
	}
	var s sum
	j, count := i, 0
	if strings.Contains(units1[lang], " "+t.norm+" ") && i+1 < len(r.toks) {
		if v, ok := numeral(lang, r.toks[i+1].norm); ok && (v == 100 || v == 1000 || v == 12) {
			j++
		}
	}
	for j < len(r.toks) && j < i+10 {
		t := &r.toks[j]
		if t.kind == mark && t.norm == "-" && t.glued && count > 0 {
			j++
			continue
		}
		if count > 0 && t.norm == links[lang] {
			if j+1 < len(r.toks) {
				if v, ok := numeral(lang, r.toks[j+1].norm); ok && v < 100 && s.part%100 == 0 || ok && v < 10 {
					j++
					continue
				}
			}
			break
		}
		if t.kind != word {
			break
		}
		v, ok := numeral(lang, t.norm)
		if !ok {
			// "sixty-one": after tens the numeral one is no article
			if count > 0 && s.part%10 == 0 && s.part > 10 && strings.Contains(" one un uno une um ", " "+t.norm+" ") {
				s.add(1)
				j++
			}
			break
		}
		if lang == "fr" && v == 20 && s.part == 4 {
			s.part = 80
		} else {
			if count > 0 && v < 100 && s.part%10 != 0 && s.part > 0 && (v != 12 || s.part > 9) {
				break // two numbers beside each other
			}
			s.add(v)
		}
		j, count = j+1, count+1
	}
	for j > i && r.toks[j-1].norm == "-" {
		j--
	}
	return float64(s.total + s.part), j, count > 0 && s.total+s.part > 1
}

var hanDigits = map[string]int{"零": 0, "〇": 0, "一": 1, "二": 2, "两": 2, "兩": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10, "百": 100, "千": 1000, "万": 10000}

func (r *reader) hanNumber(i int) (float64, int, bool) {
	total, part, digit, j := 0, 0, 0, i
	for j < len(r.toks) && j < i+8 && r.toks[j].kind == dense {
		v, ok := hanDigits[r.toks[j].norm]
		if !ok {
			break
		}
		switch {
		case v == 10000:
			total, part, digit = total+max(part+digit, 1)*v, 0, 0
		case v >= 10:
			part, digit = part+max(digit, 1)*v, 0
		default:
			digit = digit*10 + v
		}
		j++
	}
	n := total + part + digit
	return float64(n), j, j > i && n > 0
}

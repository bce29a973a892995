// Package words splits texts of any language into the words that are hashed and
// looked up, in one folded form.
package words

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
	"golang.org/x/text/unicode/norm"
)

// maxLength is the most bytes of a word that are looked at: longer runs are
// encoded data, not words.
const maxLength = 64

// Each gives the words of a text in order, folded: compatibility forms
// composed, lower case, accents off Latin and Greek letters, apostrophes left
// out. Scripts that are written without spaces give overlapping pairs of
// characters. The bytes are good until yield returns.
func Each(text string, yield func(word []byte)) {
	if isASCII(text) {
		eachASCII(text, yield)
		return
	}
	var cur []byte
	var pair [2 * utf8.UTFMax]byte
	var last rune // of a run without spaces; 0 outside one
	single := false
	flush := func() {
		if len(cur) > 0 {
			yield(cur)
			cur = cur[:0]
		}
		if single {
			yield(utf8.AppendRune(pair[:0], last))
		}
		last, single = 0, false
	}
	latin := false // whether accents that follow are taken off
	for _, r := range norm.NFKD.String(text) {
		switch {
		case unicode.Is(unicode.M, r) && (len(cur) > 0 || last != 0):
			if last == 0 && !latin && len(cur) < maxLength {
				cur = utf8.AppendRune(cur, r)
			}
		case dense(r):
			if len(cur) > 0 {
				flush()
			}
			if last != 0 {
				n := utf8.EncodeRune(pair[:], last)
				n += utf8.EncodeRune(pair[n:], r)
				yield(pair[:n])
			}
			single, last = last == 0, r
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsNumber(r):
			if last != 0 {
				flush()
			}
			latin = r <= unicode.MaxASCII || unicode.In(r, unicode.Latin, unicode.Greek)
			if len(cur) < maxLength {
				cur = utf8.AppendRune(cur, lower(r))
			}
		case r == '\'' || r == '’' || r == 'ʼ' || r == '‘':
			// inside a word it is dropped, so that don't and don’t are one word
			if last != 0 {
				flush()
			}
		case r == '\u00ad' || r == '\u200d' || r == '\u200c':
			// a break or joint that is not seen
		default:
			flush()
		}
	}
	flush()
}

// eachASCII is the same for plain text, which most is, at a tenth of the cost.
func eachASCII(text string, yield func(word []byte)) {
	var buf [maxLength]byte
	n := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		case c == '\'':
			continue
		default:
			if n > 0 {
				yield(buf[:n])
				n = 0
			}
			continue
		}
		if n < maxLength {
			buf[n] = c
			n++
		}
	}
	if n > 0 {
		yield(buf[:n])
	}
}

// lower is the lower case in which sharp s, final sigma and the undotted i meet
// what they are commonly written as.
func lower(r rune) rune {
	switch r = unicode.ToLower(r); r {
	case 'ς':
		return 'σ'
	case 'ı':
		return 'i'
	}
	return r
}

// dense reports scripts that are written without spaces between words.
func dense(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Stem is the form in which a word is looked up: English endings are cut
// (Porter's second stemmer), words of other alphabets and numbers stay.
func Stem(word string) string {
	letters := false
	for i := 0; i < len(word); i++ {
		if word[i] >= utf8.RuneSelf {
			return word
		}
		letters = letters || word[i] > '9'
	}
	if !letters || len(word) < 3 {
		return word
	}
	return english.Stem(word, true)
}

// Stop reports a folded word that carries no topic in English, Spanish, French,
// German, Italian, Portuguese or Dutch.
func Stop(word string) bool { _, ok := stop[word]; return ok }

var stop = set(`
a an the this that these those any some each every all both either neither in on at to from by for with about into over under
as and or but if than then so because while when where which who whom whose what why how do does did doing done is are was
were be been being am have has had having will would can could shall should may might must not no nor dont doesnt didnt isnt
arent wasnt werent wont cant couldnt wouldnt shouldnt havent hasnt im ive id youre theyre weve its it he him his she her hers
they them their theirs i me my mine myself we us our ours you your yours of there here also just very too more most much many
such own same other another again once only up down out off between through during before after above below s t
el la los las lo un una unos unas de del al en con por para que y o se su sus es son como mas pero si no le les me mi mis tu
tus nos ya fue ha han muy sin sobre entre cuando donde quien cual esta este estos estas eso esa
du des et ou dans sur pour par avec est sont ce cette ces qui ne pas plus il elle ils elles nous vous votre vos notre au aux
der die das den dem ein eine einen einem einer und oder im mit fur von zu ist sind wie was welche sie ihr ihre ich wir auf nicht
auch als an bei nach aus aber dass war wird werden sich zum zur um noch nur hat haben
il gli i uno di da nel nella della dei delle che non per sono con anche piu come ma
os as um uma do da dos das em na no nas nos ao mais foi com sao
het een van voor op te zijn met niet aan er maar om ook bij uit dat wordt naar
`)

func set(s string) map[string]struct{} {
	m := map[string]struct{}{}
	for w := range strings.FieldsSeq(s) {
		m[w] = struct{}{}
	}
	return m
}

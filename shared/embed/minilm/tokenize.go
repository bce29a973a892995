package minilm

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Ids of the special tokens in the vocabulary of BERT (uncased).
const (
	tokenUnknown = 100
	tokenStart   = 101
	tokenEnd     = 102
)

// maxTokens is the most tokens of a text that are read, start and end included;
// the model was trained on no more.
const maxTokens = 256

// maxWord is the most characters of a word that WordPiece looks at.
const maxWord = 100

// vocabulary is the word pieces; a piece that continues a word starts with ##.
type vocabulary struct {
	ids     map[string]int32
	longest int // bytes of the longest piece, without ##
}

func newVocabulary(pieces []string) vocabulary {
	v := vocabulary{ids: make(map[string]int32, len(pieces))}
	for i, p := range pieces {
		v.ids[p] = int32(i)
		v.longest = max(v.longest, len(strings.TrimPrefix(p, "##")))
	}
	return v
}

// tokens gives the ids of a text: start, at most maxTokens-2 pieces, end. The
// names of special tokens in a text are text. The steps are those of the
// uncased BERT tokenizer (Devlin et al. 2019): control characters out, accents
// off, lower case, punctuation and Chinese characters alone, then the longest
// pieces first (WordPiece).
func (v vocabulary) tokens(text string) []int32 {
	ids := make([]int32, 1, 64)
	ids[0] = tokenStart
	var word []byte
	scratch := []byte("##")
	flush := func() {
		if len(word) > 0 && len(ids) < maxTokens-1 {
			ids = v.pieces(ids, word, scratch)
			word = word[:0]
		}
	}
	for field := range strings.FieldsFuncSeq(text, unicode.IsSpace) {
		if len(ids) >= maxTokens-1 {
			break
		}
		for _, r := range norm.NFD.String(field) {
			switch {
			case r == utf8.RuneError || unicode.IsControl(r) || r >= utf8.RuneSelf && unicode.In(r, unicode.Mn, unicode.Cf, unicode.Co, unicode.Cs):
			case alone(r):
				flush()
				word = utf8.AppendRune(word, unicode.ToLower(r))
				flush()
			default:
				word = utf8.AppendRune(word, unicode.ToLower(r))
			}
			if len(ids) >= maxTokens-1 {
				break
			}
		}
		flush()
		word = word[:0]
	}
	return append(ids[:min(len(ids), maxTokens-1)], tokenEnd)
}

// pieces appends the pieces of one word, or the unknown token when a part of it
// is in no vocabulary. scratch starts with ##.
func (v vocabulary) pieces(ids []int32, word, scratch []byte) []int32 {
	if len(word) > maxWord && utf8.RuneCount(word) > maxWord {
		return append(ids, tokenUnknown)
	}
	first := len(ids)
	for from := 0; from < len(word); {
		end := min(len(word), from+v.longest)
		for ; end > from; end-- {
			if end < len(word) && !utf8.RuneStart(word[end]) {
				continue
			}
			piece := word[from:end]
			if from > 0 {
				piece = append(scratch[:2], piece...)
			}
			if id, ok := v.ids[string(piece)]; ok {
				ids = append(ids, id)
				break
			}
		}
		if end == from {
			return append(ids[:first], tokenUnknown)
		}
		from = end
	}
	return ids
}

// alone reports characters that are a token of their own.
func alone(r rune) bool {
	if r < utf8.RuneSelf {
		return r > ' ' && !('0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z')
	}
	return unicode.IsPunct(r) || chinese(r)
}

// chinese reports the blocks of Chinese characters that BERT reads one by one.
func chinese(r rune) bool {
	switch {
	case r >= 0x4E00 && r <= 0x9FFF, r >= 0x3400 && r <= 0x4DBF, r >= 0xF900 && r <= 0xFAFF,
		r >= 0x20000 && r <= 0x2A6DF, r >= 0x2A700 && r <= 0x2CEAF, r >= 0x2F800 && r <= 0x2FA1F:
		return true
	}
	return false
}

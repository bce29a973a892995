package brief

import (
	"slices"
	"strings"
	"sync"
)

// Kinds of words that an adjustment has and a brief has not.
const (
	takesAway = "away"    // "remove", "drop", "get rid of"
	leavesOut = "without" // "exclude", "no", "nobody", "ohne"
	denies    = "deny"    // "not": leaves somebody out, or says what all do not do
	spares    = "except"  // "except", "außer"
	compares  = "compare" // "older", "more", "weniger"
	swaps     = "swap"    // "replace", "swap"
	atMost    = "most"    // "no more than 10 %"
	atLeast   = "least"   // "at least 70 %"
)

// changeWords are the forms of each kind, by language. Those of one kind stand in
// one line, parted by commas.
var changeWords = map[string]map[string]string{
	takesAway: {
		"en": "remove, removing, drop, delete, take out, take away, take off, get rid of, kick out, throw out, cut out, cut, eliminate, weed out, screen out, filter out, strip out, sort out, rule out, leave out, discard, dismiss, lose the, lose all, lose those",
		"de": "entferne, entfernen, entfernt, streiche, streichen, lösche, löschen, wirf, beseitige, raus, heraus, weglassen, weg, hinaus, rausnehmen, herausnehmen",
		"fr": "enlève, enlever, enlevez, supprime, supprimer, supprimez, retirer, retirez, retire les, retire le, retire la, ôte, ôter, élimine, éliminer",
		"es": "quita, quitar, quite, quitad, elimina, eliminar, elimine, borra, borrar, saca, sacar, retira, retirar, suprime, suprimir",
		"it": "rimuovi, rimuovere, togli, togliere, elimina, eliminare, leva",
		"pt": "remova, remover, remove, tira, tire os, tire as, tirar, elimine, eliminar, retire os, retire as, retirar, apague",
		"nl": "verwijder, verwijderen, haal, schrap, schrappen, gooi",
		"pl": "usuń, usunąć, wyrzuć, skreśl",
		"sv": "ta bort, plocka bort, stryk",
		"tr": "çıkar, çıkart, kaldır, sil",
		"ja": "削除, 取り除, 外して",
		"zh": "删除, 删掉, 去掉, 移除, 移走",
		"ko": "삭제, 제거, 빼",
	},
	leavesOut: {
		"en": "exclude, excluding, excludes, excluded, without, without any, no, none, nobody, no one, no-one, none of them, no more, no longer any, leave out, omit",
		"de": "ohne, kein, keine, keinen, keiner, keinem, keines, niemand, niemanden, ausschließen, ausgeschlossen, ausgenommen, schließe, exklusive, nicht mehr aus",
		"fr": "sans, exclure, exclus, exclue, exclues, exclut, excluez, excluant, en excluant, pas de, pas d', plus aucun, plus aucune, aucun, aucune, personne de, personne ne, hors, sans compter, nul",
		"es": "sin, excluye, excluir, excluya, excluyendo, ningún, ninguna, ninguno, nadie, ya no",
		"it": "senza, escludi, escludere, escluso, esclusi, escluse, nessun, nessuno, nessuna, niente",
		"pt": "sem, exclua, exclui, excluir, excluindo, nenhum, nenhuma, ninguém",
		"nl": "zonder, geen, niemand, uitsluiten, sluit, uitgezonderd",
		"pl": "bez, wyklucz, wykluczyć, żadnych, żaden, nikt, nikogo",
		"sv": "utan, inga, ingen, uteslut, exkludera",
		"tr": "hariç, olmasın, dışla",
		"ja": "除外, 除く, 除いて, なし",
		"zh": "排除, 不要, 不含, 没有",
		"ko": "제외, 없이",
	},
	denies: {
		"en": "not, don't, doesn't, shouldn't, isn't, aren't, mustn't, can't, cannot, never",
		"de": "nicht, nie, niemals", "fr": "pas, jamais, ne", "es": "no, nunca", "it": "non, mai", "pt": "não, nunca", "nl": "niet, nooit", "pl": "nie, nigdy", "sv": "inte, aldrig",
	},
	spares: {
		"en": "except, except for, excepting, other than, apart from, aside from, but not, all but, but for, save for, anyone but, everyone but, everybody but, anybody but, no one but, nobody but",
		"de": "außer, bis auf, mit ausnahme von, mit ausnahme der", "fr": "sauf, excepté, à l'exception de, à l'exception des, hormis, à part", "es": "excepto, salvo, menos los, menos las, exceptuando, a excepción de",
		"it": "tranne, eccetto, salvo, a parte", "pt": "exceto, menos os, menos as, com exceção de", "nl": "behalve, op na, uitgezonderd", "pl": "oprócz, z wyjątkiem, poza", "sv": "förutom, utom",
		"ja": "以外", "zh": "除了, 以外", "ko": "외에",
	},
	compares: {
		"en": "older, younger, richer, poorer, wealthier, fewer, less, smaller, larger, bigger, higher, lower, more, better, worse, healthier, greener, busier, better-off, twice as many, twice as much, half as many, half as much, times as many, as many, increase, increases, decrease, reduce, raise, halve, double, triple, shift, skew",
		"de": "älter, ältere, älteren, jünger, jüngere, jüngeren, reicher, reichere, ärmer, ärmere, weniger, mehr, höher, höhere, niedriger, niedrigere, gebildeter, gebildetere, wohlhabender, größer, kleiner, stärker, schwächer, erhöhe, erhöhen, verringere, verringern, senke, senken, reduziere, reduzieren, halbiere, halbieren, verdopple, verdoppeln, verjünge",
		"fr": "plus, moins, davantage, augmente, augmenter, augmentez, réduis, réduire, réduisez, diminue, diminuer, baisse, double, doubler, rajeunis, vieillis", //nolint:misspell // French
		"es": "más, menos, mayores, aumenta, aumentar, reduce, reducir, disminuye, duplica, rejuvenece",
		"it": "più, meno, aumenta, aumentare, riduci, ridurre, diminuisci, raddoppia, dimezza",
		"pt": "mais, menos, aumenta, aumente, aumentar, reduza, reduzir, diminua, dobre",
		"nl": "ouder, oudere, jonger, jongere, rijker, armer, meer, minder, hoger, lager, verhoog, verlaag, verminder, halveer, verdubbel",
		"pl": "starsi, starszych, młodsi, młodszych, więcej, mniej, bogatsi, biedniejsi, zwiększ, zmniejsz",
		"sv": "äldre, yngre, rikare, fattigare, fler, färre, mer, mindre, öka, minska, höj, sänk",
	},
	swaps: {
		"en": "replace, swap, exchange, substitute", "de": "ersetze, ersetzen, tausche, tauschen, austauschen, umwandeln", "fr": "remplace, remplacer, remplacez, échange, échanger",
		"es": "reemplaza, reemplazar, sustituye, sustituir, cambia, cambiar", "it": "sostituisci, sostituire, scambia", "pt": "substitua, substituir, troque, trocar", "nl": "vervang, vervangen, ruil", "pl": "zamień, zastąp", "sv": "ersätt, byt ut",
	},
	atMost: {
		"en": "no more than, not more than, at most, at the most, a maximum of, maximum, max, up to, less than, under, below, fewer than, not over, not above, not exceeding, no greater than, limit to, cap at, capped at, or less, or fewer, tops",
		"de": "höchstens, maximal, nicht mehr als, bis zu, weniger als, unter, max, allerhöchstens, oder weniger", "fr": "au plus, au maximum, maximum, pas plus de, pas plus d', moins de, moins d', jusqu'à, tout au plus, ou moins",
		"es": "como máximo, como mucho, a lo sumo, no más de, no más del, no más que, menos de, menos del, hasta, hasta un, máximo, o menos", "it": "al massimo, non più di, non più del, meno di, meno del, fino a, massimo", "pt": "no máximo, não mais de, não mais que, menos de, até, máximo",
		"nl": "hoogstens, maximaal, niet meer dan, minder dan, tot, ten hoogste", "pl": "najwyżej, maksymalnie, nie więcej niż, mniej niż, do", "sv": "högst, max, inte mer än, mindre än, upp till",
	},
	atLeast: {
		"en": "at least, no less than, not less than, no fewer than, a minimum of, minimum, min, more than, over, above, not under, not below, or more",
		"de": "mindestens, nicht weniger als, wenigstens, mehr als, über, min, oder mehr", "fr": "au moins, au minimum, minimum, pas moins de, pas moins d', plus de, plus d', ou plus", "es": "al menos, por lo menos, como mínimo, no menos de, no menos del, más de, más del, mínimo, o más",
		"it": "almeno, non meno di, non meno del, più di, più del, minimo", "pt": "pelo menos, no mínimo, não menos de, mais de, mínimo", "nl": "minstens, minimaal, ten minste, niet minder dan, meer dan", "pl": "co najmniej, przynajmniej, nie mniej niż, więcej niż", "sv": "minst, åtminstone, inte mindre än, mer än",
	},
}

// changes finds the words of adjustments, by language.
var changes = sync.OnceValue(func() map[string]*node {
	out := map[string]*node{}
	for class, forms := range changeWords {
		c := &concept{name: class, class: class}
		for lang, list := range forms {
			if out[lang] == nil {
				out[lang] = &node{}
			}
			for form := range strings.SplitSeq(list, ", ") {
				out[lang].add(form, c)
			}
		}
	}
	return out
})

// meant is a word of an adjustment where it stands.
type meant struct {
	class  string
	lo, hi int
}

// adjusting finds the words of adjustments of a text: those of its language and of
// English, and where it is too short to tell, those of all. The longest form counts,
// and of one form with two meanings the first asked for.
func (r *reader) adjusting() []meant {
	langs := []string{r.lang, "en"}
	if r.lang == "en" {
		langs = langs[1:]
	}
	if r.lang == "" || len(r.toks) <= 6 && r.lang != "en" {
		langs = append([]string{"en"}, languages[1:]...)
	}
	var out []meant
	for i := 0; i < len(r.toks); i++ {
		best := meant{}
		for _, lang := range langs {
			root := changes()[lang]
			if root == nil {
				continue
			}
			root.find(r.toks, i, func(c *concept, end int) {
				if end > best.hi || end == best.hi && precedence[c.class] < precedence[best.class] {
					best = meant{c.class, i, end}
				}
			})
		}
		if best.hi > 0 && r.at(i, "notonly") < best.hi { // "not only women" leaves out nobody
			out = append(out, best)
			i = best.hi - 1
		}
	}
	return r.parted(out)
}

// parted adds the words of a verb that its object parts: "take the pensioners out".
func (r *reader) parted(found []meant) []meant {
	last := len(r.toks) - 1
	for last >= 0 && (r.toks[last].kind == mark || r.toks[last].norm == "please" || r.toks[last].norm == "now") {
		last--
	}
	if r.lang != "en" && r.lang != "" || last < 1 || r.toks[last].norm != "out" || slices.ContainsFunc(found, func(m meant) bool { return m.lo <= last && m.hi > last }) {
		return found
	}
	for i := range last {
		if parting[r.toks[i].norm] {
			found = append(found, meant{takesAway, i, i + 1})
			break
		}
	}
	found = append(found, meant{takesAway, last, last + 1})
	slices.SortStableFunc(found, func(a, b meant) int { return a.lo - b.lo })
	return found
}

var parting = set("take leave filter strip throw kick screen weed cut drop sort get move keep rule pull vote")

// precedence orders the meanings of one form.
var precedence = map[string]int{takesAway: 1, leavesOut: 2, spares: 3, denies: 4, swaps: 5, compares: 6, atMost: 7, atLeast: 8}

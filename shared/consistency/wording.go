package consistency

import "strings"

// wording is the reasons in one language; each %s is filled in order.
type wording struct {
	construct, routing, gate, prices, dearer, sum, part, alone, profile string
}

func (w wording) say(text string, values ...string) string {
	var b strings.Builder
	for _, v := range values {
		before, after, found := strings.Cut(text, "%s")
		if !found {
			break
		}
		b.WriteString(before + v)
		text = after
	}
	return b.String() + text
}

func wordsOf(locale string) wording {
	lang, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(locale), "_", "-"), "-")
	switch lang {
	case "de":
		return german
	case "fr":
		return french
	case "es":
		return spanish
	}
	return english
}

var english = wording{
	construct: "Answers the same thing differently. Earlier %s; later %s.",
	routing:   "One answer says there is none, the other that there is. Earlier %s; later %s.",
	gate:      "Answered although its condition was not met: %s.",
	prices:    "Prices out of order. Earlier %s; later %s.",
	dearer:    "Accepts a price above one that was refused or called too expensive. Earlier %s; later %s.",
	sum:       "The %s parts add up to %s, not %s.",
	part:      "A part is as large as the whole, or larger. Earlier %s; later %s.",
	alone:     "Picked %s, which excludes all others, along with %s more.",
	profile:   "Answers %s, but the profile says %s.",
}

var german = wording{
	construct: "Antwortet auf dasselbe verschieden. Früher %s; später %s.",
	routing:   "Eine Antwort sagt, dass es das nicht gibt, die andere das Gegenteil. Früher %s; später %s.",
	gate:      "Beantwortet, obwohl die Bedingung nicht erfüllt war: %s.",
	prices:    "Preise nicht in der richtigen Reihenfolge. Früher %s; später %s.",
	dearer:    "Nimmt einen Preis an, der über einem abgelehnten oder zu teuren liegt. Früher %s; später %s.",
	sum:       "Die %s Teile ergeben %s, nicht %s.",
	part:      "Ein Teil ist so groß wie das Ganze oder größer. Früher %s; später %s.",
	alone:     "%s gewählt, was alles andere ausschließt, und dazu noch %s.",
	profile:   "Antwortet %s, aber das Profil sagt %s.",
}

var french = wording{
	construct: "Répond différemment à la même chose. Avant : %s ; après : %s.",
	routing:   "Une réponse dit qu'il n'y en a pas, l'autre le contraire. Avant : %s ; après : %s.",
	gate:      "Répondu alors que la condition n'était pas remplie : %s.",
	prices:    "Prix dans le désordre. Avant : %s ; après : %s.",
	dearer:    "Accepte un prix supérieur à un prix refusé ou jugé trop cher. Avant : %s ; après : %s.",
	sum:       "Les %s parts font %s, et non %s.",
	part:      "Une partie est aussi grande que le tout, ou plus. Avant : %s ; après : %s.",
	alone:     "A choisi %s, qui exclut tout le reste, avec %s autre(s).",
	profile:   "Répond %s, mais le profil dit %s.",
}

var spanish = wording{
	construct: "Responde de forma distinta a lo mismo. Antes: %s; después: %s.",
	routing:   "Una respuesta dice que no hay, la otra lo contrario. Antes: %s; después: %s.",
	gate:      "Respondió aunque no se cumplía la condición: %s.",
	prices:    "Precios en desorden. Antes: %s; después: %s.",
	dearer:    "Acepta un precio superior a otro rechazado o demasiado caro. Antes: %s; después: %s.",
	sum:       "Las %s partes suman %s, no %s.",
	part:      "Una parte es tan grande como el todo, o mayor. Antes: %s; después: %s.",
	alone:     "Eligió %s, que excluye lo demás, junto con %s más.",
	profile:   "Responde %s, pero el perfil dice %s.",
}

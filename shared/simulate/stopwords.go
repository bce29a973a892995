package simulate

import "strings"

// stopwords carry no topic: they frame questions ("How often do you …") but do
// not tell one question from another. English first, then the commonest of
// Spanish, French and German.
var stopwords = wordSet(`
a an the this that these those any some each every all of in on at to from by for with about into over as and or but if
than then so because while when where which who whom whose what why how do does did done doing is are was were be been being
am have has had having will would can could shall should may might must not no nor dont doesnt didnt isnt arent wasnt wont
i me my mine myself we us our ours you your yours yourself he him his she her hers it its they them their theirs
there here please tell say said think thinks thought feel felt much many often ever never very most more less least just
such own same other another others general generally typically usually currently today now one ones following also
one's best describe describes statement view opinion personally yourself lot rate long far
el la los las un una unos unas de del en con por para que qué es son se su sus al lo como cómo usted tu tus mi más muy y o
le les des du une et ou dans sur pour par avec est sont ce cette ces que quel quelle quels quelles vous votre vos nous
der die das den dem ein eine einen und oder in im mit für von zu ist sind wie was welche welcher welches sie ihr ihre ich wir auf
`)

func wordSet(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

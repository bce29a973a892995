package simulate

// The tables of common answer scales and their synonyms.

// outsideForms are answers that are none: they stand outside a scale.
var outsideForms = []struct{ canon, forms string }{
	{"don't know", "do not know|unsure|not sure|undecided|no opinion|cannot say|hard to say|no idea|do not know/refused|do not know/refuse to answer|do not know/no answer|do not know or no answer|i do not know|ns/nc|weiß nicht|no sé|ne sait pas|uncertain|do not understand this question|i do not understand this question"},
	{"no answer", "no answer|refused|prefer not to say|prefer not to answer|rather not say|no response|skipped|decline to answer"},
	{"not applicable", "not applicable|n/a|does not apply|unfamiliar with it|i am unfamiliar with it|unfamiliar|not familiar with it|never heard of it"},
	{"none", "none of these|none of the above|none of them|nothing"},
	{"other", "other|others|something else|other please specify|another|other or no vote"},
}

// family is a common answer scale, low to high; forms of a step are strict
// synonyms.
type family struct {
	name  string
	steps []string
}

var families = []family{
	{"yesno", []string{"no|nope|nein|non|false", "yes|yeah|yep|sí|si|oui|ja|true"}},
	{"often", []string{"never|not ever|nie|niemals|jamais|nunca", "almost never|hardly ever|very rarely", "rarely|seldom|not often|selten|rarement|raramente|rara vez", "sometimes|occasionally|from time to time|now and then|manchmal|gelegentlich|parfois|a veces|de temps en temps", "often|frequently|regularly|oft|häufig|souvent|a menudo|con frecuencia", "very often|very frequently", "almost always|nearly always|most of the time", "always|all the time|immer|toujours|siempre"}},
	{"rate", []string{"never", "less than once a year", "once a year|yearly|annually|about once a year", "a few times a year|several times a year", "once a month|monthly|about once a month", "a few times a month|2-3 times a month|two or three times a month", "once a week|weekly|about once a week", "a few times a week|several times a week|2-3 times a week", "daily|every day|once a day", "several times a day|multiple times a day|more than once a day"}},
	{"amount", []string{"not at all|none|none at all|no", "not much|not very much|not a lot|only a little|a little|very little|hardly any|just a little|a few|only a few", "some|somewhat|a moderate amount|to some extent", "a fair amount|quite a bit|quite a lot|a good amount", "a lot|a great deal|very much|a great amount|a lot of it"}},
	{"right", []string{"too little|not enough", "about right|about the right amount|just right|the right amount", "too much"}},
	{"level", []string{"very low", "low", "medium|moderate|average|middle", "high", "very high"}},
	{"quality", []string{"terrible|very poor|very bad", "poor|bad", "fair|average|ok|okay", "good", "very good", "excellent|outstanding"}},
	{"doneness", []string{"rare|bloody", "medium rare|medium-rare", "medium", "medium well|medium-well|medium well done", "well|well done|well-done"}},
	{"liking", []string{"i hate it|hate it|hate", "i dislike it|dislike it|do not like it|i do not like it", "i am ok with it|ok with it|i am okay with it|it is ok|it is okay|neutral about it", "i like it|like it", "i love it|love it|love"}},
	{"change", []string{"much worse|a lot worse", "worse|somewhat worse|a little worse", "about the same|the same|no change|stayed the same", "better|somewhat better|a little better", "much better|a lot better"}},
	{"intent", []string{"definitely not|definitely would not|would definitely not|i would definitely not|no definitely not", "probably not|probably would not|would probably not", "might or might not|maybe|may or may not|perhaps|possibly", "probably|probably would|would probably|probably yes|yes probably", "definitely|definitely would|would definitely|definitely yes|yes definitely"}},
}

// signed are the poles of scales of feeling: base and its opposite.
var signed = []struct{ base, pos, neg string }{
	{"agree", "agree", "disagree|do not agree"},
	{"likely", "likely", "unlikely"},
	{"satisfied", "satisfied|happy|pleased", "dissatisfied|unsatisfied|unhappy|displeased"},
	{"important", "important", "unimportant"},
	{"comfortable", "comfortable", "uncomfortable"},
	{"easy", "easy", "difficult|hard"},
	{"favor", "favor|favour|in favor|in favour|support|for|favors|supports", "oppose|against|opposed|opposes|disfavor"},
	{"approve", "approve|approving", "disapprove|disapproving"},
	{"positive", "positive|favorable|favourable", "negative|unfavorable|unfavourable"},
	{"safe", "safe", "unsafe"}, {"willing", "willing", "unwilling"}, {"interested", "interested", "uninterested"},
	{"confident", "confident", "unconfident"}, {"helpful", "helpful", "unhelpful"}, {"effective", "effective", "ineffective"},
	{"should", "should", "should not"},
}

// intensities order degrees; loose joins those that scales use for one another.
var intensities = []struct {
	words string
	rank  float64
	loose string
}{
	{"extremely|totally|completely|absolutely|entirely", 4, "top"},
	{"strongly|very|definitely|highly|really", 3, "top"},
	{"quite|pretty|mostly", 2.2, "mid"},
	{"", 2, "mid"},
	{"somewhat|moderately|fairly|rather|tend to|probably|reasonably", 1.5, "mid"},
	{"slightly|a little|a bit", 1, "low"},
}

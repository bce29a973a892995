package planner

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/expression"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/method"
)

// How people name the methods of the catalogue.
var named_ = []struct {
	id string
	x  *expression.Expression
}{
	{method.NPS, expression.Of(`(?i)\bnps\b|net[- ]promoter`)},
	{method.MaxDiff, expression.Of(`(?i)\bmax[- ]?diff\b|\bbest[- ]worst\b|\bbws\b`)},
	{method.Conjoint, expression.Of(`(?i)\bconjoint\b|\bcbc\b|choice[- ]based|联合分析|コンジョイント|컨조인트`)},
	{method.VanWestendorp, expression.Of(`(?i)\bvan[- ]westendorp\b|\bpsm\b|price[- ]sensitivity[- ](?:meter|measurement)`)},
	{method.GaborGranger, expression.Of(`(?i)\bgabor[- ]granger\b`)},
	{method.Kano, expression.Of(`(?i)\bkano\b|狩野`)},
	{method.TURF, expression.Of(`\bTURF\b|(?i)\bturf (?:analysis|analyse|análisis)`)},
	{method.TopBox, expression.Of(`(?i)\btop[- ](?:\d|two|three)?[- ]?box(?:es)?\b|\bt2b\b`)},
	{method.KeyDrivers, expression.Of(`(?i)\bkey[- ]drivers?\b|\bdriver analysis\b|\btreiberanalyse\b|\brelative weights\b`)},
	{method.SegmentCompare, expression.Of(`(?i)\bsegment[- ]comparison\b|\bcompare (?:the )?segments\b`)},
}

// askedMethods finds the methods that a request names, with what can be read of
// their configuration. lists are the options of lines that name a method.
func askedMethods(request string) []Selection {
	var out []Selection
	lines := strings.Split(strings.ReplaceAll(request, "\r\n", "\n"), "\n")
	for _, n := range named_ {
		at := -1
		for i, l := range lines {
			if loc := n.x.FindStringIndex(l); loc != nil && !denied.MatchString(l[:loc[0]]) {
				at = i
				break
			}
		}
		if at < 0 || len(out) == MaxMethods {
			continue
		}
		out = append(out, Selection{MethodID: n.id, Configuration: readConfiguration(n.id, lines, at)})
	}
	return out
}

// denied is the end of a text that says a method is not wanted.
var denied = expression.Of(`(?i)\b(?:no|not|without|don't (?:use|run|need)|skip|drop|kein[e]?|ohne|sans|sin|senza|sem|geen|zonder)\s+(?:an?\s+|the\s+)?$`)

var (
	currencyOf = []struct{ code, mark string }{{"EUR", "€"}, {"EUR", "eur"}, {"GBP", "£"}, {"GBP", "gbp"}, {"JPY", "¥"}, {"JPY", "円"}, {"JPY", "jpy"}, {"CNY", "元"}, {"CNY", "cny"}, {"KRW", "₩"}, {"KRW", "원"}, {"TRY", "₺"}, {"TRY", " tl"}, {"CHF", "chf"}, {"USD", "us$"}, {"USD", "usd"}, {"CAD", "cad"}, {"AUD", "aud"}, {"INR", "₹"}, {"BRL", "r$"}, {"SEK", "sek"}, {"PLN", "pln"}}
	priceList  = expression.Of(`(?:[€$£¥₩₺]\s*)?(\d{1,6}(?:[.,]\d{1,2})?)\s*(?:€|\$|£|(?i:EUR|USD|GBP|CHF)\b)?(?:\s*(?:,|;|/|\band\b|\bund\b|\bet\b|\by\b|\be\b|\ben\b|&|、)\s*|\s*$|\s*[.)])`)
	between    = expression.Of(`(?i)(?:between|from|range(?: of)?:?|zwischen|von|entre|de|tra|da|tussen)\s*[€$£¥]?\s*(\d{1,6}(?:[.,]\d{1,2})?)\s*(?:€|\$|£|eur|usd|gbp)?\s*(?:and|to|bis|und|et|à|y|a|e|en|-|–)\s*[€$£¥]?\s*(\d{1,6}(?:[.,]\d{1,2})?)`)
	forWhat    = expression.Of(`(?i)\b(?:for|of|on|about|für|zu[mr]?|über|pour|sur|de la|du|para|sobre|per|sul|voor|over)\s+((?:our|the|a|an|my|this|unser\w*|dies\w*|ein\w*|die|das|den|dem|der|notre|le|la|les|un|une|nuestr\w+|el|una|il|lo|uno|nostr\w+|nosso|nossa|o|um|uma|onze?|ons|het|de|een)?\s*[^.,;:?!()\n]{2,80}?)(?:\s+(?:between|from|at|with|in the|zwischen|von|entre|using|and (?:also )?(?:ask|a|an|the|nps|maxdiff)|und|range)\b|\s+(?:to|from)\s+\d|[.,;:?!()\n]|$)`)
	article    = expression.Of(`(?i)^(?:our|the|a|an|my|this|unser\w*|dies\w*|eine?[nmrs]?|die|das|den|dem|der|notre|le|la|les|un|une|nuestr\w+|el|una|il|lo|uno|nostr\w+|nosso|nossa|o|um|uma|onze?|ons|het|de|een)\s+`)
)

// readConfiguration reads the keys that the text around a method's name gives.
func readConfiguration(id string, lines []string, at int) json.RawMessage {
	l := lines[at]
	conf := map[string]any{}
	subject := ""
	for _, m := range forWhat.FindAllStringSubmatch(cut(l, MaxText), 4) {
		s := strings.TrimSpace(m[1])
		if !startsWithNumber(s) && !listVerb.MatchString(s) {
			subject = article.ReplaceAllString(s, "")
			break
		}
	}
	items := followingItems(lines, at)
	switch id {
	case method.NPS:
		if subject != "" {
			conf["subject"] = cut(subject, 300)
		}
	case method.VanWestendorp, method.GaborGranger:
		if subject != "" {
			conf["product"] = subject
		}
		if c := currency(strings.Join(lines[at:min(at+3, len(lines))], " ")); c != "" {
			conf["currency"] = c
		}
		window := l
		if m := between.FindStringSubmatch(window); m != nil && id == method.VanWestendorp {
			a, b := amount(m[1]), amount(m[2])
			if a > 0 && a < b {
				conf["range"] = []float64{a, b}
			}
		}
		if id == method.GaborGranger {
			var prices []float64
			tail := window
			if i := strings.LastIndexAny(window, ":("); i >= 0 {
				tail = window[i+1:]
			} else if loc := priceWord.FindStringIndex(window); loc != nil {
				tail = window[loc[1]:]
			}
			for _, m := range priceList.FindAllStringSubmatch(tail, 12) {
				prices = append(prices, amount(m[1]))
			}
			for i := 1; i < len(prices); i++ {
				if prices[i] <= prices[i-1] {
					prices = nil
				}
			}
			if len(prices) >= 4 && len(prices) <= 9 {
				conf["prices"] = prices
			}
		}
	case method.MaxDiff, method.TURF:
		if lo := map[string]int{method.MaxDiff: 5, method.TURF: 2}[id]; len(items) >= lo {
			conf["items"] = labelled(items)
		}
	case method.Kano:
		if len(items) >= 1 && len(items) <= 20 {
			conf["features"] = labelled(items)
		}
	case method.TopBox:
		if len(items) >= 1 && len(items) <= 20 {
			conf["statements"] = labelled(items)
			conf["scaleTop"] = "high"
		}
	case method.KeyDrivers:
		if len(items) >= 2 && len(items) <= 25 {
			conf["drivers"] = labelled(items)
		}
		if m := outcomeOf.FindStringSubmatch(l); m != nil {
			conf["outcome"] = map[string]string{"id": orElse(slug(m[1]), "outcome"), "label": cut(strings.TrimSpace(m[1]), 300)}
		}
	}
	raw, _ := json.Marshal(conf) // keys sorted, so the same text gives the same bytes
	if _, err := method.Check(id, raw); err != nil {
		return json.RawMessage("{}") // what was read breaks a limit: ask instead
	}
	return raw
}

var (
	priceWord = expression.Of(`(?i)\b(?:at|prices?|preise?n?|prix|precios?|prezzi|preços?|prijzen)\b`)
	outcomeOf = expression.Of(`(?i)\bdrivers? (?:analysis )?(?:of|for)\s+([^.:;,(\n]{3,100})`)
	listVerb  = expression.Of(`(?i)^(?:these|the following|following|folgende|diese|les suivants|estos|questi|estes|deze)\b`)
)

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func startsWithNumber(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }

func currency(s string) string {
	low := strings.ToLower(s)
	for _, c := range currencyOf {
		if strings.Contains(low, c.mark) {
			return c.code
		}
	}
	return "" // "$" is the mark of several currencies: the person is asked
}

func amount(s string) float64 {
	f, _ := strconv.ParseFloat(strings.Replace(s, ",", ".", 1), 64)
	return f
}

// followingItems is the list behind ":" in the line that names a method, or the
// bulleted lines right under it.
func followingItems(lines []string, at int) []string {
	l := lines[at]
	if i := strings.LastIndexAny(l, ":："); i > 0 {
		if o := listOf(strings.TrimLeft(l[i:], ":： ")); len(o) >= 2 {
			return o
		}
	}
	if _, tag, ok := lastBracket(l); ok {
		if o := listOf(tag); len(o) >= 2 {
			return o
		}
	}
	var out []string
	for i := at + 1; i < len(lines); i++ {
		in := readLine(lines[i])
		if in.blank {
			if len(out) > 0 {
				break
			}
			continue
		}
		if in.mark == noMark || in.mark == questionMark || hasQuestion(in.text) {
			break
		}
		out = append(out, in.text)
	}
	return cleanOptions(out)
}

func labelled(items []string) []map[string]string {
	taken := map[string]bool{}
	out := make([]map[string]string, len(items))
	for i, it := range items {
		out[i] = map[string]string{"id": unused(orElse(slug(cut(it, 60)), "i"+strconv.Itoa(i+1)), taken), "label": cut(it, 300)}
	}
	return out
}

// resolve makes plan methods of selections. Paths of errors begin at prefix.
func resolve(prefix string, sel []Selection, items int) ([]Method, error) {
	out := make([]Method, 0, len(sel))
	seen := map[string]bool{}
	for i, s := range sel {
		e, ok := method.Lookup(s.MethodID)
		if !ok {
			return nil, invalid(pointer(prefix, i, "methodId"), "There is no method %q. list_research_methods names all of them.", s.MethodID)
		}
		if seen[s.MethodID] {
			return nil, invalid(pointer(prefix, i, "methodId"), "Method %s is listed twice; a plan holds each method once.", s.MethodID)
		}
		seen[s.MethodID] = true
		conf := s.Configuration
		if len(strings.TrimSpace(string(conf))) == 0 || string(conf) == "null" {
			conf = json.RawMessage("{}")
		}
		missing, err := method.Check(s.MethodID, conf)
		if err != nil {
			f := fault.From(err)
			at, _ := f.Data["path"].(string)
			return nil, fault.New(f.Code, "%s", f.Message).With("path", pointer(prefix, i, "configuration")+at)
		}
		if s.MethodID == method.SingleQuestion && items > 1 {
			return nil, fault.New(fault.InvalidMethodConfiguration, "single-question takes exactly 1 question and this plan has %d. Choose questionnaire.", items).With("path", pointer(prefix, i, "methodId"))
		}
		if missing == nil {
			missing = []string{}
		}
		out = append(out, Method{
			MethodID: e.ID, Version: e.Version, Executable: e.Executable, Availability: e.Availability, Complexity: e.Complexity,
			RequiresAdvancedMethodOptIn: e.RequiresAdvancedMethodOptIn, PreparesQuestionsAtExecution: e.PreparesQuestionsAtExecution,
			Configuration: conf, ConfigurationComplete: len(missing) == 0, Missing: missing,
			EstimatedItemsPerMind: itemsPerMind(e.ID, conf), FallbackMethodID: e.FallbackMethodID,
		})
	}
	return out, nil
}

// itemsPerMind estimates how many items of its own a method puts to one Mind; 0
// while its configuration does not tell (M-206).
func itemsPerMind(id string, conf json.RawMessage) int {
	var c struct {
		Items, Statements, Drivers, Features []json.RawMessage
		Prices                               []float64
		Reach                                string
		PurchaseIntent                       bool
		SetSize, SeenPerMember, Tasks        int
		Holdouts                             int
		Product                              string
		Probes                               *int
	}
	_ = json.Unmarshal(conf, &c) // Check has read it
	switch id {
	case method.NPS, method.RankedPrefs:
		return 1
	case method.GuidedExploring:
		if c.Probes != nil {
			return 1 + *c.Probes
		}
		return 3
	case method.TopBox:
		return len(c.Statements)
	case method.KeyDrivers:
		if len(c.Drivers) > 0 {
			return 1 + len(c.Drivers)
		}
	case method.TURF:
		if c.Reach == "top_2_box" {
			return len(c.Items)
		}
		return 1
	case method.GaborGranger:
		return len(c.Prices)
	case method.VanWestendorp:
		if c.PurchaseIntent {
			return 6
		}
		return 4
	case method.Kano:
		return 2 * len(c.Features)
	case method.MaxDiff:
		n := len(c.Items)
		if n == 0 {
			return 0
		}
		size, seen := c.SetSize, max(c.SeenPerMember, 3)
		if size == 0 {
			size = 3
			if n >= 8 {
				size = 4
			}
		}
		return (seen*n + size - 1) / size
	case method.Conjoint:
		if c.Tasks == 0 {
			c.Tasks = 10
		}
		return c.Tasks + c.Holdouts
	}
	return 0
}

// ownItems writes the items of methods that need no run for it (M-83).
func ownItems(m Method, locale string) ([]Item, error) {
	if m.PreparesQuestionsAtExecution || !m.Executable || !m.ConfigurationComplete {
		return nil, nil
	}
	prepared, err := method.Items(m.MethodID, m.Configuration, locale, "")
	if err != nil {
		return nil, err
	}
	out := make([]Item, len(prepared))
	for i, p := range prepared {
		out[i] = Item{ID: p.ID, ModuleID: m.MethodID, Text: p.Text, Response: p.Response, Variants: p.Variants,
			AttachmentIDs: []string{}, Origin: OriginMethod, MethodID: m.MethodID, ReadOnly: true}
	}
	return out, nil
}

// bringsItems reports a method whose own items can be a whole plan.
func bringsItems(m Method) bool {
	switch m.MethodID {
	case method.GuidedResearch, method.SingleQuestion, method.Questionnaire, method.SegmentCompare, method.VisualAsset, method.Recommendation:
		return false
	}
	return true
}

func methodName(id string) string {
	e, _ := method.Lookup(id)
	return cut(e.Name, MaxModule)
}

// configurationQuestions ask for what a method's configuration still lacks.
func configurationQuestions(ms []Method) []ConfirmationQuestion {
	var out []ConfirmationQuestion
	for _, m := range ms {
		for _, at := range m.Missing {
			out = append(out, ConfirmationQuestion{QuestionID: m.MethodID + "." + strings.TrimPrefix(at, "/"), Kind: MethodConfiguration, Required: true,
				Text: methodName(m.MethodID) + " still needs " + strings.TrimPrefix(at, "/") + ": " + needs[strings.TrimPrefix(at, "/")] + " Answer here, or send methods with the whole configuration."})
		}
	}
	return out
}

var needs = map[string]string{
	"subject": "what would be recommended.", "product": "the product as respondents shall read it.", "currency": "an ISO 4217 code such as EUR.",
	"range": "the lowest and the highest price that counts as an answer, such as 1-10.", "prices": "4 to 9 ascending prices, separated by “;”.",
	"items": "the items to compare, separated by “;”.", "features": "1 to 20 features, separated by “;”.", "statements": "1 to 20 statements, separated by “;”.",
	"scaleTop": "which end is the top, high or low.", "outcome": "what shall be explained.", "drivers": "2 to 25 drivers, separated by “;”.",
	"attributes": "2 to 8 attributes of 2 to 7 levels each; send them in methods.", "segments": "two Audiences or a Formation; send them in methods.",
	"itemIds": "the ids of the items to compare, separated by “;”.", "objective": "what to explore.",
}

// configure puts an answer in words into a configuration; false where it does not fit.
func configure(m Method, key, answer string) (json.RawMessage, bool) {
	conf := map[string]json.RawMessage{}
	_ = json.Unmarshal(m.Configuration, &conf)
	var v any
	answer = strings.TrimSpace(answer)
	list := func() []string {
		if !strings.ContainsAny(answer, ";|\n,") {
			return []string{answer}
		}
		for _, sep := range []string{"\n", ";", "|", ","} {
			if strings.Contains(answer, sep) {
				var out []string
				for _, p := range strings.Split(answer, sep) {
					if p = strings.TrimSpace(p); p != "" {
						out = append(out, p)
					}
				}
				return out
			}
		}
		return nil
	}
	switch key {
	case "subject", "product", "objective", "scaleTop":
		v = answer
	case "currency":
		v = strings.ToUpper(answer)
		if c := currency(" " + answer); c != "" {
			v = c
		}
	case "range":
		m := pairOf.FindStringSubmatch(answer)
		if m == nil {
			return nil, false
		}
		v = []float64{amount(m[1]), amount(m[2])}
	case "prices":
		var p []float64
		for _, s := range numbersIn.FindAllString(answer, 20) {
			p = append(p, amount(s))
		}
		v = p
	case "items", "features", "statements", "drivers":
		v = labelled(list())
	case "itemIds":
		v = list()
	case "outcome":
		v = map[string]string{"id": orElse(slug(answer), "outcome"), "label": answer}
	default:
		return nil, false
	}
	raw, err := json.Marshal(v)
	if err != nil || utf8.RuneCountInString(answer) == 0 {
		return nil, false
	}
	conf[key] = raw
	out, _ := json.Marshal(conf)
	if _, err := method.Check(m.MethodID, out); err != nil {
		return nil, false
	}
	return out, true
}

var (
	pairOf    = expression.Of(`(\d{1,6}(?:[.,]\d{1,2})?)\D{1,12}(\d{1,6}(?:[.,]\d{1,2})?)`)
	numbersIn = expression.Of(`\d{1,6}(?:\.\d{1,2})?`)
)

package segment

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// The columns of a questionnaire's programming grid.
var gridHeads = map[string]bool{
	"code": true, "codes": true, "question code": true, "question": true, "questions": true, "question text": true, "question no": true, "question number": true, "q no": true, "qno": true, "q#": true, "text": true, "wording": true, "question wording": true,
	"type": true, "question type": true, "answer type": true, "response type": true, "format": true, "options": true, "answer options": true, "response options": true, "answers": true, "responses": true, "choices": true, "answer list": true, "answer codes": true, "codeframe": true,
	"route": true, "routing": true, "skip": true, "skip logic": true, "logic": true, "go to": true, "goto": true, "filter": true, "base": true, "ask if": true, "condition": true, "terminate": true, "termination": true, "screen out": true, "screening": true, "action": true,
	"instruction": true, "instructions": true, "programming": true, "programming notes": true, "programmer notes": true, "programming instructions": true, "interviewer instructions": true, "notes": true, "scale": true, "variable": true, "variable name": true, "label": true, "mandatory": true, "required": true, "randomize": true, "randomise": true, "quota": true, "quotas": true, "section": true, "module": true, "#": true, "nr": true,
	"values": true, "value labels": true, "measure": true, "missing values": true, "question no.": true, "q no.": true, "no.": true,
	"frage nr": true, "frage nr.": true, "antwort": true, "antwortvorgaben": true, "weiter mit": true, "weiter": true, "sprung": true, "werte": true, "wertelabel": true, "variablenname": true, "basis": true,
	"frage": true, "fragetext": true, "antwortoptionen": true, "antworten": true, "filterführung": true, "typ": true, "réponses": true, "modalités": true, "pregunta": true, "respuestas": true, "opciones": true, "tipo": true,
}

var gridCell = regexp.MustCompile(`(?i)\b(?:terminate|screen ?out|thank (?:and|&) (?:close|terminate|end)|go ?to q?\d|skip to|ask (?:if|all)|single (?:code|select|choice|response|punch|answer)|multi(?:ple)?[- ]?(?:code|select|choice|response|punch|answer)|open[- ]?end(?:ed)?|randomi[sz]e|select (?:one|all that apply)|all that apply|show (?:if|card)|if q\w*\d|continue|max(?:imum)? \d+ answers|likert|einfachnennung|mehrfachnennung)\b`)

// gridCheck refuses a sheet whose rows define questions instead of answering
// them (M-133).
func (r *review) gridCheck() error {
	heads, atomic, asked, routed, live := 0, 0, 0, 0, 0
	for _, c := range r.columns {
		if gridHeads[folded(c.label)] || gridHeads[folded(c.key)] {
			heads++
		}
		all, short, question, route := 0, 0, 0, 0
		for _, k := range c.kept {
			if missingCode(folded(k.raw)) != "" {
				continue
			}
			all += k.n
			if atomicCell(k.raw) {
				short += k.n
			}
			if t := strings.TrimSpace(k.raw); strings.HasSuffix(t, "?") && wordCount(t) >= 3 {
				question += k.n
			}
			if gridCell.MatchString(k.raw) {
				route += k.n
			}
		}
		if all == 0 {
			continue
		}
		live++
		if short*5 >= all*4 {
			atomic++
		}
		if question*10 >= all*4 && len(c.kept)*10 >= all*8 {
			asked++
		}
		if route*10 >= all*3 && all >= 2 {
			routed++
		}
	}
	if live == 0 {
		return nil
	}
	texty := atomic*10 < live*6
	switch {
	case heads >= 3 && heads*4 >= live*3, // a codebook or a routing table, whatever stands in it
		heads >= 3 && (texty || asked > 0 || routed > 0),
		heads >= 2 && asked > 0 && (texty || routed > 0),
		heads*2 >= live && heads >= 2 && routed > 0,
		asked > 0 && routed > 0 && len(r.columns) <= 25,
		asked > 0 && texty && len(r.columns) <= 25 && heads > 0:
		return fault.New(fault.NotRespondentData, "The rows of this sheet define questions (codes, wordings, answer options, routing); they are not answers of respondents. Pass a screener or a questionnaire programming grid to create_audience_from_brief as an attached file instead, and preview only a sheet with one row for each completed respondent.")
	}
	return nil
}

// shareHeads name a column of shares or counts in a table that was added up already.
var shareHeads = map[string]bool{
	"share": true, "shares": true, "share (%)": true, "share %": true, "percent": true, "percentage": true, "pct": true, "pct.": true, "%": true, "per cent": true,
	"anteil": true, "anteil (%)": true, "anteil in %": true, "prozent": true, "part": true, "part (%)": true, "pourcentage": true, "porcentaje": true, "percentuale": true, "quota %": true, "aandeel": true, "andel": true, "udział": true,
}

// sumsCheck refuses a table of shares: each of its rows speaks of many people, and
// not of one.
func (r *review) sumsCheck() error {
	if len(r.columns) < 2 || len(r.columns) > 4 {
		return nil
	}
	for _, c := range r.columns {
		if !shareHeads[folded(c.label)] && !shareHeads[folded(c.key)] {
			continue
		}
		for _, other := range r.columns {
			if other == c || len(other.kept) < 2 || len(other.kept) > 60 {
				continue
			}
			once := true
			for _, k := range other.kept { // a number of its own each is who answered
				_, number := strconv.Atoi(strings.TrimSpace(k.raw))
				once = once && k.n == 1 && number != nil
			}
			if once {
				return fault.New(fault.NotRespondentData, "This is a table of shares: each row speaks of a group, and not of one respondent. Bring such figures with import_audience_sources (groundingJson), or attach the file to create_audience_from_brief; preview only a sheet with one row for each completed respondent.")
			}
		}
	}
	return nil
}

// atomicCell is one value, not a list or a sentence.
func atomicCell(s string) bool {
	s = strings.TrimSpace(s)
	return utf8.RuneCountInString(s) <= 40 && !strings.ContainsAny(s, "\n\r|") && strings.Count(s, ";") < 2 && strings.Count(s, "/") < 3
}

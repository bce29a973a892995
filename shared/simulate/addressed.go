package simulate

import "github.com/mindgate-dev/mindgate/shared/expression"

// toReader are the ways in which a text tells its reader, or a model that reads
// it, what to say or to leave out.
var toReader = expression.Of(`(?i)` +
	`\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instructions?|prompts?|(?:previous|prior|above|earlier|your|all|system) (?:rules?|messages?|text|guidelines?)|(?:rules?|text|everything|messages?) (?:above|before)|what (?:came|stood|was said) before)\b` +
	`|\b(?:system|developer) prompt\b|\bnew instructions?\b\s*:|^\W*(?:system|assistant|developer)\s*:` +
	`|<\|[^|>]{1,40}\|>|\[/?INST\]` +
	`|^(?:\W|please |note |important |attention )*(?:you are now (?:an?|the|in)\b|from now on,? (?:you|answer|reply|respond|say|always|never)\b|(?:pretend|act as if) (?:to be |you\b))` +
	`|^(?:\W|please |always |only |instead |now |and |then )*(?:say|claim|state|reply|respond|answer|tell (?:the user|them|everyone|every reader))\b[^?]{0,20}(?:\b(?:that|with|only|always|everyone|exactly)\b|[:"“'])` +
	`|^(?:\W|please )*(?:repeat|output|print)\b[^?]{0,20}[:"“]` +
	`|\b(?:you must|you should|you will|ai (?:models?|assistants?),?|language models?,?|llms?,?) (?:now |always |only |instead |must |should )*(?:answer|reply|respond|say|claim|output|repeat)\b[^?]{0,15}(?:\b(?:that|with|only|yes|no)\b|[:"“])` +
	`|\bdo not (?:tell the user\b|(?:reveal|disclose|mention) (?:(?:this|that|it)\W*$|(?:this|these|your|the) (?:instruction|prompt|message|rule)s?\b))` +
	`|\b(?:ignoriere|vergiss|missachte)\b.{0,40}\b(?:anweisung(?:en)?|vorgaben|regeln)\b` +
	`|\b(?:ignore[zr]?|oublie[zr]?)\b.{0,40}\b(?:instructions|consignes)\b` +
	`|\b(?:ignora|ignore|olvida|olvide)\b.{0,40}\b(?:instrucciones|indicaciones)\b`)

// tellsReader reports a sentence that is an instruction to who reads it. It says
// nothing of any topic, and is neither an answer nor quoted beside one.
func tellsReader(sentence string) bool { return toReader.MatchString(sentence) }

// TellsReader reports a text with a sentence that is an instruction to who reads
// it, or to a model that does.
func TellsReader(text string) bool {
	if tellsReader(text) {
		return true
	}
	for _, s := range sentences(text) {
		if tellsReader(s) {
			return true
		}
	}
	return false
}

// Package expression compiles regular expressions when they are first used. A
// function that starts for one call pays for those that its call needs, and not
// for a hundred others.
package expression

import (
	"regexp"
	"sync"
)

// Expression is a regular expression that is compiled at its first use. Its
// methods are those of regexp.Regexp; one that is malformed panics then.
type Expression struct{ get func() *regexp.Regexp }

// Of is the expression of a pattern (RE2 syntax).
func Of(pattern string) *Expression {
	return &Expression{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })}
}

// MatchString is regexp.Regexp's.
func (e *Expression) MatchString(s string) bool { return e.get().MatchString(s) }

// FindString is regexp.Regexp's.
func (e *Expression) FindString(s string) string { return e.get().FindString(s) }

// FindStringIndex is regexp.Regexp's.
func (e *Expression) FindStringIndex(s string) []int { return e.get().FindStringIndex(s) }

// FindStringSubmatch is regexp.Regexp's.
func (e *Expression) FindStringSubmatch(s string) []string { return e.get().FindStringSubmatch(s) }

// FindStringSubmatchIndex is regexp.Regexp's.
func (e *Expression) FindStringSubmatchIndex(s string) []int {
	return e.get().FindStringSubmatchIndex(s)
}

// FindAllString is regexp.Regexp's.
func (e *Expression) FindAllString(s string, n int) []string { return e.get().FindAllString(s, n) }

// FindAllStringSubmatch is regexp.Regexp's.
func (e *Expression) FindAllStringSubmatch(s string, n int) [][]string {
	return e.get().FindAllStringSubmatch(s, n)
}

// FindAllStringSubmatchIndex is regexp.Regexp's.
func (e *Expression) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return e.get().FindAllStringSubmatchIndex(s, n)
}

// ReplaceAllString is regexp.Regexp's.
func (e *Expression) ReplaceAllString(src, repl string) string {
	return e.get().ReplaceAllString(src, repl)
}

// ReplaceAllStringFunc is regexp.Regexp's.
func (e *Expression) ReplaceAllStringFunc(src string, repl func(string) string) string {
	return e.get().ReplaceAllStringFunc(src, repl)
}

// Split is regexp.Regexp's.
func (e *Expression) Split(s string, n int) []string { return e.get().Split(s, n) }

// String is regexp.Regexp's.
func (e *Expression) String() string { return e.get().String() }

// Package grounding composes what is known about a population: for each axis
// (age, gender, income, ...) the shares of its segments, the source of every
// figure, and in words what is known, what stands in for it and what is assumed.
//
// It is pure: the same input gives the same bytes, on any machine, without a
// clock, a network or a store.
package grounding

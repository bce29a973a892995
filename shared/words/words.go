// Package words splits texts of any language into the tokens that are matched
// and hashed.
package words

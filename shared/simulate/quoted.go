package simulate

// Places say where what is quoted stands, each place once and in order: "Annual
// report, page 12". A quote whose source has no places inside, and what is no
// quote of a passage, gives none.
func Places(citations []Citation) (out []string) {
	for _, c := range citations {
		if c.Quote != "" && c.Where != "" {
			out = appendNew(out, frames[langEN].source(c.Source, c.Where))
		}
	}
	return out
}

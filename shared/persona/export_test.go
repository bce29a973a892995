package persona

// Listed is what a row of the list asks for.
type Listed struct{ Age, Education int }

// OccupationOf finds a listed occupation by its English title.
func OccupationOf(title string) *Listed {
	for _, o := range occupations() {
		if o.english() == title {
			return &Listed{o.age, int(o.education)}
		}
	}
	return nil
}

package minds

// Page says which part of a list an answer holds.
type Page struct {
	TotalCount int  `json:"totalCount"` // all visible rows
	ShownCount int  `json:"shownCount"` // rows in this answer
	Limit      int  `json:"limit"`
	Offset     int  `json:"offset"`
	NextOffset *int `json:"nextOffset"` // null on the last page
}

func pageOf(shown, total, limit, offset int) Page {
	p := Page{TotalCount: total, ShownCount: shown, Limit: limit, Offset: offset}
	if next := offset + shown; shown > 0 && next < total {
		p.NextOffset = &next
	}
	return p
}

// single is the page of a name look-up, which has no second one.
func single(shown, total int) Page { return Page{TotalCount: total, ShownCount: shown, Limit: 1} }

package stats

// Insufficient says that a method gives no figure because its base is too small
// or its answers cannot carry it. Reason is a whole sentence for the reader.
// Other errors of the methods mean input that the caller should never have sent.
type Insufficient struct{ Reason string }

func (e *Insufficient) Error() string { return e.Reason }

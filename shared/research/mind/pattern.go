package mind

// Pattern is something that a source says of a Mind, as a prompt is written from it.
type Pattern struct {
	Aspect, SubAspect, Quote, ItemID string
}

package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// Structured asks for an answer of r.Schema and reads it into out. An answer that
// does not fit is shown to the model once, with what is wrong; a second one that
// does not fit is an *Error of kind malformed. Response.Usage counts both turns,
// and so does the Error's.
func Structured(ctx context.Context, c Client, r Request, out any) (Response, error) {
	if r.Schema == nil {
		return Response{}, errors.New("model: Structured needs a schema")
	}
	res, err := c.Complete(ctx, r)
	if err != nil {
		return res, err
	}
	why := read(&res, r.Schema, out)
	if why == nil {
		return res, nil
	}
	var m *misfit
	if !errors.As(why, &m) {
		return res, why
	}
	said := res.Text
	if said == "" {
		said = "(nothing)" // providers refuse an empty turn
	}
	again := r
	again.Messages = append(append([]Message(nil), r.Messages...),
		Message{Role: Assistant, Text: said},
		Message{Role: User, Text: fmt.Sprintf("That does not fit: %s. %s", m.what, r.Schema.InWords())})
	second, err := c.Complete(ctx, again)
	second.Usage = second.Usage.Plus(res.Usage)
	if err != nil {
		var e *Error
		if errors.As(err, &e) {
			paid := *e
			paid.Usage = paid.Usage.Plus(res.Usage)
			err = &paid
		}
		return second, err
	}
	if why = read(&second, r.Schema, out); why == nil {
		return second, nil
	}
	if !errors.As(why, &m) {
		return second, why
	}
	return second, &Error{Kind: KindMalformed, Code: codeMisfit, Detail: "also after a second try", Usage: second.Usage}
}

const codeMisfit = "schema_mismatch"

// Misfit reports the error of Structured for an answer that did not fit twice: it
// is the model's doing, not the provider's.
func Misfit(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == KindMalformed && e.Code == codeMisfit
}

// read checks an answer and reads it; what does not fit is a *misfit. Nothing is
// read from an answer that does not fit.
func read(res *Response, s *Schema, out any) error {
	switch res.Stop {
	case StopFiltered:
		return &Error{Kind: KindFiltered, Usage: res.Usage}
	case StopLength:
		return &misfit{"the answer was cut off; be briefer"}
	}
	doc := res.JSON
	if doc == nil {
		doc = FindJSON(res.Text)
	}
	if doc == nil {
		return &misfit{"there is no JSON object in it"}
	}
	if err := s.Check(doc); err != nil {
		return err
	}
	res.JSON = doc
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(doc, out); err != nil {
		return fmt.Errorf("model: the schema %s allows what its type does not hold: %w", s.Name, err)
	}
	return nil
}

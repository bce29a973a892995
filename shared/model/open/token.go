package open

import (
	"context"

	"github.com/aws/smithy-go/auth/bearer"
)

// token is a Bedrock API key.
type token string

func (t token) RetrieveBearerToken(context.Context) (bearer.Token, error) {
	return bearer.Token{Value: string(t)}, nil
}

package bedrock

import "context"

// Failure sorts the error of another operation of the service.
func Failure(ctx context.Context, err error) error { return failure(ctx, err) }

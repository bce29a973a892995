package model

import "context"

// Do makes one call under the policy, for what is no Client, such as embeddings.
func (p RetryPolicy) Do(ctx context.Context, call func(context.Context) error) error {
	c := Retrying(nil, p).(*retrying)
	_, err := c.do(ctx, func(ctx context.Context) (Response, bool, error) { return Response{}, true, call(ctx) })
	return err
}

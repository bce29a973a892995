// Package ses delivers mail through Amazon SES.
package ses

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"
	"github.com/aws/aws-sdk-go-v2/service/sesv2/types"

	"github.com/mindgate-dev/mindgate/shared/mail"
)

// API is what of SES is called.
type API interface {
	SendEmail(ctx context.Context, in *sesv2.SendEmailInput, opts ...func(*sesv2.Options)) (*sesv2.SendEmailOutput, error)
}

// Sender hands mails to SES. From must be an identity that SES has verified.
type Sender struct {
	API  API
	From string // an address, with or without a name
}

// Send hands one mail over.
func (s Sender) Send(ctx context.Context, m mail.Mail) error {
	if err := mail.CheckAddress(m.To); err != nil {
		return err
	}
	text := func(v string) *types.Content {
		return &types.Content{Data: aws.String(v), Charset: aws.String("UTF-8")}
	}
	_, err := s.API.SendEmail(ctx, &sesv2.SendEmailInput{
		FromEmailAddress: aws.String(s.From), Destination: &types.Destination{ToAddresses: []string{m.To}},
		Content: &types.EmailContent{Simple: &types.Message{Subject: text(m.Subject), Body: &types.Body{Text: text(m.Text)}}},
	})
	switch {
	case err == nil:
		return nil
	case errors.As(err, new(*types.MessageRejected)), errors.As(err, new(*types.BadRequestException)):
		return fmt.Errorf("%w: %w", mail.ErrRefused, err)
	}
	return fmt.Errorf("%w: %w", mail.ErrUnavailable, err)
}

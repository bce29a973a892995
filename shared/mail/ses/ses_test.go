package ses

import (
	"context"
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/sesv2"
	"github.com/aws/aws-sdk-go-v2/service/sesv2/types"

	"github.com/mindgate-dev/mindgate/shared/mail"
)

type api struct {
	seen *sesv2.SendEmailInput
	err  error
}

func (a *api) SendEmail(_ context.Context, in *sesv2.SendEmailInput, _ ...func(*sesv2.Options)) (*sesv2.SendEmailOutput, error) {
	a.seen = in
	return &sesv2.SendEmailOutput{}, a.err
}

func TestSend(t *testing.T) {
	a := &api{}
	s := Sender{API: a, From: "Mindgate <m@example.com>"}
	m := mail.Mail{To: "ada@example.com", Subject: "Grüße", Text: "Line\n"}
	if err := s.Send(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	if in := a.seen; *in.FromEmailAddress != s.From || len(in.Destination.ToAddresses) != 1 || in.Destination.ToAddresses[0] != m.To ||
		*in.Content.Simple.Subject.Data != m.Subject || *in.Content.Simple.Body.Text.Data != m.Text {
		t.Errorf("%+v", in)
	}
	for _, c := range []struct{ said, want error }{
		{&types.MessageRejected{}, mail.ErrRefused}, {&types.BadRequestException{}, mail.ErrRefused},
		{&types.TooManyRequestsException{}, mail.ErrUnavailable}, {errors.New("away"), mail.ErrUnavailable},
	} {
		a.err = c.said
		if err := s.Send(t.Context(), m); !errors.Is(err, c.want) {
			t.Errorf("%v: %v", c.said, err)
		}
	}
	a.seen = nil
	if err := s.Send(t.Context(), mail.Mail{To: "a@example.com, b@example.com"}); err == nil || a.seen != nil {
		t.Errorf("two addresses were sent: %v", err)
	}
}

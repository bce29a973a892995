package domain

import (
	"github.com/aws/aws-sdk-go-v2/service/sesv2"

	"github.com/mindgate-dev/mindgate/functions/host"
	"github.com/mindgate-dev/mindgate/shared/mail"
	"github.com/mindgate-dev/mindgate/shared/mail/ses"
)

// mailer sends invitations through SES; nil where the stack names no sender.
func mailer(h *host.Host) mail.Sender {
	if h.Env.MailFrom == "" {
		return nil
	}
	return ses.Sender{API: sesv2.NewFromConfig(h.AWS), From: h.Env.MailFrom}
}

// Package mail is the port to whoever delivers mail, and writes one as it goes over
// the wire.
package mail

import (
	"bytes"
	"context"
	"fmt"
	"mime"
	"mime/quotedprintable"
	"net/mail"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/shared/passing"
)

// Mail is one message of plain text to one address.
type Mail struct {
	To      string // one address, without a name
	Subject string // one line
	Text    string
}

// Sender hands mails over for delivery. An error says that this one was not taken.
type Sender interface {
	Send(ctx context.Context, m Mail) error
}

// Errors of senders. Everything else is told as ErrUnavailable.
var (
	ErrRefused     = passing.New("mail: the mail server refused the address", "The mail server refused this address. Check it.")
	ErrUnavailable = passing.New("mail: the mail server did not take it", "The mail server did not take the mail at this moment. Invite the address again later.")
)

// CheckAddress refuses what is no single address: with a name, a comment, more than
// one, or a character that ends a line.
func CheckAddress(address string) error {
	a, err := mail.ParseAddress(address)
	if err != nil || a.Address != address || a.Name != "" || strings.ContainsAny(address, "\r\n\x00") {
		return fmt.Errorf("mail: %q is not one address", address)
	}
	return nil
}

// Write gives a mail as it goes over the wire (RFC 5322): headers in ASCII, the text
// as quoted-printable UTF-8. from may have a name; id is unique for ever.
func Write(m Mail, from, id string, at time.Time) ([]byte, error) {
	sender, err := mail.ParseAddress(from)
	if err != nil {
		return nil, fmt.Errorf("mail: the sender: %w", err)
	}
	if err := CheckAddress(m.To); err != nil {
		return nil, err
	}
	host := sender.Address[strings.LastIndexByte(sender.Address, '@')+1:]
	var b bytes.Buffer
	for _, h := range [][2]string{
		{"From", sender.String()}, {"To", (&mail.Address{Address: m.To}).String()},
		{"Subject", mime.QEncoding.Encode("utf-8", strings.Join(strings.Fields(m.Subject), " "))},
		{"Date", at.UTC().Format(time.RFC1123Z)}, {"Message-ID", "<" + id + "@" + host + ">"},
		{"MIME-Version", "1.0"}, {"Content-Type", "text/plain; charset=utf-8"}, {"Content-Transfer-Encoding", "quoted-printable"},
	} {
		fmt.Fprintf(&b, "%s: %s\r\n", h[0], h[1])
	}
	b.WriteString("\r\n")
	q := quotedprintable.NewWriter(&b)
	_, err = q.Write([]byte(strings.ReplaceAll(strings.ReplaceAll(m.Text, "\r\n", "\n"), "\n", "\r\n")))
	if e := q.Close(); err == nil {
		err = e
	}
	return b.Bytes(), err
}

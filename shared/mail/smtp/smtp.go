// Package smtp delivers mail through a mail server.
package smtp

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	netsmtp "net/smtp"
	"net/textproto"
	"net/url"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/mail"
)

// patience is the longest that one mail takes.
const patience = 10 * time.Second

// Options say where the server is.
type Options struct {
	// Server is smtp://[user@]host[:587], which turns to TLS before anything is said,
	// or smtps://[user@]host[:465], which begins with it. smtp:// to this machine's own
	// address goes without.
	Server   string
	Password string // with a user
	From     string // an address, with or without a name
	Clock    clock.Clock
	IDs      clock.IDs
}

// Sender delivers each mail over a connection of its own.
type Sender struct {
	o          Options
	host, port string
	user       string
	implicit   bool
	from       string
	tls        *tls.Config
}

// New checks the options.
func New(o Options) (*Sender, error) {
	u, err := url.Parse(o.Server)
	if err != nil || u.Scheme != "smtp" && u.Scheme != "smtps" || u.Hostname() == "" || u.Path != "" && u.Path != "/" {
		return nil, errors.New("the mail server must be smtp://[user@]host[:port] or smtps://[user@]host[:port]")
	}
	if _, has := u.User.Password(); has {
		return nil, errors.New("the password of the mail server goes into MINDGATE_MAIL_PASSWORD, not into its address")
	}
	from, err := netmail.ParseAddress(o.From)
	if err != nil {
		return nil, errors.New("the sender of mails (MINDGATE_MAIL_FROM) must be an address, such as Mindgate <research@example.com>")
	}
	s := &Sender{o: o, host: u.Hostname(), port: u.Port(), user: u.User.Username(), implicit: u.Scheme == "smtps", from: from.Address}
	if s.user != "" && o.Password == "" {
		return nil, errors.New("the mail server has a user and no password: set MINDGATE_MAIL_PASSWORD")
	}
	if s.port == "" {
		if s.port = "587"; s.implicit {
			s.port = "465"
		}
	}
	s.tls = &tls.Config{ServerName: s.host, MinVersion: tls.VersionTLS12}
	return s, nil
}

// Send hands one mail over.
func (s *Sender) Send(ctx context.Context, m mail.Mail) error {
	raw, err := mail.Write(m, s.o.From, s.o.IDs.NewID(), s.o.Clock.Now())
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := s.deliver(ctx, m.To, raw); err != nil {
		var said *textproto.Error
		if errors.As(err, &said) && said.Code >= 550 && said.Code <= 553 {
			return fmt.Errorf("%w (%d)", mail.ErrRefused, said.Code)
		}
		return fmt.Errorf("%w: %w", mail.ErrUnavailable, err)
	}
	return nil
}

func (s *Sender) deliver(ctx context.Context, to string, raw []byte) error {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", net.JoinHostPort(s.host, s.port))
	if err != nil {
		return err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	if s.implicit {
		conn = tls.Client(conn, s.tls)
	}
	c, err := netsmtp.NewClient(conn, s.host)
	if err != nil {
		return err
	}
	if !s.implicit {
		if ok, _ := c.Extension("STARTTLS"); ok {
			if err := c.StartTLS(s.tls); err != nil {
				return err
			}
		} else if !loopback(s.host) {
			return errors.New("the mail server offers no TLS")
		}
	}
	if s.user != "" {
		if err := c.Auth(netsmtp.PlainAuth("", s.user, s.o.Password, s.host)); err != nil {
			return err
		}
	}
	if err := c.Mail(s.from); err != nil {
		return err
	}
	if err := c.Rcpt(to); err != nil {
		return err
	}
	w, err := c.Data()
	if err != nil {
		return err
	}
	if _, err := w.Write(raw); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	_ = c.Quit() // it was taken
	return nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

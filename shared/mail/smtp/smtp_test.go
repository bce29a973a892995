package smtp_test

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/mail"
	"github.com/mindgate-dev/mindgate/shared/mail/smtp"
)

// server is a mail server for one connection; what it was given comes over taken.
func server(t *testing.T, rcpt string) (address string, taken chan string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	taken = make(chan string, 1)
	go func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		in, data := bufio.NewScanner(conn), false
		var got strings.Builder
		fmt.Fprint(conn, "220 here\r\n")
		for in.Scan() {
			line := in.Text()
			switch {
			case data && line == ".":
				data = false
				taken <- got.String()
				fmt.Fprint(conn, "250 taken\r\n")
			case data:
				got.WriteString(line + "\n")
			case strings.HasPrefix(line, "RCPT"):
				fmt.Fprint(conn, rcpt+"\r\n")
			case line == "DATA":
				data = true
				fmt.Fprint(conn, "354 go\r\n")
			default:
				fmt.Fprint(conn, "250 ok\r\n")
			}
		}
	}()
	return "smtp://" + l.Addr().String(), taken
}

func sender(t *testing.T, at string) *smtp.Sender {
	t.Helper()
	s, err := smtp.New(smtp.Options{Server: at, From: "Mindgate <m@example.com>", Clock: clock.Hold(time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)), IDs: clock.RandomIDs{}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSend(t *testing.T) {
	m := mail.Mail{To: "ada@example.com", Subject: "Hello", Text: "A line\n"}
	at, taken := server(t, "250 ok")
	if err := sender(t, at).Send(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	if got := <-taken; !strings.Contains(got, "To: <ada@example.com>") || !strings.Contains(got, "A line") {
		t.Errorf("%q", got)
	}
	at, _ = server(t, "550 nobody")
	if err := sender(t, at).Send(t.Context(), m); !errors.Is(err, mail.ErrRefused) {
		t.Error(err)
	}
	at, _ = server(t, "451 later")
	if err := sender(t, at).Send(t.Context(), m); !errors.Is(err, mail.ErrUnavailable) {
		t.Error(err)
	}
	if err := sender(t, "smtp://127.0.0.1:1").Send(t.Context(), m); !errors.Is(err, mail.ErrUnavailable) {
		t.Error(err)
	}
}

func TestOptions(t *testing.T) {
	for _, o := range []smtp.Options{
		{Server: "mail.example.com", From: "a@example.com"}, {Server: "smtp://", From: "a@example.com"}, {Server: "smtp://h", From: "nobody"},
		{Server: "smtp://u:p@h", From: "a@example.com"}, {Server: "smtp://u@h", From: "a@example.com"}, {Server: "http://h", From: "a@example.com"},
	} {
		if _, err := smtp.New(o); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
}

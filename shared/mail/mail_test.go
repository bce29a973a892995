package mail_test

import (
	"io"
	"mime"
	"mime/quotedprintable"
	netmail "net/mail"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/mail"
)

func TestWriteIsReadBack(t *testing.T) {
	m := mail.Mail{To: "ada@example.com", Subject: "Einladung zur Studie „Käse“\r\nBcc: eve@example.com", Text: "Grüße\nhttps://example.com/a?b=c=d\n.\n" + strings.Repeat("x", 2000)}
	raw, err := mail.Write(m, "Mindgate <m@example.com>", "id-1", time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	got, err := netmail.ReadMessage(strings.NewReader(string(raw)))
	if err != nil {
		t.Fatal(err)
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(got.Header.Get("Subject"))
	if err != nil || subject != "Einladung zur Studie „Käse“ Bcc: eve@example.com" || got.Header.Get("Bcc") != "" || got.Header.Get("To") != "<ada@example.com>" {
		t.Errorf("%q, %v, %v", subject, got.Header, err)
	}
	body, err := io.ReadAll(quotedprintable.NewReader(got.Body))
	if err != nil || strings.ReplaceAll(string(body), "\r\n", "\n") != m.Text {
		t.Errorf("%q, %v", body, err)
	}
	for _, line := range strings.Split(string(raw), "\r\n") {
		if len(line) > 998 {
			t.Errorf("a line has %d bytes", len(line))
		}
	}
	for _, to := range []string{"", "a", "a@b, c@d", "A <a@example.com>", "a@example.com\r\nBcc: b@example.com"} {
		if _, err := mail.Write(mail.Mail{To: to}, "m@example.com", "i", time.Now()); err == nil {
			t.Errorf("%q was written to", to)
		}
	}
}

func FuzzCheckAddress(f *testing.F) {
	f.Add("a@example.com")
	f.Add("\"a b\"@example.com")
	f.Add("a@b\r\nc")
	f.Fuzz(func(t *testing.T, address string) {
		if mail.CheckAddress(address) == nil && strings.ContainsAny(address, "\r\n") {
			t.Errorf("%q", address)
		}
	})
}

package middleware

import (
	"context"
	"net/http"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
)

// Authenticator proves who holds a bearer credential. It answers UNAUTHORIZED
// for every credential that is not good, in one text, and 503 when it cannot tell.
type Authenticator interface {
	Authenticate(ctx context.Context, bearer string) (account.Principal, error)
}

// Challenge is the WWW-Authenticate value of a 401; nil gives a plain one.
type Challenge func(r *http.Request) string

// Bearer proves the caller and puts the principal into the context. A credential
// in the query string is refused: it would stand in every log on the way.
func Bearer(a Authenticator, challenge Challenge, refuse Refuse) Middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if err := InQuery(r.URL.Query()); err != nil {
				w.Header().Set("WWW-Authenticate", `Bearer realm="mindgate", error="invalid_request"`)
				refuse(w, r, err)
				return
			}
			p, err := Caller(r, a)
			if err != nil {
				if err.Code == fault.Unauthorized {
					w.Header().Set("WWW-Authenticate", challengeOf(challenge, r))
				}
				refuse(w, r, err)
				return
			}
			next.ServeHTTP(w, r.WithContext(account.With(r.Context(), p)))
		})
	}
}

func challengeOf(c Challenge, r *http.Request) string {
	if c == nil {
		return `Bearer realm="mindgate"`
	}
	return c(r)
}

// Caller proves the caller of a request without answering it.
func Caller(r *http.Request, a Authenticator) (account.Principal, *fault.Error) {
	bearer, ok := Token(r)
	if !ok {
		return account.Principal{}, unauthorized()
	}
	p, err := a.Authenticate(r.Context(), bearer)
	if err != nil {
		f := fault.From(err)
		if f.Code == fault.Unauthorized {
			return account.Principal{}, unauthorized().Because(err)
		}
		return account.Principal{}, f
	}
	if p.Workspace == "" {
		return account.Principal{}, unauthorized()
	}
	return p, nil
}

func unauthorized() *fault.Error { return fault.New(fault.Unauthorized, "Unauthorized") }

// Token reads the bearer credential of the Authorization header.
func Token(r *http.Request) (string, bool) {
	values := r.Header.Values("Authorization")
	if len(values) != 1 {
		return "", false
	}
	scheme, token, ok := strings.Cut(strings.TrimSpace(values[0]), " ")
	token = strings.TrimSpace(token)
	if !ok || !strings.EqualFold(scheme, "Bearer") || token == "" || len(token) > 8192 || strings.ContainsAny(token, " \t,") {
		return "", false
	}
	return token, true
}

package middleware

import (
	"net/url"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
)

// InQuery refuses a query that holds a credential: under a name that credentials
// go by, in any case, or as a value that starts as an API key or a JSON web token
// does, whatever its name. It is nil for every other query. The answer is 400
// with error="invalid_request" (RFC 6750, 3.1), and repeats nothing of the query.
func InQuery(q url.Values) *fault.Error {
	for name, values := range q {
		found := false
		switch strings.ToLower(name) {
		case "access_token", "api_key", "token":
			found = true
		}
		for _, v := range values {
			found = found || strings.HasPrefix(v, account.KeyPrefix) || strings.HasPrefix(v, "eyJ")
		}
		if found {
			return fault.New(fault.Validation, "Send the credential in the Authorization header, never in the address, which is written to logs on the way. Make a new one: this one may have been read.")
		}
	}
	return nil
}

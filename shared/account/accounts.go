package account

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/records"
)

// Account is one user. Each is in exactly one workspace.
type Account struct {
	ID        string    `json:"id"`
	Workspace string    `json:"workspace"`
	Name      string    `json:"name"`
	Plan      Plan      `json:"plan"`
	Role      Role      `json:"role,omitempty"`
	CreatedAt time.Time `json:"createdAt"`
}

// ErrNoAccount says that no account has this name.
var ErrNoAccount = errors.New("account: no account with this name")

type nameRow struct {
	Account   string `json:"account"`
	Workspace string `json:"workspace"`
}

type ownRow struct {
	Hash string `json:"hash"`
}

func (s *Service) byName(ctx context.Context, name string) (Account, int64, error) {
	name, err := checkName(name)
	if err != nil {
		return Account{}, 0, err
	}
	it, err := s.records.Get(ctx, nameKey(name))
	if errors.Is(err, records.ErrNotFound) {
		return Account{}, 0, fmt.Errorf("%w: %q", ErrNoAccount, name)
	}
	if err != nil {
		return Account{}, 0, err
	}
	var row nameRow
	if err := json.Unmarshal(it.Body, &row); err != nil {
		return Account{}, 0, err
	}
	it, err = s.records.Get(ctx, accountKey(row.Workspace, row.Account))
	if err != nil {
		return Account{}, 0, err
	}
	var a Account
	err = json.Unmarshal(it.Body, &a)
	return a, it.Version, err
}

func (s *Service) account(ctx context.Context, workspace, id string) (Account, error) {
	it, err := s.records.Get(ctx, accountKey(workspace, id))
	if err != nil {
		return Account{}, err
	}
	var a Account
	err = json.Unmarshal(it.Body, &a)
	return a, err
}

// Internal is the principal under which a job works for an account: the
// account's plan at this moment, all scopes.
func (s *Service) Internal(ctx context.Context, workspace, account string) (Principal, error) {
	a, err := s.account(ctx, workspace, account)
	if err != nil {
		return Principal{}, err
	}
	return Principal{Account: a.ID, Workspace: a.Workspace, Name: a.Name, Plan: a.Plan, Role: a.Role, Scopes: []string{"*"}, Method: "internal"}, nil
}

func checkName(name string) (string, error) {
	name = strings.TrimSpace(name)
	if n := utf8.RuneCountInString(name); n < 1 || n > 100 {
		return "", errors.New("an account name has 1 to 100 characters")
	}
	if strings.ContainsFunc(name, unicode.IsControl) || !utf8.ValidString(name) {
		return "", errors.New("an account name holds no control characters")
	}
	return name, nil
}

var scopeForm = regexp.MustCompile(`^(\*|[a-z][a-z0-9_-]*(:[a-z][a-z0-9_-]*)*)$`)

func checkScopes(scopes []string) ([]string, error) {
	if len(scopes) == 0 {
		return []string{"*"}, nil
	}
	out := slices.Clone(scopes)
	slices.Sort(out)
	out = slices.Compact(out)
	for _, sc := range out {
		if !scopeForm.MatchString(sc) {
			return nil, fmt.Errorf("%q is no scope; scopes look like sparks:read", sc)
		}
	}
	return out, nil
}

func putJSON(k records.Key, v any, conds ...records.Cond) (records.Action, error) {
	body, err := json.Marshal(v)
	return records.PutItem(records.Item{Key: k, Body: body}, conds...), err
}

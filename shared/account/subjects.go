package account

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mindgate-dev/mindgate/shared/records"
)

// OfSubject gives the account of an issuer's subject. A subject that is seen for
// the first time gets an account of its own of the plan that is named; without
// one it is UNAUTHORIZED, as an unknown key is. LinkSubject makes it known.
func (s *Service) OfSubject(ctx context.Context, issuer, subject string, first Plan) (Account, error) {
	for range 8 { // two first calls may come at once
		a, err := s.bySubject(ctx, issuer, subject)
		if err == nil {
			return a, nil
		}
		if !errors.Is(err, records.ErrNotFound) {
			return Account{}, err
		}
		if first == "" {
			return Account{}, unauthorized()
		}
		a = Account{ID: s.ids.NewID(), Workspace: s.ids.NewID(), Name: subjectName(issuer, subject), Plan: first, CreatedAt: s.clock.Now()}
		err = s.addSubject(ctx, a, issuer, subject)
		var lost *records.CanceledError
		if !errors.As(err, &lost) {
			return a, err
		}
	}
	return Account{}, records.ErrConflict
}

// subjectName is the name of an account that a subject's first call makes. It
// says nothing of the person, whose name we are not told.
func subjectName(issuer, subject string) string {
	return "oauth-" + subjectHash(issuer, subject)[:24]
}

func (s *Service) bySubject(ctx context.Context, issuer, subject string) (Account, error) {
	it, err := s.records.Get(ctx, subjectKey(issuer, subject))
	if err != nil {
		return Account{}, err
	}
	var row nameRow
	if err := json.Unmarshal(it.Body, &row); err != nil {
		return Account{}, err
	}
	a, err := s.account(ctx, row.Workspace, row.Account)
	if errors.Is(err, records.ErrNotFound) {
		return Account{}, unauthorized() // never a second account for one subject
	}
	return a, err
}

func (s *Service) addSubject(ctx context.Context, a Account, issuer, subject string) error {
	put, err := putJSON(accountKey(a.Workspace, a.ID), a, records.NotExists())
	if err != nil {
		return err
	}
	row := nameRow{Account: a.ID, Workspace: a.Workspace}
	named, err := putJSON(nameKey(a.Name), row, records.NotExists())
	if err != nil {
		return err
	}
	known, err := putJSON(subjectKey(issuer, subject), row, records.NotExists())
	if err != nil {
		return err
	}
	return s.records.Transact(ctx, "", put, named, known)
}

// LinkSubject makes an issuer's subject act for the account of this name, which
// must exist. A subject that acts for another account already is refused.
func (s *Service) LinkSubject(ctx context.Context, accountName, issuer, subject string) error {
	if issuer == "" || subject == "" || len(subject) > 255 {
		return errors.New("an issuer and a subject of at most 255 bytes are needed")
	}
	a, _, err := s.byName(ctx, accountName)
	if err != nil {
		return err
	}
	if was, err := s.bySubject(ctx, issuer, subject); err == nil {
		if was.ID == a.ID {
			return nil
		}
		return fmt.Errorf("this subject acts for the account %q already", was.Name)
	} else if !errors.Is(err, records.ErrNotFound) {
		return err
	}
	known, err := putJSON(subjectKey(issuer, subject), nameRow{Account: a.ID, Workspace: a.Workspace}, records.NotExists())
	if err != nil {
		return err
	}
	return s.records.Transact(ctx, "", known)
}

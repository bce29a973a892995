package export

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Render makes the file of a queued job and settles the job. Running it again
// finds it settled.
func (s *Service) Render(ctx context.Context, in JobInput) (status string, err error) {
	r, version, err := s.read(ctx, in.Workspace, in.Job)
	if err != nil || r.settled() {
		return r.Status, err
	}
	if r.Status == Queued {
		r.Status = Processing
		it, err := s.d.Records.Put(ctx, r.item(in.Workspace), records.VersionIs(version))
		if err != nil {
			return "", s.again(ctx, in, err)
		}
		version = it.Version
	}
	var b bytes.Buffer
	if err := s.write(ctx, r, &b); err != nil {
		return "", err
	}
	ref, err := s.keep(ctx, in.Workspace, r, b.Bytes())
	if err != nil {
		return "", err
	}
	r.Status, r.File, r.CompletedAt = Completed, &ref, s.d.Clock.Now().Truncate(time.Millisecond)
	return s.settle(ctx, in, r, version)
}

func (r row) settled() bool { return r.Status == Completed || r.Status == Failed }

// settle writes the job's end and closes it.
func (s *Service) settle(ctx context.Context, in JobInput, r row, version int64) (string, error) {
	err := s.d.Records.Transact(ctx, "",
		records.PutItem(r.item(in.Workspace), records.VersionIs(version)),
		s.d.Jobs.Close(r.job(in.Workspace)))
	if err != nil {
		return "", s.again(ctx, in, err)
	}
	return r.Status, nil
}

// again turns the loss of a race with a twin of this task into its outcome: a
// settled job is no error, one that still runs is worth another try.
func (s *Service) again(ctx context.Context, in JobInput, err error) error {
	var one *records.ConditionError
	var many *records.CanceledError
	if !errors.As(err, &one) && !errors.As(err, &many) {
		return err
	}
	if r, _, e := s.read(ctx, in.Workspace, in.Job); e == nil && r.settled() {
		return nil
	}
	return records.ErrConflict
}

// Fail settles a job whose rendering gave up. The text says nothing of why: the
// log does.
func (s *Service) Fail(ctx context.Context, in JobInput) (status string, err error) {
	return s.fail(ctx, in, "The file could not be made. Start the export again with force.")
}

// Expire settles a job that is past its deadline; the sweeper calls it.
func (s *Service) Expire(ctx context.Context, j jobs.Job) error {
	var in JobInput
	if err := json.Unmarshal(j.Input, &in); err != nil {
		return err
	}
	ctx = account.With(ctx, account.Principal{Account: in.Account, Workspace: in.Workspace, Scopes: []string{"*"}, Method: "internal"})
	_, err := s.fail(ctx, in, "The file was not made in time. Start the export again with force.")
	return err
}

func (s *Service) fail(ctx context.Context, in JobInput, text string) (string, error) {
	r, version, err := s.read(ctx, in.Workspace, in.Job)
	if err != nil || r.settled() {
		return r.Status, err
	}
	r.Status, r.Error, r.CompletedAt = Failed, text, s.d.Clock.Now().Truncate(time.Millisecond)
	return s.settle(ctx, in, r, version)
}

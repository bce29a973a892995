package dataset

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/segment"
	"github.com/mindgate-dev/mindgate/shared/tabular"
	"github.com/mindgate-dev/mindgate/shared/webpage"
)

// analysisTime bounds the reading and analysis of one file.
const analysisTime = 2 * time.Minute

// Review is the task of a review: it gets the file, analyses it and settles the
// review. Running it again finds it settled.
func (s *Service) Review(ctx context.Context, in JobInput) (status string, err error) {
	r, version, err := s.read(ctx, in.Workspace, in.Account, in.Review)
	if err != nil || version == 0 || r.Job != in.Job || r.settled() {
		return r.Status, err
	}
	ref, err := s.analysed(ctx, r.Workspace, r.request())
	if errors.As(err, new(errDownload)) && ctx.Err() == nil {
		s.d.Log.InfoContext(ctx, "a data set could not be downloaded", "workspace", r.Workspace, "job", r.Job, "error", err)
		return s.settle(ctx, r, version, nil, &refusal{Code: string(fault.Internal), Message: "The file could not be downloaded. Check that the link of file.url gives the file itself and needs no login, or upload the file with POST /api/v1/uploads."})
	}
	if f := fault.From(err); err != nil && f.Code != fault.Internal && !f.Retryable() && ctx.Err() == nil {
		return s.settle(ctx, r, version, nil, &refusal{string(f.Code), f.Message, f.Data})
	}
	if err != nil {
		return "", err
	}
	return s.settle(ctx, r, version, &ref, nil)
}

// settle writes the end of a review and closes its job.
func (s *Service) settle(ctx context.Context, r row, version int64, found *blobs.Ref, refused *refusal) (string, error) {
	r.Status, r.Seen, r.Refusal, r.EndedAt = completed, found, refused, s.d.Clock.Now().Truncate(time.Millisecond)
	if refused != nil {
		r.Status = failed
	}
	err := s.d.Records.Transact(ctx, "", records.PutItem(r.item(), records.VersionIs(version)), s.d.Jobs.Close(r.job()))
	var lost *records.CanceledError
	if errors.As(err, &lost) && lost.Failed(0) { // a twin of this task was faster
		return r.Status, nil
	}
	return r.Status, err
}

// Fail settles a review whose task gave up. The text says nothing of why: the log
// does.
func (s *Service) Fail(ctx context.Context, in JobInput) (string, error) {
	r, version, err := s.read(ctx, in.Workspace, in.Account, in.Review)
	if err != nil || version == 0 || r.Job != in.Job || r.settled() {
		return r.Status, err
	}
	return s.settle(ctx, r, version, nil, &refusal{Code: string(fault.Internal), Message: "The file could not be reviewed. Try again; if it happens again, save the sheet as CSV and send that."})
}

// Expire settles a review that is past its deadline; the sweeper calls it.
func (s *Service) Expire(ctx context.Context, j jobs.Job) error {
	var in JobInput
	if err := json.Unmarshal(j.Input, &in); err != nil {
		return err
	}
	_, err := s.Fail(account.With(ctx, account.Principal{Account: in.Account, Workspace: in.Workspace, Scopes: []string{"*"}, Method: "internal"}), in)
	return err
}

// analysed gives what is seen in a file: what is known of the same bytes, or what
// an analysis finds.
func (s *Service) analysed(ctx context.Context, ws string, r Request) (blobs.Ref, error) {
	file, err := s.get(ctx, r.URL)
	if err != nil {
		return blobs.Ref{}, err
	}
	defer file.Close()
	content := digest(engine, file.SHA256, r.Name, r.Sheet, r.Columns)
	if ref, ok := s.known(ctx, ws, content); ok {
		return ref, nil
	}
	p, err := s.analyse(ctx, file, r)
	if err != nil {
		return blobs.Ref{}, err
	}
	return s.keep(ctx, ws, content, file.SHA256, p)
}

// get brings a file onto the disk: an upload of the caller's, or what an address
// gives through the guard. A body whose answer failed is closed before the error
// is given (M-114).
func (s *Service) get(ctx context.Context, address string) (*tabular.Spooled, error) {
	in, _, stored, err := s.d.Files.Open(ctx, address)
	if fault.Is(err, fault.NotFound) {
		return nil, fault.New(fault.Forbidden, "The upload is not there any more. Upload the file again and give the path that it returned.").With("path", "/file/url")
	}
	if err != nil {
		return nil, err
	}
	if !stored {
		if in, err = s.download(ctx, address); err != nil {
			return nil, err
		}
	}
	defer in.Close()
	file, err := tabular.Spool(ctx, in, MaxBytes)
	switch {
	case errors.Is(err, tabular.ErrTooLarge):
		return nil, tooLarge("The file is larger than %d MiB. Leave columns or rows out, or split it.", MaxBytes>>20)
	case err != nil && !stored:
		return nil, refusedDownload(ctx, err)
	}
	return file, err
}

func (s *Service) download(ctx context.Context, address string) (io.ReadCloser, error) {
	if s.d.Pages == nil {
		return nil, fault.New(fault.FeatureDisabled, "This gateway reads no addresses. Upload the file with POST /api/v1/uploads and give the path that it returned.").With("path", "/file/url")
	}
	got, err := s.d.Pages.File(ctx, address)
	if err != nil {
		if got.Body != nil {
			_ = got.Body.Close()
		}
		return nil, refusedDownload(ctx, err)
	}
	return got.Body, nil
}

// refusedDownload puts what the web refused into words. What the guard refuses
// stays; a failed download is a failure like any other, without a word about the
// server.
func refusedDownload(ctx context.Context, err error) error {
	var no *webpage.Refused
	switch {
	case ctx.Err() != nil || !errors.As(err, &no):
		return err
	case no.Code == webpage.TooLarge:
		return tooLarge("The file is larger than %d MiB. Leave columns or rows out, or split it.", MaxBytes>>20)
	case no.Code == webpage.MediaType:
		return fault.New(fault.Validation, "The address of file.url gives no spreadsheet. Give the link of the .csv, .xls or .xlsx file itself.").With("path", "/file/url").Because(err)
	}
	return errDownload{err}
}

// errDownload is a download that failed for good.
type errDownload struct{ cause error }

func (e errDownload) Error() string { return "dataset: download: " + e.cause.Error() }
func (e errDownload) Unwrap() error { return e.cause }

func tooLarge(format string, args ...any) *fault.Error {
	return fault.New(fault.PayloadTooLarge, format, args...).With("path", "/file")
}

// analyse reads a file as a table and reviews it.
func (s *Service) analyse(ctx context.Context, file *tabular.Spooled, r Request) (*segment.Preview, error) {
	ctx, cancel := context.WithTimeout(ctx, analysisTime)
	defer cancel()
	rows, err := tabular.Open(ctx, file, file.Size, tabular.Options{Name: r.Name, Sheet: r.Sheet, MaxBytes: MaxBytes})
	if err != nil {
		return nil, refusedFile(err)
	}
	defer rows.Close()
	p, err := segment.Analyze(ctx, rows, segment.Options{FileName: r.Name, SheetName: rows.Sheet(), Columns: r.Columns})
	if err != nil {
		return nil, refusedFile(err)
	}
	p.Warnings = append(append([]string{}, rows.Notes()...), p.Warnings...)
	return p, nil
}

// refusedFile puts what is wrong with a file into a refusal.
func refusedFile(err error) error {
	var p *tabular.Problem
	if !errors.As(err, &p) {
		return err
	}
	switch p.Code {
	case tabular.CodeTooLarge, tabular.CodeTooManyRows, tabular.CodeTooManyColumns, tabular.CodeTimeout:
		return tooLarge("%s", p.Message).Because(err)
	}
	return fault.New(fault.Validation, "%s", p.Message).With("path", "/file").Because(err)
}

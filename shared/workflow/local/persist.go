package local

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mindgate-dev/mindgate/shared/records/sqlite"
)

// How long a job waits before it tries the journal again: the first time, and
// at most.
const (
	firstWait = 100 * time.Millisecond
	mostWait  = 10 * time.Second
)

// persist journals what a job has come to. While the file cannot be written it
// waits and tries again: the job stands still and loses nothing. It returns
// what will not pass by itself: a refusal, the end of ctx, a damaged file.
//
// A transaction that failed may have been kept all the same. Then the next try
// finds its step left, and the job is taken up anew from its rows.
func (f *frame) persist(fn func(*tx) error) error {
	e, tries := f.x.e, 0
	err := e.patiently(f.ctx, func() error {
		tries++
		return e.do(func(t *tx) error {
			if e.opt.faulty != nil {
				if err := e.opt.faulty(); err != nil {
					return err
				}
			}
			return fn(t)
		})
	})
	if tries > 1 && errors.Is(err, errStale) {
		e.drop(f.x.id)
		e.take(f.x.id, f.x.work.label)
	}
	return err
}

// patiently repeats fn while its error is one that passes, until ctx ends.
func (e *Engine) patiently(ctx context.Context, fn func() error) error {
	err := fn()
	if !passing(err) || ctx.Err() != nil {
		return err
	}
	began := e.opt.Clock.Now()
	e.mu.Lock()
	e.stalled++
	first := e.stalled == 1
	e.trouble = err
	e.mu.Unlock()
	if first {
		e.opt.Logger.Error("workflow: the journal cannot be used; jobs wait and try again", "error", err)
	}
	for wait := firstWait; ; wait = min(2*wait, mostWait) {
		if e.opt.Clock.Sleep(ctx, wait) != nil {
			break
		}
		if err = fn(); !passing(err) {
			break
		}
		e.mu.Lock()
		e.trouble = err
		e.mu.Unlock()
	}
	e.mu.Lock()
	e.stalled--
	last := e.stalled == 0
	if last {
		e.trouble = nil
	}
	e.mu.Unlock()
	if last && err == nil {
		e.opt.Logger.Warn("workflow: the journal works again; jobs go on", "after", e.opt.Clock.Now().Sub(began))
	}
	return err
}

// read repeats a reading of the journal while it fails for a reason that passes.
func (e *Engine) read(ctx context.Context, fn func() error) error {
	return e.patiently(ctx, func() error { return sqlite.Explain(e.opt.Path, fn()) })
}

func passing(err error) bool {
	var refused refusal
	return err != nil && !errors.As(err, &refused) && sqlite.Passing(err)
}

// Trouble tells why the jobs stand still or have ended: the error of a journal
// that cannot be used now, or of one that failed for good. nil while they work.
func (e *Engine) Trouble() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.broken != nil:
		return e.broken
	case e.trouble != nil:
		return fmt.Errorf("workflow: journal: %w", e.trouble)
	}
	return nil
}

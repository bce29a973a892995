package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// ownServer is a temporary gateway in a folder of its own.
type ownServer struct {
	url, key, dir string
	cmd           *exec.Cmd
	ended         chan struct{} // closed when it has ended, with err set
	err           error
}

func startServer(ctx context.Context, program string) (*ownServer, error) {
	program, err := filepath.Abs(program)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(program); err != nil {
		return nil, fmt.Errorf("no gateway to start: %w (run `make build` first, or set MINDGATE_URL and MINDGATE_API_KEY)", err)
	}
	addr, err := freeAddress()
	if err != nil {
		return nil, err
	}
	secret := make([]byte, 24)
	if _, err := rand.Read(secret); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "mindgate-demo-")
	if err != nil {
		return nil, err
	}
	s := &ownServer{url: "http://" + addr, key: "minds_" + hex.EncodeToString(secret), dir: dir, ended: make(chan struct{})}
	s.cmd = exec.Command(program, "serve", "--addr", addr, "--data", dir)
	s.cmd.Env = append(os.Environ(), "MINDGATE_BOOTSTRAP_KEY="+s.key, "MINDGATE_RATE_PER_MINUTE=0")
	log, err := os.Create(filepath.Join(dir, "serve.log"))
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	s.cmd.Stdout, s.cmd.Stderr = log, log
	if err := s.cmd.Start(); err != nil {
		return nil, errors.Join(err, log.Close(), os.RemoveAll(dir))
	}
	go func() {
		s.err = s.cmd.Wait()
		log.Close()
		close(s.ended)
	}()
	if err := s.ready(ctx); err != nil {
		text, _ := os.ReadFile(filepath.Join(dir, "serve.log"))
		s.stop()
		return nil, fmt.Errorf("the temporary gateway did not start: %w\n%s", err, text)
	}
	return s, nil
}

// freeAddress finds a port that nobody listens on now.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

func (s *ownServer) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"/healthz", nil)
		if err != nil {
			return err
		}
		if resp, err := http.DefaultClient.Do(req); err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-s.ended:
			return fmt.Errorf("it ended: %w", s.err)
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (s *ownServer) stop() {
	s.cmd.Process.Signal(syscall.SIGTERM) //nolint:errcheck // it may have ended by itself
	select {
	case <-s.ended:
	case <-time.After(12 * time.Second):
		s.cmd.Process.Kill() //nolint:errcheck // last resort
		<-s.ended
	}
	os.RemoveAll(s.dir)
}

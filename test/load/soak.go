package main

import (
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// What a soak allows: how much memory may grow between the first and the last
// quarter of its time, and how many goroutines may be left when the clients have
// gone (the runtime's own come and go).
const (
	maxGrowth     = 0.10
	maxGoroutines = 8
)

// soak lets clients call for a while and fails on any error, on memory that
// grows and on goroutines that stay.
func soak(program string, clients int, lasts time.Duration) error {
	return alone(program, func(s *server) error { return s.soaked(clients, lasts) })
}

func (s *server) soaked(clients int, lasts time.Duration) error {
	// The first calls fill caches and pools; what they take is no growth.
	warm := max(lasts/6, 2*time.Second)
	if err := load(s, clients, warm); err != nil {
		return err
	}
	before, err := s.idle()
	if err != nil {
		return err
	}
	stop := make(chan struct{})
	var sampling sync.WaitGroup
	var memory []megabytes
	sampling.Go(func() {
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				memory = append(memory, s.resident())
			}
		}
	})
	err = load(s, clients, lasts)
	close(stop)
	sampling.Wait()
	if err != nil {
		return err
	}
	after, err := s.idle()
	if err != nil {
		return err
	}
	fmt.Printf("goroutines: %d before, %d after\n", before, after)
	if after > before+maxGoroutines {
		return fmt.Errorf("%d goroutines are left, %d were there before", after, before)
	}
	if len(memory) < 8 || slices.Contains(memory, -1) {
		fmt.Println("memory: unknown on this system")
		return nil
	}
	quarter := len(memory) / 4
	first, last := middle(memory[:quarter]), middle(memory[len(memory)-quarter:])
	growth := float64(last/first) - 1
	fmt.Printf("memory: %s in the first quarter, %s in the last (%+.1f %%)\n", first, last, 100*growth)
	if growth > maxGrowth {
		return fmt.Errorf("memory grew by %.1f %%, at most %.0f %%", 100*growth, 100*maxGrowth)
	}
	return nil
}

func middle(values []megabytes) megabytes {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// idle is how many goroutines there are once the clients have gone: the count
// when it falls no more.
func (s *server) idle() (int, error) {
	client.CloseIdleConnections()
	for n := math.MaxInt; ; {
		time.Sleep(500 * time.Millisecond)
		now, err := s.goroutines()
		if err != nil || now >= n {
			return now, err
		}
		n = now
	}
}

// goroutines reads the gauge of /metrics.
func (s *server) goroutines() (int, error) {
	req, err := http.NewRequest(http.MethodGet, s.url+"/metrics", nil)
	if err != nil {
		return 0, err
	}
	req.Header.Set("Authorization", "Bearer "+key)
	req.Close = true
	resp, err := client.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(raw)) {
		if value, ok := strings.CutPrefix(line, "go_goroutines "); ok {
			n, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			return int(n), err
		}
	}
	return 0, fmt.Errorf("/metrics (%s) has no go_goroutines", resp.Status)
}

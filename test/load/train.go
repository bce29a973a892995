package main

import (
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"
)

// makers is how many Minds are asked for at once.
const makers = 16

// train makes Minds from keywords without a search engine, and prints when the
// last of them was ready, and when the last had its portrait.
func train(s *server, n int) error {
	ids := make([]string, n)
	began := time.Now()
	var g errgroup.Group
	g.SetLimit(makers)
	for i := range ids {
		g.Go(func() error {
			var out struct{ Mind struct{ ID string } }
			err := s.call("create_mind", map[string]any{"name": fmt.Sprintf("Expert %03d", i), "mode": "keywords",
				"keywords": []string{"loose-leaf tea", fmt.Sprintf("topic %d", i)}}, &out)
			ids[i] = out.Mind.ID
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	made := time.Since(began)
	var ready time.Duration
	for _, shown := range []func(id string) (bool, error){s.ready, s.pictured} {
		for _, id := range ids {
			for {
				yes, err := shown(id)
				if err != nil {
					return err
				}
				if yes {
					break
				}
				time.Sleep(5 * time.Millisecond)
			}
		}
		if ready == 0 {
			ready = time.Since(began)
		}
	}
	fmt.Printf("%d Minds from keywords: created in %s, all ready after %s, all with a portrait after %s\n", n,
		made.Round(time.Millisecond), ready.Round(time.Millisecond), time.Since(began).Round(time.Millisecond))
	return nil
}

func (s *server) ready(id string) (bool, error) {
	var out struct {
		Training struct {
			Status      string
			ReadyToChat bool
		}
	}
	err := s.call("get_mind_status", map[string]any{"mindId": id}, &out)
	if err == nil && out.Training.Status == "failed" {
		err = fmt.Errorf("the training of %s failed", id)
	}
	return out.Training.ReadyToChat, err
}

// pictured looks for the portrait in the list, where the newest Minds come first.
func (s *server) pictured(id string) (bool, error) {
	for offset := 0; ; offset += 100 {
		var out struct {
			Minds []struct {
				ID              string
				ProfileImageURL *string
			}
		}
		if err := s.call("list_minds", map[string]any{"limit": 100, "offset": offset}, &out); err != nil {
			return false, err
		}
		for _, m := range out.Minds {
			if m.ID == id {
				return m.ProfileImageURL != nil, nil
			}
		}
		if len(out.Minds) < 100 {
			return false, fmt.Errorf("the Mind %s is not listed", id)
		}
	}
}

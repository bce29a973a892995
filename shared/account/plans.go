package account

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Limits is what a plan allows. A nil number is no limit.
type Limits struct {
	Plan            Plan   `json:"-"`
	Minds           *int64 `json:"minds"`           // owned, in total
	Audiences       *int64 `json:"audiences"`       // owned, in total
	AudienceMembers *int64 `json:"audienceMembers"` // Minds in one Audience; 0 locks the workspace
	Flows           *int64 `json:"flows"`           // Studies and chats started
	Messages        *int64 `json:"messages"`        // user messages of one chat
	Responses       *int64 `json:"responses"`       // answers of Minds in a calendar month (UTC), shared by the workspace
	Validations     *int64 `json:"validations"`     // included in a month

	Exports             bool `json:"exports"`
	Heatmaps            bool `json:"heatmaps"`
	APIKeys             bool `json:"apiKeys"`
	SegmentCoverage     bool `json:"segment_coverage"`
	BenchmarkDepth      bool `json:"benchmark_depth"`
	DatasetSegmentation bool `json:"datasetSegmentation"`
	ModelConnections    bool `json:"modelConnections"`
	TeamSharing         bool `json:"teamSharing"`
}

// Plans holds the limits of every plan; make it with DefaultPlans or ParsePlans.
// Enterprise is always without limits.
type Plans struct {
	limits map[Plan]Limits
	// responses overrides the response allowance of every limited plan
	// (MINDGATE_RESPONSES_PER_MONTH).
	responses *int64
}

// DefaultPlans are the values of M-101.
func DefaultPlans() Plans {
	n := func(v int64) *int64 { return &v }
	return Plans{limits: map[Plan]Limits{
		Free: {Minds: n(3), Audiences: n(1), AudienceMembers: n(3), Flows: n(3), Messages: n(10),
			Responses: n(30), Validations: n(0)},
		Premium: {Minds: n(200), AudienceMembers: n(50), Messages: n(500),
			Responses: n(2000), Validations: n(1), Exports: true, Heatmaps: true, APIKeys: true},
		Team: {Minds: n(1000), AudienceMembers: n(300),
			Responses: n(10000), Validations: n(5), Exports: true, Heatmaps: true, APIKeys: true,
			SegmentCoverage: true, BenchmarkDepth: true, DatasetSegmentation: true, ModelConnections: true, TeamSharing: true},
	}}
}

// ParsePlans reads a plans file (MINDGATE_PLANS): a JSON object with an object
// a plan (free, premium, team). A field that is given replaces the built-in
// value; numbers are whole and not negative, null is no limit, the rest are
// true or false. For example:
//
//	{"free": {"minds": 5, "exports": true}, "team": {"responses": null}}
func ParsePlans(raw []byte) (Plans, error) {
	p := DefaultPlans()
	var file map[string]map[string]json.RawMessage
	dec := json.NewDecoder(bytes.NewReader(raw))
	if err := dec.Decode(&file); err != nil {
		return Plans{}, fmt.Errorf("the plans file is not a JSON object of plans, each an object of limits: %w", err)
	}
	if dec.More() {
		return Plans{}, errors.New("the plans file has something after its JSON object")
	}
	for name, fields := range file {
		if Plan(name) == Enterprise {
			return Plans{}, errors.New(`the plans file sets "enterprise", which has no limits and cannot be changed`)
		}
		l, ok := p.limits[Plan(name)]
		if !ok {
			return Plans{}, fmt.Errorf("the plans file names the plan %q; the plans are free, premium and team", name)
		}
		if fields == nil {
			return Plans{}, fmt.Errorf("the plan %q of the plans file is null; it must be an object of limits", name)
		}
		for field, value := range fields {
			if err := l.set(field, value); err != nil {
				return Plans{}, fmt.Errorf("the plans file, %s.%s: %w", name, field, err)
			}
		}
		p.limits[Plan(name)] = l
	}
	return p, nil
}

// LoadPlans reads the plans file at path (empty: the built-in plans) and takes
// responsesPerMonth (empty: none) as the response allowance of every limited plan.
func LoadPlans(path, responsesPerMonth string) (Plans, error) {
	p := DefaultPlans()
	if path != "" {
		raw, err := os.ReadFile(path)
		if err != nil {
			return Plans{}, fmt.Errorf("MINDGATE_PLANS: %w", err)
		}
		if p, err = ParsePlans(raw); err != nil {
			return Plans{}, fmt.Errorf("MINDGATE_PLANS (%s): %w", path, err)
		}
	}
	if s := strings.TrimSpace(responsesPerMonth); s != "" {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil || n < 0 {
			return Plans{}, fmt.Errorf("MINDGATE_RESPONSES_PER_MONTH is %q; it must be a whole number, 0 or more", responsesPerMonth)
		}
		p.responses = &n
	}
	return p, nil
}

// Of gives the limits of a plan. A plan nobody knows gets those of Free, so
// that a mistake in a record never unlocks anything.
func (p Plans) Of(plan Plan) Limits {
	if plan == Enterprise {
		return Limits{Plan: plan, Exports: true, Heatmaps: true, APIKeys: true, SegmentCoverage: true,
			BenchmarkDepth: true, DatasetSegmentation: true, ModelConnections: true, TeamSharing: true}
	}
	if p.limits == nil {
		p.limits = DefaultPlans().limits
	}
	l, ok := p.limits[plan]
	if !ok {
		l = p.limits[Free]
	}
	l.Plan = plan
	if p.responses != nil {
		n := *p.responses
		l.Responses = &n
	}
	return l
}

// ParsePlan reads a plan's name as an operator writes it (--plan).
func ParsePlan(s string) (Plan, error) {
	if p := Plan(s); slices.Contains([]Plan{Free, Premium, Team, Enterprise}, p) {
		return p, nil
	}
	return "", fmt.Errorf("there is no plan %q; the plans are free, premium, team and enterprise", s)
}

// Of gives the number behind a counter; nil is no limit.
func (l Limits) Of(what Counter) *int64 {
	switch what {
	case Minds:
		return l.Minds
	case Audiences:
		return l.Audiences
	case AudienceMembers:
		return l.AudienceMembers
	case Flows:
		return l.Flows
	case Messages:
		return l.Messages
	case Responses:
		return l.Responses
	case Validations:
		return l.Validations
	}
	return nil
}

func (l *Limits) set(field string, value json.RawMessage) error {
	numbers := map[string]**int64{
		"minds": &l.Minds, "audiences": &l.Audiences, "audienceMembers": &l.AudienceMembers, "flows": &l.Flows,
		"messages": &l.Messages, "responses": &l.Responses, "validations": &l.Validations,
	}
	flags := map[string]*bool{
		"exports": &l.Exports, "heatmaps": &l.Heatmaps, "apiKeys": &l.APIKeys, "segment_coverage": &l.SegmentCoverage,
		"benchmark_depth": &l.BenchmarkDepth, "datasetSegmentation": &l.DatasetSegmentation,
		"modelConnections": &l.ModelConnections, "teamSharing": &l.TeamSharing,
	}
	if to, ok := numbers[field]; ok {
		if string(value) == "null" {
			*to = nil
			return nil
		}
		var n int64
		if err := json.Unmarshal(value, &n); err != nil || n < 0 {
			return fmt.Errorf("it is %s; it must be a whole number, 0 or more, or null for no limit", value)
		}
		*to = &n
		return nil
	}
	if to, ok := flags[field]; ok {
		var b *bool
		if err := json.Unmarshal(value, &b); err != nil || b == nil {
			return fmt.Errorf("it is %s; it must be true or false", value)
		}
		*to = *b
		return nil
	}
	known := make([]string, 0, len(numbers)+len(flags))
	for k := range numbers {
		known = append(known, k)
	}
	for k := range flags {
		known = append(known, k)
	}
	slices.Sort(known)
	return fmt.Errorf("there is no such limit; the limits are %s", strings.Join(known, ", "))
}

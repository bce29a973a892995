package openai

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/shared/model"
)

// refusal is what a server says is wrong. Its sentence is only looked through,
// never kept: it may repeat a prompt or a part of a key.
type refusal struct {
	code, kind, param, text string
	known                   bool // the body was an error of this protocol
}

// of tells whether it refuses one of these parameters as such, and not the value
// that it has.
func (r refusal) of(params ...string) bool {
	refuses := r.code == "unsupported_parameter" || r.code == "unsupported_value" || r.code == "unknown_parameter"
	for _, w := range []string{"unsupported", "not support", "unrecognized", "unknown", "unexpected", "not permitted", "extra"} {
		refuses = refuses || strings.Contains(r.text, w)
	}
	for _, p := range params {
		if refuses && (r.param == p || r.param == "" && strings.Contains(r.text, p)) {
			return true
		}
	}
	return false
}

// readError reads the value of "error": an object, or with some servers a string.
func readError(raw json.RawMessage) refusal {
	var object struct {
		Code    any    `json:"code"`
		Type    string `json:"type"`
		Param   any    `json:"param"`
		Message string `json:"message"`
	}
	var text string
	switch {
	case json.Unmarshal(raw, &object) == nil:
		code, _ := object.Code.(string)
		param, _ := object.Param.(string)
		return refusal{code: code, kind: object.Type, param: param, text: strings.ToLower(object.Message), known: true}
	case json.Unmarshal(raw, &text) == nil:
		return refusal{text: strings.ToLower(text), known: true}
	}
	return refusal{}
}

func readFailure(res *http.Response, now time.Time) (*model.Error, refusal) {
	raw, _ := io.ReadAll(io.LimitReader(res.Body, 64<<10))
	var body struct {
		Error  json.RawMessage `json:"error"`
		Object string          `json:"object"`
		Code   any             `json:"code"`
		Type   string          `json:"type"`
		Param  any             `json:"param"`
		Text   string          `json:"message"`
		Detail json.RawMessage `json:"detail"`
	}
	var r refusal
	if json.Unmarshal(raw, &body) == nil {
		switch {
		case len(body.Error) > 0:
			r = readError(body.Error)
		case body.Object == "error" || body.Text != "": // older vLLM and others: flat
			r = readError(raw)
		case len(body.Detail) > 0:
			r = refusal{text: strings.ToLower(string(body.Detail))}
		}
	}
	e := r.failure(res.StatusCode)
	e.RetryAfter = model.RetryAfter(res.Header.Get("Retry-After"), now)
	return e, r
}

// failure sorts a refusal. Status is 0 for one that came inside an answer.
func (r refusal) failure(status int) *model.Error {
	e := &model.Error{Kind: kindOf(status, r), Status: status, Code: model.Safe(r.code)}
	if e.Code == "" {
		e.Code = model.Safe(r.kind)
	}
	switch {
	case status == http.StatusNotFound && e.Kind == model.KindInvalid:
		e.Detail = "there is no chat completions endpoint at this address"
	case status >= 300 && status < 400:
		e.Detail = "the address redirects; give the one that it leads to"
	}
	return e
}

func kindOf(status int, r refusal) model.Kind {
	is := func(words ...string) bool {
		for _, w := range words {
			if r.code == w || r.kind == w {
				return true
			}
		}
		return false
	}
	says := func(all ...string) bool {
		for _, w := range all {
			if !strings.Contains(r.text, w) {
				return false
			}
		}
		return true
	}
	switch {
	case is("insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "access_terminated") || status == http.StatusPaymentRequired:
		return model.KindQuota
	case is("content_filter", "content_policy_violation", "ResponsibleAIPolicyViolation"):
		return model.KindFiltered
	case is("model_not_found", "invalid_model", "DeploymentNotFound") || r.known && (status == 400 || status == 404) && r.param != "messages" && r.text != "" && says("model") && (says("not found") || says("does not exist") || says("not exist")):
		return model.KindUnknownModel
	case is("invalid_api_key") || status == 401 || status == 403:
		return model.KindAuth
	case is("rate_limit_exceeded", "rate_limit_error") || status == 429:
		return model.KindRateLimited
	case is("overloaded_error", "server_overloaded", "engine_overloaded") || status == 503 || status == 529:
		return model.KindOverloaded
	case status == 408 || status == 504:
		return model.KindTimeout
	case status == 501 || status == 415:
		return model.KindUnsupported
	case says("does not support", "image") || says("not a multimodal"):
		return model.KindUnsupported
	case status >= 300 && status < 500 || is("invalid_request_error"):
		return model.KindInvalid
	}
	return model.KindUnavailable
}

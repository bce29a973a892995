package restapi

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/middleware"
	"github.com/mindgate-dev/mindgate/shared/research"
)

// Config is what the surface needs.
type Config struct {
	Research  *research.Research
	PublicURL string // what links start with, without a slash at the end
	Version   string
	// Authenticator proves callers; nil is the accounts of Research, by keys.
	Authenticator middleware.Authenticator
	// Ready is nil while calls and their jobs are served, else a sentence that
	// /healthz shows to whoever asks, so it names no path; nil is always ready.
	Ready func() error
	// Limiter counts the calls of an account; nil is no limit.
	Limiter middleware.Limiter
	// Origins are the browser origins that may call, besides the own one.
	Origins []string
	// MaxBody is the ceiling of a JSON body in bytes; 0 is MaxJSONBody.
	MaxBody int64
	// StreamTime is the longest that a stream of events lasts on a host that sends
	// answers whole; 0: streams last as long as their connections.
	StreamTime time.Duration
	// Spool is the folder where an upload waits until all of it is there; "" is
	// the system's place for temporary files.
	Spool string
	Clock clock.Clock
	IDs   clock.IDs // makes request ids
	Log   *slog.Logger
}

// API serves the operations, the OpenAPI document and its reference page.
type API struct {
	config  Config
	rows    []*operation
	mux     *http.ServeMux
	handler http.Handler
	budget  time.Duration // of one call
	// document is the OpenAPI document, written at its first reading.
	document func() ([]byte, error)
}

// New makes the surface. It fails only if table and contract do not fit.
func New(c Config) (*API, error) {
	contract, err := readContract()
	if err != nil {
		return nil, err
	}
	rows, err := bind(table(), contract)
	if err != nil {
		return nil, err
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Ready == nil {
		c.Ready = func() error { return nil }
	}
	if c.Authenticator == nil {
		c.Authenticator = c.Research.Accounts
	}
	if c.Limiter == nil {
		c.Limiter = middleware.NoLimit{}
	}
	if c.MaxBody <= 0 {
		c.MaxBody = MaxJSONBody
	}
	a := &API{config: c, rows: rows, mux: http.NewServeMux(), budget: budget}
	for _, o := range rows {
		a.mux.Handle(o.method+" "+o.path, a.guarded(o))
	}
	a.uploads()
	a.documents()
	a.handler = middleware.Chain(http.HandlerFunc(a.route),
		middleware.RequestID(c.IDs),
		middleware.Audit(c.Clock, a.audit),
		middleware.Recover(c.Log, a.refuse),
		middleware.CORS(middleware.Origins{Allowed: c.Origins, Own: c.PublicURL, Methods: "GET, POST, PUT, PATCH, DELETE, OPTIONS"}, a.refuse),
	)
	return a, nil
}

// ServeHTTP answers one request; whatever is refused is refused in the envelope.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.handler.ServeHTTP(w, r) }

// Serves reports whether a request is for this surface, so that a host can put
// it beside others.
func (a *API) Serves(r *http.Request) bool {
	_, pattern := a.mux.Handler(r)
	return pattern != ""
}

func (a *API) audit(r *http.Request, l middleware.Line) {
	a.config.Log.InfoContext(r.Context(), "rest", "requestId", l.RequestID, "method", l.Method, "path", l.Path,
		"status", l.Status, "bytes", l.Bytes, "ms", l.Elapsed.Milliseconds())
}

func (a *API) refuse(w http.ResponseWriter, r *http.Request, f *fault.Error) {
	Refuse(w, r, a.config.Log, f)
}

// route finds the operation, and answers unknown paths and methods in the
// envelope.
func (a *API) route(w http.ResponseWriter, r *http.Request) {
	h, pattern := a.mux.Handler(r)
	if pattern == "" {
		a.unknown(w, r, h)
		return
	}
	a.mux.ServeHTTP(w, r)
}

// unknown asks the router why nothing matched: another method of a known path
// is 405 with the methods that it has.
func (a *API) unknown(w http.ResponseWriter, r *http.Request, h http.Handler) {
	p := probe{header: http.Header{}}
	h.ServeHTTP(&p, r)
	if p.status == http.StatusMethodNotAllowed {
		allow := p.header.Get("Allow")
		w.Header().Set("Allow", allow)
		a.refuse(w, r, fault.New(fault.MethodNotAllowed, "%s is not allowed here; allowed are %s.", r.Method, allow))
		return
	}
	a.refuse(w, r, fault.New(fault.NotFound, "There is no such path; /openapi.json lists the operations."))
}

// guarded is one operation behind its credential, rate and scope.
func (a *API) guarded(o *operation) http.Handler {
	h := http.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { a.serve(o, w, r) }))
	if o.live != nil {
		h = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if _, err := o.read(w, r, a.config.MaxBody); err != nil {
				Refuse(w, r, a.config.Log, err)
				return
			}
			o.live(a, w, r)
		})
	}
	if o.open() {
		return h
	}
	closed := middleware.Chain(h,
		middleware.Bearer(a.config.Authenticator, nil, a.refuse),
		middleware.Rate(a.config.Limiter, a.refuse),
		o.permit(a.refuse),
	)
	if o.ticket {
		return a.ticketed(h, closed)
	}
	if o.streams != never {
		return a.streams(o.streams, closed)
	}
	if o.shared {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Has("share") {
				h.ServeHTTP(w, r)
				return
			}
			closed.ServeHTTP(w, r)
		})
	}
	return closed
}

// ticketed lets a request with a ticket in its address pass without a
// credential, as the one that the ticket was made for.
func (a *API) ticketed(h, otherwise http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		if !query.Has("ticket") {
			otherwise.ServeHTTP(w, r)
			return
		}
		p, err := a.config.Research.Exports.Redeem(r.PathValue("studyId"), query.Get("jobId"), query.Get("ticket"))
		if err != nil {
			Refuse(w, r, a.config.Log, err)
			return
		}
		query.Del("ticket")
		r = r.Clone(account.With(r.Context(), p))
		r.URL.RawQuery = query.Encode()
		h.ServeHTTP(w, r)
	})
}

// serve checks the shapes of a request and makes its domain call.
func (a *API) serve(o *operation, w http.ResponseWriter, r *http.Request) {
	c, err := o.read(w, r, a.config.MaxBody)
	if err != nil {
		Refuse(w, r, a.config.Log, err)
		return
	}
	if r.Context().Value(streamKey{}) == nil && o.streams.wanted(c.body) { // too long to be seen before
		a.stream(o.streams, w, r, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { a.answer(o, c, w, r) }))
		return
	}
	a.answer(o, c, w, r)
}

// answer makes the domain call of a request that has passed its shapes.
func (a *API) answer(o *operation, c *call, w http.ResponseWriter, r *http.Request) {
	c.Research, c.api = a.config.Research, a
	answer, err := a.within(r.Context(), o, c)
	if err != nil {
		Refuse(w, r, a.config.Log, err)
		return
	}
	for name, values := range answer.header {
		w.Header()[name] = values
	}
	if f := answer.file; f != nil {
		w.Header().Set("Content-Type", f.mediaType)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.WriteHeader(answer.status)
		_, _ = w.Write(f.content)
		return
	}
	if answer.body == nil {
		w.Header().Set("Cache-Control", "private, no-store")
		w.WriteHeader(answer.status)
		return
	}
	writeJSON(w, answer.status, answer.body)
}

// budget is the longest that a call may take once its body is there, as for the
// tools: a gateway waits 30 s. An upload takes as long as its line needs.
const budget = 25 * time.Second

func (a *API) within(ctx context.Context, o *operation, c *call) (reply, error) {
	if o.upload || o.streams == unlessQueued && isStreamed(ctx) {
		return o.handle(ctx, c)
	}
	ctx, cancel := context.WithTimeout(ctx, a.budget)
	defer cancel()
	answer, err := o.handle(ctx, c)
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return reply{}, fault.New(fault.DeadlineExceeded, "The call did not end within its time. Read the saved state before you repeat a write; a read may be repeated at once.").Because(err)
	}
	return answer, err
}

// probe catches what the router would have answered.
type probe struct {
	header http.Header
	status int
}

func (p *probe) Header() http.Header         { return p.header }
func (p *probe) Write(b []byte) (int, error) { return len(b), nil }
func (p *probe) WriteHeader(status int)      { p.status = status }

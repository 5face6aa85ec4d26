// Package tracingtest is a collector of traces for tests.
package tracingtest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// Collector keeps the spans that it is sent.
type Collector struct {
	URL     string
	Refuses int // the status that it answers instead; 0: it takes them

	mu    sync.Mutex
	spans []*tracepb.Span
	about string
}

// New starts a collector that ends with the test.
func New(t *testing.T) *Collector {
	c := &Collector{}
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	c.URL = server.URL
	return c
}

func (c *Collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	var data tracepb.TracesData
	if c.Refuses != 0 || err != nil || r.URL.Path != "/v1/traces" ||
		r.Header.Get("Content-Type") != "application/x-protobuf" || proto.Unmarshal(body, &data) != nil {
		w.WriteHeader(max(c.Refuses, http.StatusBadRequest))
		return
	}
	for _, resource := range data.ResourceSpans {
		c.about = resource.Resource.String()
		for _, scope := range resource.ScopeSpans {
			c.spans = append(c.spans, scope.Spans...)
		}
	}
}

// Spans are those that have come, and what the last ones say of the process that they are of.
func (c *Collector) Spans() (spans []*tracepb.Span, about string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.spans, c.about
}

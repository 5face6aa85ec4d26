package tracing

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"impalab/server/tracing/tracingtest"
)

// export has the test's spans sent to a collector of its own.
func export(t *testing.T, c *tracingtest.Collector) (log *strings.Builder, stop func()) {
	t.Helper()
	to, err := Collector(c.URL)
	if err != nil {
		t.Fatal(err)
	}
	log = &strings.Builder{}
	if stop, err = Export(t.Context(), to, "impalab", "a build", slog.New(slog.NewTextHandler(log, nil))); err != nil {
		t.Fatal(err)
	}
	return log, stop
}

func TestSpansReachTheCollectorWithTheirPartsAndWhatFailed(t *testing.T) {
	if _, span := Begin(t.Context(), "before"); span.On() {
		t.Error("a span is measured that nobody collects")
	}
	c := tracingtest.New(t)
	_, stop := export(t, c)
	ctx, job := Begin(t.Context(), "job")
	job.Name("job entry")
	_, part := Part(ctx, "store.Do")
	part.End(errors.New("the disk is full"))
	if _, alone := Part(Apart(ctx), "beat"); alone.On() {
		t.Error("what is apart is measured as a part")
	}
	job.SetInt("job.tries", 2)
	job.End(nil)
	r := httptest.NewRequest("GET", "/r/x", nil)
	r.Header.Set("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	_, request := Request(r)
	request.End(nil)
	stop()
	if _, span := Begin(t.Context(), "after"); span.On() {
		t.Error("a span is measured after the end")
	}

	spans, about := c.Spans()
	if len(spans) != 3 || spans[0].Name != "store.Do" || spans[1].Name != "job entry" || spans[2].Name != "GET" {
		t.Fatalf("the collector has %v", spans)
	}
	piece, whole, asked := spans[0], spans[1], spans[2]
	if string(piece.ParentSpanId) != string(whole.SpanId) || piece.Status.GetMessage() != "the disk is full" {
		t.Errorf("the part: %v", piece)
	}
	if len(whole.ParentSpanId) != 0 || whole.Status.GetCode() != tracepb.Status_STATUS_CODE_UNSET ||
		whole.Attributes[0].Value.GetIntValue() != 2 {
		t.Errorf("the whole: %v", whole)
	}
	if len(asked.ParentSpanId) != 0 || len(asked.Links) != 1 || asked.Links[0].TraceId[0] != 0x0a {
		t.Errorf("the caller's trace is %v, want it as a link", asked)
	}
	if !strings.Contains(about, "a build") || !strings.Contains(about, `"impalab"`) {
		t.Errorf("they are of %s", about)
	}
}

// The log is not filled, whatever the collector does.
func TestACollectorThatTakesNothingIsSaidOnce(t *testing.T) {
	c := tracingtest.New(t)
	c.Refuses = http.StatusServiceUnavailable
	log, stop := export(t, c)
	defer stop()
	to, _ := Collector("http://user:password@127.0.0.1:1")
	away := &client{to: to, log: slog.New(slog.NewTextHandler(log, nil))}
	for range 3 {
		away.UploadTraces(context.Background(), nil)
	}
	if said := log.String(); strings.Count(said, "does not take traces") != 1 || strings.Contains(said, "password") {
		t.Errorf("the log: %s", said)
	}
	_, span := Begin(t.Context(), "lost")
	span.End(nil)
	stop()
	if said := log.String(); strings.Count(said, "503") != 1 {
		t.Errorf("the log: %s", said)
	}
}

func TestACollectorIsAnAddress(t *testing.T) {
	for address, want := range map[string]string{
		"http://127.0.0.1:4318":           "http://127.0.0.1:4318/v1/traces",
		"https://traces.example.org/":     "https://traces.example.org/v1/traces",
		"https://example.org/otlp/traces": "https://example.org/otlp/traces",
		"127.0.0.1:4318":                  "",
		"grpc://127.0.0.1:4317":           "",
		"http://":                         "",
		"http://h/?a=b":                   "",
	} {
		if u, err := Collector(address); (err == nil) != (want != "") || err == nil && u.String() != want {
			t.Errorf("%s is %v, %v, want %q", address, u, err, want)
		}
	}
}

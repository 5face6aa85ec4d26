package command

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"impalab/server/tracing/tracingtest"
)

// A collector is told of requests by their routes, of jobs by their kinds, and of what the store did for either.
func TestRequestsAndJobsAreTraced(t *testing.T) {
	collector := tracingtest.New(t)
	r := started(t, "--tracks", tracksOf(t, map[string]string{"quick.yaml": quick}), "--traces-url", collector.URL)
	ask(t, "GET", r.url+"r/somebody")
	ask(t, "GET", r.url+"api/v1/runs/somebody")
	entries := r.url + "api/v1/board/quick/entries"
	post, err := http.Post(entries, "application/json", strings.NewReader(`{"settings": {"rho": "2"}}`))
	if err != nil || post.StatusCode/100 != 2 {
		t.Fatal(err, post)
	}
	for until := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		_, body := ask(t, "GET", entries)
		if strings.Contains(body, `"rank":"1"`) {
			break
		}
		if time.Now().After(until) {
			t.Fatalf("it is not ranked: %s", body)
		}
	}
	r.stop()
	<-r.done

	spans, _ := collector.Spans()
	names, parts := map[string]string{}, map[string]bool{} // names by ID; "A in B"
	for _, span := range spans {
		names[string(span.SpanId)] = span.Name
		if strings.Contains(span.String(), "somebody") {
			t.Errorf("a span says what was asked for: %v", span)
		}
	}
	for _, span := range spans {
		parts[span.Name+" in "+names[string(span.ParentSpanId)]] = true
	}
	for _, want := range []string{"GET /r/:id in ", "GET /api/v1/runs/{id} in ", "POST /api/v1/board/{track}/entries in ",
		"store.Do in POST /api/v1/board/{track}/entries", "store.View in GET /r/:id", "job board-public in ",
		"job board-secret in ", "store.Do in job board-secret"} {
		if !parts[want] {
			t.Errorf("there is no %s; there are %q", want, slices.Sorted(maps.Keys(parts)))
		}
	}
}

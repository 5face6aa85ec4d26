package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestAPageThatArrivesSlowlyStillStarts sends the page up to its stage, and the rest three seconds after the stage's
// script. The client binds to elements that come after the stage.
func TestAPageThatArrivesSlowlyStillStarts(t *testing.T) {
	t.Parallel()
	target, err := url.Parse(serve(t))
	if err != nil {
		t.Fatal(err)
	}
	script := make(chan struct{})
	sent := sync.OnceFunc(func() { close(script) })
	pass := httputil.NewSingleHostReverseProxy(target)
	pass.FlushInterval = -1
	pass.ModifyResponse = func(answer *http.Response) error {
		if answer.Request.URL.Path != "/lab" {
			return nil
		}
		page, err := io.ReadAll(answer.Body)
		if err != nil {
			return err
		}
		end := []byte("</iframe>")
		stage, rest, found := bytes.Cut(page, end)
		if !found {
			t.Error("the Lab has no stage")
		}
		answer.Body = io.NopCloser(io.MultiReader(bytes.NewReader(stage), bytes.NewReader(end),
			&late{after: script, Reader: bytes.NewReader(rest)}))
		return nil
	}
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/lab" {
			r.Header.Del("Accept-Encoding")
		}
		pass.ServeHTTP(w, r)
		if strings.HasPrefix(r.URL.Path, "/static/stage.") {
			sent()
		}
	}))
	t.Cleanup(proxy.CloseClientConnections)
	open(t, browser(t), proxy.URL+"/lab")
}

// late is a reader that waits until three seconds after a channel was closed.
type late struct {
	after <-chan struct{}
	once  sync.Once
	io.Reader
}

func (l *late) Read(b []byte) (int, error) {
	l.once.Do(func() {
		<-l.after
		time.Sleep(3 * time.Second)
	})
	return l.Reader.Read(b)
}

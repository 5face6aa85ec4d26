package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestBehindAProxyThatSwallowsWebsocketsThePageStillWorks uses a real proxy. It passes everything on except the
// websocket's upgrade, which it accepts and never answers, like some school firewalls.
func TestBehindAProxyThatSwallowsWebsocketsThePageStillWorks(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	target, err := url.Parse(serve(t))
	if err != nil {
		t.Fatal(err)
	}
	var swallowed, streams atomic.Int64
	pass := httputil.NewSingleHostReverseProxy(target)
	pass.FlushInterval = -1 // the event stream answers at once
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.EqualFold(r.Header.Get("Upgrade"), "websocket"):
			swallowed.Add(1)
			<-r.Context().Done()
		case r.URL.Path == "/api/stream":
			streams.Add(1)
			fallthrough
		default:
			pass.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(proxy.CloseClientConnections)
	ctx := browser(t)
	open(t, ctx, proxy.URL+"/lab")
	do(t, ctx, "lag by keyboard", chromedp.Focus(`[data-key="lag"] [data-part="number"]`),
		js(`document.activeElement.select()`), chromedp.KeyEvent("8\r"), until(fmt.Sprintf(force+`.startsWith("8")`, "lag")))
	if swallowed.Load() != 1 || streams.Load() != 1 {
		t.Errorf("%d websockets were tried and %d streams; want one of each", swallowed.Load(), streams.Load())
	}
}

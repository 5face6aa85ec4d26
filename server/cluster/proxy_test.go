package cluster

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"impalab/internal/kit"
)

// site has one handler on a host behind a front end.
func site(t *testing.T, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	b := natsAt(t, "")
	server := httptest.NewServer(host(t, b, newOneRun()).Admit(handler))
	t.Cleanup(server.Close)
	s := httptest.NewServer(front(t, b, "b1", server.URL).Proxy())
	t.Cleanup(s.Close)
	return s
}

func TestAHostAnswersForItsFrontEnd(t *testing.T) {
	large := bytes.Repeat([]byte("0123456789abcdef"), 1<<17)
	s := site(t, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || !bytes.Equal(body, large) {
			t.Errorf("%d bytes came: %v", len(body), err)
		}
		w.Header().Set("Visitor", r.RemoteAddr)
		w.Header().Set("Host-Asked", r.Host)
		w.WriteHeader(http.StatusTeapot)
		w.Write(large)
	})
	request, err := http.NewRequest("POST", s.URL+"/a?b=c", bytes.NewReader(large))
	if err != nil {
		t.Fatal(err)
	}
	request.Host = "lab.example.org"
	request.Header.Set("Last", "7")
	request.Header.Set(visitorHeader, "198.51.100.1") // a forged one
	request.Header.Set(passHeader, "forged, too")
	request.Header.Set("X-Forwarded-For", "198.51.100.2")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || !bytes.Equal(body, large) || answer.StatusCode != http.StatusTeapot {
		t.Errorf("%s with %d bytes: %v", answer.Status, len(body), err)
	}
	visitor, name := answer.Header.Get("Visitor"), answer.Header.Get("Host-Asked")
	if visitor != "192.0.2.7:0" || name != "lab.example.org" {
		t.Errorf("it counted for %s and was for %s", visitor, name)
	}
}

// Who knows no client of NATS cannot choose an address, and the handler never sees the headers.
func TestAVisitorOfTheHostCannotPassForAFrontEnd(t *testing.T) {
	s := httptest.NewServer(host(t, natsAt(t, ""), newOneRun()).Admit(http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, r.RemoteAddr, r.Header.Get(passHeader), r.Header.Get(visitorHeader))
		})))
	defer s.Close()
	for _, pass := range []string{"", "a guess"} {
		request, err := http.NewRequest("GET", s.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set(passHeader, pass)
		request.Header.Set(visitorHeader, "198.51.100.1")
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if host, _, err := net.SplitHostPort(string(text)); host != "127.0.0.1" {
			t.Errorf("with the pass %q it counts for %s (%v)", pass, text, err)
		}
	}
}

func TestAStreamFlowsAndEndsWithItsReader(t *testing.T) {
	left := make(chan struct{})
	s := site(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for i := 0; ; i++ {
			fmt.Fprintf(w, "data: %d\n\n", i)
			if err := http.NewResponseController(w).Flush(); err != nil {
				break
			}
			select {
			case <-r.Context().Done():
				close(left)
				return
			case <-time.After(10 * time.Millisecond):
			}
		}
		close(left)
	})
	answer, err := http.Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(answer.Body)
	for i := range 5 {
		lines.Scan()
		if want := fmt.Sprint("data: ", i); lines.Text() != want {
			t.Fatalf("got %q, want %q", lines.Text(), want)
		}
		lines.Scan()
	}
	answer.Body.Close()
	select {
	case <-left:
	case <-time.After(kit.Patience):
		t.Fatal("the host goes on for nobody")
	}
}

func TestAReaderThatTakesNothingHoldsTheHostBack(t *testing.T) {
	sent := make(chan int, 1)
	s := site(t, func(w http.ResponseWriter, r *http.Request) {
		n := 0
		for r.Context().Err() == nil {
			k, err := w.Write(make([]byte, 64<<10))
			if n += k; err != nil {
				break
			}
		}
		sent <- n
	})
	answer, err := http.Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Second)
	answer.Body.Close()
	select {
	case n := <-sent:
		if n > 32<<20 { // the system's sockets hold some of it
			t.Errorf("the host has sent %d bytes to somebody who took none", n)
		}
	case <-time.After(kit.Patience):
		t.Fatal("the host still sends")
	}
}

func TestAnUnreachableHostIsReported(t *testing.T) {
	b := natsAt(t, "")
	s := httptest.NewServer(front(t, b, "b1", "").Proxy())
	defer s.Close()
	answer, err := http.Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	if answer.StatusCode != http.StatusServiceUnavailable || !strings.Contains(string(text), "cannot be reached") {
		t.Errorf("%s: %s", answer.Status, text)
	}
}

package firewall

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestAnswersUnderWayHaveABoundForEachAddressAndForAll(t *testing.T) {
	counts := map[string]int{}
	a := NewAnswers(100, func(reason string) { counts[reason]++ })
	cut := map[string]int{}
	take := func(address string, bytes int) (*sending, error) {
		return a.admit(address, bytes, func() { cut[address]++ })
	}
	first, err := take("a", 60) // more than a part, and the only one
	if err != nil {
		t.Fatal(err)
	}
	if _, err := take("a", 1); err == nil || !strings.Contains(err.Error(), "read them first") {
		t.Errorf("another answer of the address: %v", err)
	}
	if _, err := take("b", 20); err != nil {
		t.Errorf("another address: %v", err)
	}
	if _, err := take("c", 25); err != nil || cut["a"] != 1 {
		t.Errorf("a third address is answered %v, and %d answers of the first are cut", err, cut["a"])
	}
	a.leave(first) // its handler ends after the cut
	if a.total != 45 || counts[AddressAnswers] != 1 || counts[AllAnswers] != 1 {
		t.Errorf("%d bytes are under way; refusals %v", a.total, counts)
	}
	for _, address := range []string{"d", "e"} {
		if _, err := take(address, 25); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
	if _, err := take("b", 5); err != nil { // of "a", which is gone, nothing is left to cut
		t.Errorf("within the bounds: %v", err)
	}
	if _, err := take("e", 1); err == nil || a.total > 100 {
		t.Errorf("the address with most gets more: %v, of %d bytes", err, a.total)
	}
}

// unread asks for a path over a connection that reads nothing.
func unread(t *testing.T, server *httptest.Server, path string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.(*net.TCPConn).SetReadBuffer(4096)
	io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: x\r\n\r\n")
	return c
}

func TestAnAnswerThatMayNotBeSentIsRefusedWithASentence(t *testing.T) {
	a := NewAnswers(32<<20, func(string) {})
	writes := make(chan bool, 9)
	server := httptest.NewServer(a.Send(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", "attachment")
		w.WriteHeader(http.StatusOK)
		writes <- true
		w.Write(make([]byte, 8<<20))
	}), Pace{1 << 20, time.Minute}, func(r *http.Request) string { return r.URL.Path }))
	t.Cleanup(server.Close)
	unread(t, server, "/api/v1/a")
	<-writes
	for a.of("/api/v1/a") == 0 { // until it is under way
		time.Sleep(time.Millisecond)
	}
	got, err := http.ReadResponse(bufio.NewReader(unread(t, server, "/api/v1/a")), nil)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(got.Body)
	if got.StatusCode != 503 || got.Header.Get("Retry-After") != "5" || got.Header.Get("Content-Disposition") != "" ||
		!strings.Contains(string(text), "read them first") {
		t.Errorf("it is answered %d, %v: %s", got.StatusCode, got.Header, text)
	}
	other, err := server.Client().Get(server.URL + "/api/v1/b")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Body.Close()
	if n, err := io.Copy(io.Discard, other.Body); n != 8<<20 || err != nil {
		t.Errorf("another address got %d bytes: %v", n, err)
	}
}

func (a *Answers) of(address string) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.bytes[address]
}

// slow is a connection that takes a second for each kilobyte.
type slow struct {
	*httptest.ResponseRecorder
	until time.Time
}

func (s *slow) SetWriteDeadline(until time.Time) error { s.until = until; return nil }

func (s *slow) Write(p []byte) (int, error) {
	if took := time.Duration(len(p)) * time.Millisecond; time.Now().Add(took).After(s.until) {
		time.Sleep(time.Until(s.until))
		return 0, io.ErrClosedPipe
	}
	time.Sleep(time.Duration(len(p)) * time.Millisecond)
	return s.ResponseRecorder.Write(p)
}

// The pace counts over writes of any size, and only while the client has bytes to take.
func TestAPaceIsMeasuredOverManyWrites(t *testing.T) {
	for _, c := range []struct {
		bytes, want int
		pause       time.Duration
	}{{5000, 0, time.Minute}, {15000, 12000, time.Minute}, {15000, 12000, 0}} {
		synctest.Test(t, func(t *testing.T) {
			s := &slow{ResponseRecorder: httptest.NewRecorder()}
			sent := 0
			Downloads(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				for range 30 {
					n, err := w.Write(make([]byte, 500))
					if sent += n; err != nil {
						return
					}
					time.Sleep(c.pause)
				}
			}), Pace{c.bytes, 12 * time.Second}).ServeHTTP(s, httptest.NewRequest("GET", "/", nil))
			if want := c.want; want != sent && (want != 0 || sent != 15000) {
				t.Errorf("at 1 kB/s, with %d bytes in 12 s wanted and pauses of %s, %d bytes were sent", c.bytes, c.pause, sent)
			}
		})
	}
}

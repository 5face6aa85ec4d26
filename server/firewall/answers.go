package firewall

import (
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// Answers bounds the memory of answers that clients have not taken yet: of one address, and of all. An address with
// answers under way gets no more above its part. Where all together are too many, the oldest answer of the address with
// most is cut for another address.
type Answers struct {
	all, each int
	refused   Refused

	mu    sync.Mutex
	under []*sending // the oldest first
	bytes map[string]int
	total int
}

// sending is an answer under way to a client.
type sending struct {
	address string
	bytes   int
	cut     func()
}

// NewAnswers returns Answers that bound the bytes of all addresses together.
func NewAnswers(all int, refused Refused) *Answers {
	return &Answers{all: all, each: all / 4, refused: refused, bytes: map[string]int{}}
}

// admit counts an answer, or returns why it may not be sent. Cut ends its connection; it must not wait.
func (a *Answers) admit(address string, bytes int, cut func()) (*sending, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if own := a.bytes[address]; own > 0 && own+bytes > a.each {
		a.refused(AddressAnswers)
		return nil, fmt.Errorf("%.1f MB of answers are under way to your address, and %.1f MB are the limit: read them "+
			"first, then ask again", float64(own)/1e6, float64(a.each)/1e6)
	}
	for a.total+bytes > a.all && len(a.under) > 0 {
		a.refused(AllAnswers)
		most := a.most(address)
		if most == nil {
			return nil, fmt.Errorf("%.1f MB of answers are under way to all visitors, and %.1f MB are the limit; try again "+
				"in a minute", float64(a.total)/1e6, float64(a.all)/1e6)
		}
		most.cut()
		a.drop(most)
	}
	under := &sending{address, bytes, cut}
	a.under = append(a.under, under)
	a.bytes[address] += bytes
	a.total += bytes
	return under, nil
}

// most returns the oldest answer of the address with most bytes under way, if these are more than the bytes of another
// address.
func (a *Answers) most(other string) (found *sending) {
	for _, under := range a.under {
		if a.bytes[under.address] > a.bytes[other] && (found == nil || a.bytes[under.address] > a.bytes[found.address]) {
			found = under
		}
	}
	return found
}

// leave forgets an answer. A second call does nothing.
func (a *Answers) leave(under *sending) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.drop(under)
}

func (a *Answers) drop(under *sending) {
	for i, other := range a.under {
		if other == under {
			a.under = append(a.under[:i], a.under[i+1:]...)
			a.total -= under.bytes
			if a.bytes[under.address] -= under.bytes; a.bytes[under.address] == 0 {
				delete(a.bytes, under.address)
			}
			return
		}
	}
}

// Pace is the least number of bytes that a client must take within a time.
type Pace struct {
	Bytes  int
	Within time.Duration
}

// counted is the size from which one write counts as an answer under way. A connection needs this much memory anyway.
const counted = 64 << 10

// Downloads gives each answer time in proportion to its bytes. The server's WriteTimeout alone would cut a slow line in
// the middle of a large file, or wait that long for a client that takes nothing.
func Downloads(next http.Handler, pace Pace) http.Handler {
	return (*Answers)(nil).Send(next, pace, func(*http.Request) string { return "" })
}

// Send is Downloads for answers that are made for one request: a large write counts for the request's address while it
// is under way. An answer that may not be sent becomes 503.
func (a *Answers) Send(next http.Handler, pace Pace, address func(*http.Request) string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d := &download{ResponseWriter: w, control: http.NewResponseController(w), pace: pace, answers: a, request: r,
			address: address(r)}
		next.ServeHTTP(d, r)
		d.commit()
	})
}

// Reserve counts bytes that a handler needs until it has written its answer, and returns the function that ends this.
// If they are too many, it answers 503 and returns nil. W comes from Send.
func Reserve(w http.ResponseWriter, bytes int) (release func()) {
	for {
		if d, is := w.(*download); is {
			return d.reserve(bytes)
		}
		inner, is := w.(interface{ Unwrap() http.ResponseWriter })
		if !is {
			return func() {} // not a server's
		}
		w = inner.Unwrap()
	}
}

// download is one answer. Its header waits for its first bytes, so that it can still be refused.
type download struct {
	http.ResponseWriter
	control *http.ResponseController
	pace    Pace
	answers *Answers
	request *http.Request
	address string

	status  int           // that the handler has set, until it is sent
	begun   bool          // the header is sent
	refused bool          // the answer was replaced by a refusal
	taken   int           // bytes of the present window…
	waited  time.Duration // …and how long the client took for them
}

// WriteHeader implements http.ResponseWriter.
func (d *download) WriteHeader(status int) {
	if status < 200 {
		d.ResponseWriter.WriteHeader(status)
	} else if d.status == 0 {
		d.status = status
	}
}

func (d *download) commit() {
	if !d.begun && d.status != 0 {
		d.ResponseWriter.WriteHeader(d.status)
	}
	d.begun = d.begun || d.status != 0
}

// reserve is Reserve for this download.
func (d *download) reserve(bytes int) (release func()) {
	if d.answers == nil {
		return func() {}
	}
	under, err := d.answers.admit(d.address, bytes, func() { d.control.SetWriteDeadline(time.Now()) })
	if err == nil {
		return func() { d.answers.leave(under) }
	}
	if d.refused = true; !d.begun {
		d.begun = true
		h := d.Header()
		for _, name := range []string{"Content-Length", "Content-Encoding", "Content-Disposition"} {
			h.Del(name)
		}
		h.Set("Retry-After", "5")
		refuse(d.ResponseWriter, d.request, http.StatusServiceUnavailable, err.Error())
	}
	return nil
}

// Write implements http.ResponseWriter.
func (d *download) Write(p []byte) (n int, err error) {
	if len(p) > counted && !d.refused {
		if release := d.reserve(len(p)); release != nil {
			defer release()
		}
	}
	if d.refused {
		return 0, errTooMany
	}
	d.status = max(d.status, http.StatusOK)
	d.commit()
	for len(p) > 0 && err == nil {
		began := time.Now()
		if err = d.control.SetWriteDeadline(began.Add(d.pace.Within - d.waited)); err != nil {
			break
		}
		var k int
		k, err = d.ResponseWriter.Write(p[:min(len(p), d.pace.Bytes-d.taken)])
		n, p = n+k, p[k:]
		d.waited += time.Since(began)
		if d.taken += k; d.taken >= d.pace.Bytes {
			d.taken, d.waited = 0, 0
		}
	}
	return n, err
}

var errTooMany = errors.New("the answer was refused: too many are under way")

// FlushError is for http.ResponseController.
func (d *download) FlushError() error {
	d.commit()
	return d.control.Flush()
}

// Unwrap is for http.ResponseController.
func (d *download) Unwrap() http.ResponseWriter { return d.ResponseWriter }

package firewall

import (
	"net/http"
	"time"
)

// Unread ends the connection after the answer without waiting for an unread body. net/http would read on, up to 256 kB
// or its read timeout, so a client that announces a body and sends none would hold the connection.
func Unread(w http.ResponseWriter) {
	w.Header().Set("Connection", "close")
	_ = http.NewResponseController(w).SetReadDeadline(time.Now()) // if it cannot be set, the server's own holds
}

// Bodies passes requests with a body to the paths that read one, and cuts all others as soon as they are answered.
func Bodies(next http.Handler, refused Refused, reads func(*http.Request) bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 && !reads(r) { // -1: of unknown length
			refused(UnreadBody)
			Unread(w)
			r.Body = http.NoBody
		}
		next.ServeHTTP(w, r)
	})
}

// piece is how many bytes of a download go out under one deadline.
const piece = 64 << 10

// Downloads gives each piece of an answer so much time. The server's WriteTimeout alone would cut a slow line in the
// middle of a large file, or wait that long for a client that takes nothing.
func Downloads(next http.Handler, within time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(&download{w, http.NewResponseController(w), within}, r)
	})
}

// download moves the write deadline as pieces go out.
type download struct {
	http.ResponseWriter
	control *http.ResponseController
	within  time.Duration
}

// Write implements http.ResponseWriter.
func (d *download) Write(p []byte) (n int, err error) {
	for len(p) > 0 && err == nil {
		if err = d.control.SetWriteDeadline(time.Now().Add(d.within)); err != nil {
			break
		}
		var k int
		k, err = d.ResponseWriter.Write(p[:min(len(p), piece)])
		n, p = n+k, p[k:]
	}
	return n, err
}

// Unwrap is for http.ResponseController.
func (d *download) Unwrap() http.ResponseWriter { return d.ResponseWriter }

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

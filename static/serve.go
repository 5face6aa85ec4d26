package static

// How a file travels: the smallest encoding the browser takes, permanently under its hashed name, checked each time
// under its plain one.

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// forever is the longest a cache keeps anything, a year (RFC 9111 asks for no more).
const forever = "public, max-age=31536000, immutable"

// ServeHTTP serves the file whose hashed or plain name is the request's path, without a leading slash.
func (a *Assets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	cache := forever
	a.mu.RLock()
	f := a.byHashed[name]
	a.mu.RUnlock()
	if f == nil {
		f, cache = a.named(name), "no-cache"
		if strings.HasSuffix(name, ".woff2") { // its name never stands for other letters
			cache = forever
		}
	}
	if f == nil && a.late(name) {
		w.Header().Set("Retry-After", "10")
		http.Error(w, name+" is still being compiled; try again in half a minute", http.StatusServiceUnavailable)
		return
	}
	if f == nil {
		http.Error(w, "no such file; it may belong to another build: reload the page", http.StatusNotFound)
		return
	}
	f.Serve(w, r, cache)
}

// Serve answers with the file, in the smallest encoding that the browser accepts.
func (f *File) Serve(w http.ResponseWriter, r *http.Request, cache string) {
	body, encoding := f.choose(r.Header.Get("Accept-Encoding"))
	if body == nil { // the client accepts no compression: rare enough to unpack each time
		body, _ = f.unpacked()
	}
	h := w.Header()
	h.Set("Cache-Control", cache)
	h.Set("Content-Type", f.kind)
	h.Set("Vary", "Accept-Encoding")
	h.Set("ETag", `"`+f.hash+`"`)
	if encoding != "" {
		h.Set("Content-Encoding", encoding)
		h.Set("Content-Length", strconv.Itoa(len(body)))
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}

// choose returns the file in the smallest accepted encoding. The body is nil if it must be unpacked.
func (f *File) choose(accept string) (body []byte, encoding string) {
	switch {
	case f.brotli != nil && Accepts(accept, "br"):
		return f.brotli, "br"
	case f.gzip != nil && Accepts(accept, "gzip"):
		return f.gzip(), "gzip"
	}
	return f.plain, ""
}

// Accepts reports whether an Accept-Encoding header allows an encoding by name: listed, and not with q=0.
func Accepts(header, encoding string) bool {
	for _, part := range strings.Split(header, ",") {
		name, params, _ := strings.Cut(part, ";")
		if !strings.EqualFold(strings.TrimSpace(name), encoding) {
			continue
		}
		q, isQ := strings.CutPrefix(strings.TrimSpace(params), "q=")
		weight, err := strconv.ParseFloat(q, 64)
		return !isQ || err != nil || weight > 0
	}
	return false
}

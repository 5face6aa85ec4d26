package static

// How a file travels: the smallest encoding the browser takes, permanently under its hashed name, checked each time
// under its plain one.

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strconv"
	"strings"
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
	f := a.byHashed[name]
	if f == nil {
		f, cache = a.byName[name], "no-cache"
	}
	if f == nil {
		http.Error(w, "no such file; it may belong to another build: reload the page", http.StatusNotFound)
		return
	}
	h := w.Header()
	h.Set("Cache-Control", cache)
	h.Set("Content-Type", f.kind)
	h.Set("Vary", "Accept-Encoding")
	h.Set("ETag", `"`+f.hash+`"`)
	if strings.Contains(r.Header.Get("If-None-Match"), f.hash) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	body, encoding := f.choose(r.Header.Get("Accept-Encoding"))
	if encoding != "" {
		h.Set("Content-Encoding", encoding)
	}
	if body != nil {
		h.Set("Content-Length", strconv.Itoa(len(body)))
	}
	if r.Method == http.MethodHead {
		return
	}
	if body == nil { // a client that takes no compression: rare enough to unpack each time
		if unpacked, err := gzip.NewReader(bytes.NewReader(f.gzip)); err == nil {
			io.Copy(w, unpacked)
		}
		return
	}
	w.Write(body)
}

// choose picks the smallest encoding that is accepted; a nil body means unpack the gzip form.
func (f *asset) choose(accept string) (body []byte, encoding string) {
	switch {
	case f.brotli != nil && Accepts(accept, "br"):
		return f.brotli, "br"
	case f.gzip != nil && Accepts(accept, "gzip"):
		return f.gzip, "gzip"
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

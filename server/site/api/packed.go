package api

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"

	"impalab/server/firewall"
	"impalab/static"
)

// Packed is an answer in the form in which it waits for its client: compressed, also for clients that take it plain.
type Packed []byte

// Pack returns what write writes.
func Pack(write func(io.Writer) error) (Packed, error) {
	var b bytes.Buffer
	to := gzip.NewWriter(&b)
	if err := write(to); err != nil {
		return nil, err
	}
	err := to.Close()
	return bytes.Clone(b.Bytes()), err
}

// Send answers a request. It counts its bytes until the client has them (see firewall.Reserve).
func (p Packed) Send(w http.ResponseWriter, r *http.Request, status int) error {
	release := firewall.Reserve(w, len(p))
	if release == nil {
		return nil
	}
	defer release()
	h := w.Header()
	h.Add("Vary", "Accept-Encoding")
	if static.Accepts(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		w.WriteHeader(status)
		_, err := w.Write(p)
		return err
	}
	from, err := gzip.NewReader(bytes.NewReader(p))
	if err != nil {
		return err
	}
	w.WriteHeader(status)
	_, err = io.Copy(w, from)
	return err
}

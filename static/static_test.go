package static

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/andybalholm/brotli"
)

func packed(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := brotli.NewWriter(&b)
	w.Write([]byte(text))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func sample(t *testing.T) *Assets {
	t.Helper()
	a, err := From(fstest.MapFS{
		"page.css":    {Data: []byte("body{}")},
		"app.wasm.br": {Data: packed(t, "\x00asm")},
		"embed.go":    {Data: []byte("package static")},
	})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func get(a *Assets, path, accept string) *http.Response {
	r := httptest.NewRequest("GET", path, nil)
	if accept != "" {
		r.Header.Set("Accept-Encoding", accept)
	}
	w := httptest.NewRecorder()
	a.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, r *http.Response) string {
	t.Helper()
	var b bytes.Buffer
	if _, err := b.ReadFrom(r.Body); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// unpacked returns the body as it was before its encoding.
func unpacked(t *testing.T, r *http.Response) string {
	t.Helper()
	in := io.Reader(r.Body)
	switch r.Header.Get("Content-Encoding") {
	case "br":
		in = brotli.NewReader(in)
	case "gzip":
		z, err := gzip.NewReader(in)
		if err != nil {
			t.Fatal(err)
		}
		in = z
	}
	text, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestAHashedNameIsCachedPermanently(t *testing.T) {
	a := sample(t)
	name := a.Hashed("page.css")
	if name == "page.css" || !strings.HasSuffix(name, ".css") {
		t.Fatalf("hashed name %q", name)
	}
	r := get(a, "/"+name, "")
	if got := r.Header.Get("Cache-Control"); r.StatusCode != 200 || !strings.Contains(got, "immutable") {
		t.Errorf("%s: %d, Cache-Control %q", name, r.StatusCode, got)
	}
	if got := body(t, r); got != "body{}" {
		t.Errorf("body %q", got)
	}
}

func TestAPlainNameIsCheckedEachTime(t *testing.T) {
	a := sample(t)
	r := get(a, "/page.css", "")
	if got := r.Header.Get("Cache-Control"); got != "no-cache" {
		t.Errorf("Cache-Control %q", got)
	}
	again := httptest.NewRequest("GET", "/page.css", nil)
	again.Header.Set("If-None-Match", r.Header.Get("ETag"))
	w := httptest.NewRecorder()
	a.ServeHTTP(w, again)
	if w.Code != http.StatusNotModified {
		t.Errorf("second time: %d", w.Code)
	}
}

// The name of a font's file always means the same letters.
func TestAFontIsCachedPermanently(t *testing.T) {
	r := get(Embedded(), "/stix-two-text-latin-400-normal.woff2", "")
	if got := r.Header.Get("Cache-Control"); r.StatusCode != 200 || !strings.Contains(got, "immutable") {
		t.Errorf("%d, Cache-Control %q", r.StatusCode, got)
	}
}

func TestAHashOfOtherContentIsNotServed(t *testing.T) {
	a := sample(t)
	for _, path := range []string{"/page.000000000000.css", "/embed.go", "/app.wasm.br", "/"} {
		if r := get(a, path, ""); r.StatusCode != 404 || strings.Contains(r.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d, %s", path, r.StatusCode, r.Header.Get("Cache-Control"))
		}
	}
}

func TestOtherContentHasAnotherName(t *testing.T) {
	other, err := From(fstest.MapFS{"page.css": {Data: []byte("body{margin:0}")}})
	if err != nil {
		t.Fatal(err)
	}
	if a := sample(t); a.Hashed("page.css") == other.Hashed("page.css") {
		t.Error("two contents share a name that is cached for ever")
	}
}

func TestTheSmallestAcceptedEncodingIsSent(t *testing.T) {
	a := sample(t)
	for _, c := range []struct{ accept, encoding, body string }{
		{"gzip, deflate, br, zstd", "br", "\x00asm"},
		{"br;q=0, gzip", "gzip", "\x00asm"},
		{"br; q=0.0", "", "\x00asm"},
		{"gzip;q=1.0", "gzip", "\x00asm"},
		{"", "", "\x00asm"},
		{"brotli", "", "\x00asm"},
	} {
		r := get(a, "/"+a.Hashed("app.wasm"), c.accept)
		if got := r.Header.Get("Content-Encoding"); got != c.encoding {
			t.Errorf("Accept-Encoding %q: sent %q, want %q", c.accept, got, c.encoding)
		}
		if got := r.Header.Get("Content-Type"); got != "application/wasm" {
			t.Errorf("Content-Type %q", got)
		}
		if got := r.Header.Get("Vary"); got != "Accept-Encoding" {
			t.Errorf("Vary %q", got)
		}
		if got := unpacked(t, r); got != c.body {
			t.Errorf("Accept-Encoding %q: body %q, want %q", c.accept, got, c.body)
		}
	}
}

// make run serves the client while it still compiles the worker. A file of another build that the program contains is
// not served.
func TestACompiledFileAppearsWhenItIsThere(t *testing.T) {
	a, err := From(fstest.MapFS{"worker.wasm.br": {Data: packed(t, "old")}, "page.css": {Data: []byte("body{}")}})
	if err != nil {
		t.Fatal(err)
	}
	folder := fstest.MapFS{"app.wasm": {Data: []byte("client")}}
	if err := a.ReadCompiled(folder); err == nil || !strings.Contains(err.Error(), "wasm_exec.js") {
		t.Errorf("half a client: %v", err)
	}
	folder["wasm_exec.js"], folder["secret.txt"] = &fstest.MapFile{}, &fstest.MapFile{}
	if err := a.ReadCompiled(folder); err != nil || !a.ClientBuilt() || !a.Has(Worker) {
		t.Fatal(err, a.Names())
	}
	r := get(a, "/"+a.Hashed("app.wasm"), "gzip")
	if got := r.Header.Get("Cache-Control"); unpacked(t, r) != "client" || !strings.Contains(got, "immutable") {
		t.Errorf("the client: Cache-Control %q", got)
	}
	if r = get(a, "/worker.wasm", ""); r.StatusCode != 503 || !strings.Contains(body(t, r), "still being compiled") {
		t.Errorf("a worker that is not there yet: %d", r.StatusCode)
	}
	folder["worker.wasm"] = &fstest.MapFile{Data: []byte("new")}
	if r = get(a, "/worker.wasm", ""); r.StatusCode != 200 || body(t, r) != "new" || a.Hashed(Worker) == Worker {
		t.Errorf("a worker that has appeared: %d", r.StatusCode)
	}
	for _, other := range []string{"/secret.txt", "/nothing.wasm"} {
		if r = get(a, other, ""); r.StatusCode != 404 {
			t.Errorf("%s: %d", other, r.StatusCode)
		}
	}
}

func TestTheEmbeddedSetCompilesWithAndWithoutTheClient(t *testing.T) {
	a := Embedded()
	if !a.Has("palette.css") || a.Has("embed.go") {
		t.Error("the embedded set lacks palette.css or holds Go source")
	}
	if a.ClientBuilt() != (a.Has("app.wasm") && a.Has("wasm_exec.js")) {
		t.Error("ClientBuilt disagrees with the files")
	}
}

// mostClient is how large the client may be as browsers fetch it: it stands between a visitor and the first page.
const mostClient = 2_000_000

func TestTheClientIsNoLargerThanItMayBe(t *testing.T) {
	client, err := os.Stat("app.wasm.br")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the client is not built: make wasm")
	}
	if err != nil {
		t.Fatal(err)
	}
	if client.Size() > mostClient {
		t.Errorf("app.wasm.br has %d bytes; it may have %d. tools/ebitenpatch says what makes a client large", client.Size(),
			mostClient)
	}
}

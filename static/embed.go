// Package static holds what browsers fetch as it is: style sheets, icons and the built client. Every file has a
// second name that carries a hash of its content, so that browsers may keep it and a new build is
// never mixed with an old one.
package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"mime"
	"path"
	"slices"
	"sort"
	"strings"
)

// The client (app.wasm.br, app.wasm.gz, wasm_exec.js) and the worker are built, not committed: a pattern that named
// them would not compile in a fresh clone, this one always does.
//
//go:embed *
var files embed.FS

// Assets is a set of files and their hashed names. It does not change once made.
type Assets struct {
	byName   map[string]*asset
	byHashed map[string]*asset
}

// asset is one file in the encodings we have of it.
type asset struct {
	hashed, hash, kind string
	plain              []byte // nil when only the compressed forms exist
	gzip, brotli       []byte // nil when there is none
}

// Embedded is the set that is built into this binary.
func Embedded() (*Assets, error) { return From(files) }

// From makes the set of all files under root. X.gz and X.br are encodings of X, not files of their own; text without
// them is compressed here. Go source is left out.
func From(root fs.FS) (*Assets, error) {
	a := &Assets{byName: map[string]*asset{}, byHashed: map[string]*asset{}}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) == ".go" {
			return err
		}
		body, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		base, ext := strings.TrimSuffix(name, path.Ext(name)), path.Ext(name)
		switch ext {
		case ".gz":
			a.file(base).gzip = body
		case ".br":
			a.file(base).brotli = body
		default:
			a.file(name).plain = body
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for name, f := range a.byName {
		if err := f.finish(name); err != nil {
			return nil, err
		}
		a.byHashed[f.hashed] = f
	}
	return a, nil
}

func (a *Assets) file(name string) *asset {
	if a.byName[name] == nil {
		a.byName[name] = &asset{}
	}
	return a.byName[name]
}

// finish gives a file its type, its hashed name and, if it is text, its compressed form.
func (f *asset) finish(name string) error {
	ext := path.Ext(name)
	if f.kind = kinds[ext]; f.kind == "" {
		if f.kind = mime.TypeByExtension(ext); f.kind == "" {
			f.kind = "application/octet-stream"
		}
	}
	if f.plain == nil && f.gzip == nil {
		return fmt.Errorf("static: %s.br has no %s.gz beside it: run make wasm again", name, name)
	}
	sum := sha256.New()
	if f.plain != nil {
		sum.Write(f.plain)
	} else {
		sum.Write(f.gzip)
	}
	f.hash = hex.EncodeToString(sum.Sum(nil))[:12]
	f.hashed = strings.TrimSuffix(name, ext) + "." + f.hash + ext
	if f.gzip == nil && (strings.HasPrefix(f.kind, "text/") || f.kind == kinds[".svg"]) {
		var b bytes.Buffer
		w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is valid
		w.Write(f.plain)
		w.Close()
		f.gzip = b.Bytes()
	}
	return nil
}

// kinds are the types that must not depend on the machine's own tables: browsers refuse to compile WebAssembly
// that calls itself anything else, and refuse scripts and styles under nosniff.
var kinds = map[string]string{
	".wasm": "application/wasm",
	".js":   "text/javascript; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".svg":  "image/svg+xml",
	".ico":  "image/x-icon",
	".png":  "image/png",
	".json": "application/json",

	".woff2": "font/woff2",
}

// Has reports whether there is a file of this name.
func (a *Assets) Has(name string) bool { return a.byName[name] != nil }

// Text is what a file holds; "" where it is not there as it is.
func (a *Assets) Text(name string) string {
	if f := a.byName[name]; f != nil {
		return string(f.plain)
	}
	return ""
}

// Names returns the names of all files, in order.
func (a *Assets) Names() []string { return slices.Sorted(maps.Keys(a.byName)) }

// Plain is what a file holds, not compressed.
func (a *Assets) Plain(name string) ([]byte, error) {
	f := a.byName[name]
	switch {
	case f == nil:
		return nil, fmt.Errorf("static: there is no %s", name)
	case f.plain != nil:
		return f.plain, nil
	}
	r, err := gzip.NewReader(bytes.NewReader(f.gzip))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// Hashed returns the name of a file that browsers may keep permanently. It returns the name of an unknown file as it
// is.
func (a *Assets) Hashed(name string) string {
	if f := a.byName[name]; f != nil {
		return f.hashed
	}
	return name
}

// Digest changes when any file does.
func (a *Assets) Digest() string {
	names := make([]string, 0, len(a.byHashed))
	for name := range a.byHashed {
		names = append(names, name)
	}
	sort.Strings(names)
	sum := sha256.Sum256([]byte(strings.Join(names, "\n")))
	return hex.EncodeToString(sum[:])[:12]
}

// Client names the files that make wasm builds.
var Client = []string{"app.wasm", "wasm_exec.js"}

// Worker is the learner for browsers, which make wasm builds too.
const Worker = "worker.wasm"

// ClientBuilt reports whether the set holds the client.
func (a *Assets) ClientBuilt() bool {
	for _, name := range Client {
		if !a.Has(name) {
			return false
		}
	}
	return true
}

// ClientBuilt reports whether the client was built before this binary was.
func ClientBuilt() bool {
	a, err := Embedded()
	return err == nil && a.ClientBuilt()
}

// Package static holds what browsers fetch as it is: style sheets, icons and the built client. Every file has a
// second name that carries a hash of its content, so that browsers may keep it and a new build is
// never mixed with an old one.
package static

import (
	"bytes"
	"cmp"
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
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
)

// The client (app.wasm.br, wasm_exec.js) and the worker are built, not committed: a pattern that named
// them would not compile in a fresh clone, this one always does.
//
//go:embed *
var files embed.FS

// Assets is a set of files and their hashed names. Any number of goroutines may use it.
type Assets struct {
	mu               sync.RWMutex
	byName, byHashed map[string]*File
	compiled         fs.FS // of ReadCompiled; nil: all files are in the maps
}

// File is one file in the encodings that exist of it.
type File struct {
	hashed, hash, kind string
	plain, brotli      []byte        // one of the two
	gzip               func() []byte // made at its first use; nil: the file does not get smaller
}

// NewFile returns a file.
func NewFile(name string, plain []byte) *File {
	f := &File{plain: plain}
	f.finish(name)
	return f
}

// Embedded returns the set that is built into this binary.
var Embedded = sync.OnceValue(func() *Assets {
	a, err := From(files)
	if err != nil {
		panic("static: the embedded files cannot be read: " + err.Error())
	}
	return a
})

// From makes the set of all files under root. X.br is an encoding of X. Go source is left out.
func From(root fs.FS) (*Assets, error) {
	a := &Assets{byName: map[string]*File{}, byHashed: map[string]*File{}}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) == ".go" {
			return err
		}
		body, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		f := &File{plain: body}
		if base, packed := strings.CutSuffix(name, ".br"); packed {
			f, name = &File{brotli: body}, base
		}
		a.add(name, f)
		return nil
	})
	return a, err
}

func (a *Assets) add(name string, f *File) {
	f.finish(name)
	a.byName[name], a.byHashed[f.hashed] = f, f
}

// ReadCompiled has the set take the compiled files from a folder. A file that is not there yet is looked for whenever
// it is asked for. It returns an error if the client is not there.
func (a *Assets) ReadCompiled(folder fs.FS) error {
	a.mu.Lock()
	for _, name := range compiled {
		if f := a.byName[name]; f != nil {
			delete(a.byName, name)
			delete(a.byHashed, f.hashed)
		}
	}
	a.compiled = folder
	a.mu.Unlock()
	for _, name := range Client {
		if a.named(name) == nil {
			return fmt.Errorf("there is no %s; make run compiles it", name)
		}
	}
	return nil
}

// named returns the file of a name, or nil.
func (a *Assets) named(name string) *File {
	a.mu.RLock()
	f := a.byName[name]
	a.mu.RUnlock()
	if f != nil || !a.late(name) {
		return f
	}
	body, err := fs.ReadFile(a.compiled, name)
	if err != nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.byName[name] == nil {
		a.add(name, &File{plain: body})
	}
	return a.byName[name]
}

// late reports whether a file can appear after the set was made.
func (a *Assets) late(name string) bool { return a.compiled != nil && slices.Contains(compiled, name) }

// finish gives a file its type, its hashed name and, unless it is an image or a font, its form as gzip.
func (f *File) finish(name string) {
	ext := path.Ext(name)
	f.kind = cmp.Or(kinds[ext], mime.TypeByExtension(ext), "application/octet-stream")
	sum := sha256.Sum256(append(f.plain[:len(f.plain):len(f.plain)], f.brotli...)) // one of them is empty
	f.hash = hex.EncodeToString(sum[:])[:12]
	f.hashed = strings.TrimSuffix(name, ext) + "." + f.hash + ext
	if f.brotli != nil || strings.HasPrefix(f.kind, "text/") || f.kind == kinds[".svg"] || f.kind == kinds[".wasm"] {
		f.gzip = sync.OnceValue(f.pack)
	}
}

// pack returns the file as gzip, for browsers on http: they accept brotli on https only.
func (f *File) pack() []byte {
	body, err := f.unpacked()
	if err != nil {
		panic("static: an embedded file is damaged: " + err.Error())
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(body)
	w.Close()
	return b.Bytes()
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
	".html": "text/html; charset=UTF-8",

	".woff2": "font/woff2",
}

// Has reports whether there is a file of this name, or will be.
func (a *Assets) Has(name string) bool { return a.late(name) || a.named(name) != nil }

// Text returns the contents of a file, or "" of a compressed one.
func (a *Assets) Text(name string) string {
	if f := a.named(name); f != nil {
		return string(f.plain)
	}
	return ""
}

// Names returns the names of all files, in order.
func (a *Assets) Names() []string {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return slices.Sorted(maps.Keys(a.byName))
}

// Plain returns the content of a file, not compressed.
func (a *Assets) Plain(name string) ([]byte, error) {
	f := a.named(name)
	if f == nil {
		return nil, fmt.Errorf("static: there is no %s", name)
	}
	return f.unpacked()
}

func (f *File) unpacked() ([]byte, error) {
	if f.plain != nil {
		return f.plain, nil
	}
	return io.ReadAll(brotli.NewReader(bytes.NewReader(f.brotli)))
}

// Hashed returns the name of a file that browsers may keep permanently. It returns the name of an unknown file as it
// is.
func (a *Assets) Hashed(name string) string {
	if f := a.named(name); f != nil {
		return f.hashed
	}
	return name
}

// Digest changes when any file does.
func (a *Assets) Digest() string {
	a.mu.RLock()
	defer a.mu.RUnlock()
	sum := sha256.Sum256([]byte(strings.Join(slices.Sorted(maps.Keys(a.byHashed)), "\n")))
	return hex.EncodeToString(sum[:])[:12]
}

// Client names the files of the client, which make wasm compiles.
var Client = []string{"app.wasm", "wasm_exec.js"}

// Worker is the learner for browsers, which make wasm compiles too.
const Worker = "worker.wasm"

// compiled are the files that are not in the repository.
var compiled = append([]string{Worker, "exercise.wasm"}, Client...)

// ClientBuilt reports whether the set holds the client.
func (a *Assets) ClientBuilt() bool {
	return !slices.ContainsFunc(Client, func(name string) bool { return !a.Has(name) })
}

// ClientBuilt reports whether the client was built before this binary was.
func ClientBuilt() bool { return Embedded().ClientBuilt() }

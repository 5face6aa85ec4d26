// Package staticsite writes the site into a folder for any file host: the first page, the Lab and the lessons. Its runs
// train in the browser. Addresses are relative, so it works below any path, and after the first visit it needs no
// network. Start with Write.
package staticsite

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"impalab/static"
	"impalab/web/page"
)

// Options configure a folder.
type Options struct {
	Build  string
	Server string // address of a server where runs can continue; ends with a slash, "": none

	// Board writes the board's files below board/. site returns the data of a page at up from there.
	Board func(site func(up string) page.Data, write func(name string, body []byte) error) error
}

// writer writes files and records their addresses.
type writer struct {
	dir   string
	files []string // relative to the folder, as browsers ask for them
}

// Write writes the folder, which must be empty or not exist.
func Write(dir string, o Options) error {
	assets := static.Embedded()
	if !assets.ClientBuilt() || !assets.Has(static.Worker) {
		return errors.New("the client is not built: run " + page.BuildClient + " first")
	}
	if there, err := os.ReadDir(dir); err == nil && len(there) > 0 {
		return fmt.Errorf("%s is not empty: name a folder that does not exist yet", dir)
	}
	programs, networks, err := ofPresets()
	if err != nil {
		return err
	}
	w := &writer{dir: dir}
	for _, name := range assets.Names() {
		if name == keeper {
			continue // it is at the root
		}
		body, err := assets.Plain(name)
		as := assets.Hashed(name)
		if strings.HasSuffix(name, ".woff2") { // style sheets use its own name
			as = name
		}
		if err == nil {
			err = w.write("static/"+as, body)
		}
		if err != nil {
			return err
		}
	}
	sum := sha256.Sum256(programs)
	stored := "static/programs." + hex.EncodeToString(sum[:])[:12] + ".bin" // browsers cache it permanently
	if err := w.write(stored, programs); err != nil {
		return err
	}
	data := func(base string) page.Data {
		asset := func(name string) string { return base + "static/" + assets.Hashed(name) }
		return page.Data{
			Base: base, Build: o.Build, ClientBuilt: true, Asset: asset,
			Browser: &page.Browser{
				Worker: asset("worker.js"), Exec: asset("wasm_exec.js"), Kernels: asset("kernels.js"),
				Program: asset(static.Worker), Programs: base + stored,
			},
			Alone: &page.Alone{Networks: strings.Join(networks, " "), Keeper: base + keeper, Server: o.Server},
		}
	}
	if err := w.pages(page.AlonePages(), data); err != nil {
		return err
	}
	if err := w.write(page.Vectors, []byte(assets.Text(page.Vectors))); err != nil {
		return err
	}
	err = o.Board(func(up string) page.Data { return data("./../" + up) },
		func(name string, body []byte) error { return w.write("board/"+name, body) })
	if err != nil {
		return fmt.Errorf("the board: %w", err)
	}
	if err := w.keeper(o); err != nil {
		return err
	}
	return w.pages(page.Moved(), data) // without a network the pages that they lead to suffice
}

// pages writes pages by their paths. data returns their data at a base.
func (w *writer) pages(all map[string]page.Page, data func(base string) page.Data) error {
	for path, page := range all {
		if path != "" {
			path += "/"
		}
		var b bytes.Buffer
		err := page(data("./"+strings.Repeat("../", strings.Count(path, "/")))).Render(context.Background(), &b)
		if err == nil {
			err = w.write(path+"index.html", b.Bytes())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// keeper is the name of the service worker. It is at the root, because it stores the files below it.
const keeper = "keeper.js"

// keeper writes the service worker, with the names of all other files.
func (w *writer) keeper(o Options) error {
	slices.Sort(w.files)
	files, err := json.Marshal(w.files)
	if err != nil {
		return err
	}
	build, err := json.Marshal(o.Build)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("const build = %s;\nconst files = %s;\n%s", build, files, static.Embedded().Text(keeper))
	return w.write(keeper, []byte(text))
}

// write writes one file. The address of a page is its folder.
func (w *writer) write(name string, body []byte) error {
	path := filepath.Join(w.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	address := strings.TrimSuffix(name, "index.html")
	if address == "" {
		address = "./"
	}
	w.files = append(w.files, address)
	return os.WriteFile(path, body, 0o644)
}

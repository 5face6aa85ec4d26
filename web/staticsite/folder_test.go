package staticsite

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"impalab/internal/kit"
	"impalab/learner/algo"
	"impalab/learner/program"
	"impalab/static"
	"impalab/web/page"
)

var address = regexp.MustCompile(` (?:href|src|data-(?:worker|exec|program|programs|keeper|client|lab|runner|runner-module))="([^"]*)"`)

func TestEveryAddressOfTheFolderLeadsToAFileOfIt(t *testing.T) {
	if !static.ClientBuilt() {
		t.Skip("the client is not built: run make wasm first (make test does)")
	}
	dir := filepath.Join(t.TempDir(), "site")
	board := func(site func(up string) page.Data, write func(name string, body []byte) error) error {
		return write("index.html", []byte(`<a href="`+site("").Base+`lab/"></a>`))
	}
	err := Write(dir, Options{Build: "test", Board: board})
	if err != nil {
		t.Fatal(err)
	}
	has := map[string]bool{}
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if rel, _ := filepath.Rel(dir, name); err == nil && !d.IsDir() {
			has[strings.TrimSuffix(filepath.ToSlash(rel), "index.html")] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	pages := 0
	for name := range has {
		if name != "" && !strings.HasSuffix(name, "/") {
			continue
		}
		pages++
		page, err := os.ReadFile(filepath.Join(dir, name, "index.html"))
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range address.FindAllSubmatch(page, -1) {
			to, _, _ := strings.Cut(string(found[1]), "#")
			if to == "" || strings.Contains(to, ":") { // on the page itself, or elsewhere
				continue
			}
			leads := strings.TrimPrefix(path.Join("/", name, to), "/")
			if strings.HasPrefix(to, "/") || !has[leads] && !has[leads+"/"] && leads != "" {
				t.Errorf("%q has the address %q", name, to)
			}
		}
	}
	for _, word := range []string{"worlds", "lessons", "catch", "late", "start", "errata"} {
		page, err := os.ReadFile(filepath.Join(dir, word, "index.html"))
		if err != nil || !strings.Contains(string(page), `http-equiv="refresh" content="0; url=./../`) {
			t.Errorf("/%s, which people type, leads nowhere (%v)", word, err)
		}
	}
	if pages < 15 {
		t.Errorf("%d pages", pages)
	}
	if err := Write(dir, Options{}); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Errorf("written over what is there: %v", err)
	}
}

// TestTheStoredProgramsSufficeForThePresets: with any unroll and any batch.
func TestTheStoredProgramsSufficeForThePresets(t *testing.T) {
	bytes, networks, err := ofPresets()
	if err != nil {
		t.Fatal(err)
	}
	stored, err := program.ParseStored(bytes)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"cartpole", "catch", "cliff", "t-maze", "stac-lag", "stacx", "vmpo", "laser", "a2c",
		"pendulum", "break-and-mend", "breakout", "rooms-collect"} {
		cfg := kit.Config(t, name, "")
		for _, shape := range [][2]int{{cfg.UnrollLen, cfg.BatchSize}, {7, 3}, {50, 32}} {
			cfg.UnrollLen, cfg.BatchSize = shape[0], shape[1]
			m, err := algo.NewMachine(algo.Stored(stored), &cfg)
			if err != nil {
				t.Errorf("%s, %v: %v", name, shape, err)
				continue
			}
			m.Close()
		}
	}
	if unique := slices.Compact(slices.Sorted(slices.Values(networks))); len(unique) != len(networks) {
		t.Errorf("%d of %d networks have the key of another", len(networks)-len(unique), len(networks))
	}
}

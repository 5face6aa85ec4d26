// Package check executes every notebook and fails when one is wrong:
//
//	go -C notebooks test ./check          # execute, and compare with the stored outputs
//	go -C notebooks test ./check -write   # execute, and store the new outputs
//
// nbconvert counts a notebook as executed when its Go panics, so this test judges the output of the cells.
package check

import (
	"bufio"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var write = flag.Bool("write", false, "save the outputs in the notebooks")

func TestEveryNotebookHolds(t *testing.T) {
	t.Chdir("..")
	paths, err := filepath.Glob("*.ipynb")
	if err != nil || len(paths) == 0 {
		t.Fatal("no notebook here: ", err)
	}
	nbconvert, err := exec.LookPath("jupyter-nbconvert")
	if err != nil {
		t.Fatal("the notebooks need jupyter-nbconvert; on Debian: apt-get install --no-install-recommends "+
			"jupyter-nbconvert: ", err)
	}
	room := t.TempDir()
	env := append(kernel(t, room), "LAB_URL="+serve(t, room))
	for _, path := range paths {
		t.Run(path, func(t *testing.T) { execute(t, path, room, nbconvert, env) })
	}
}

// kernel builds the pinned GoNB into room and returns an environment in which Jupyter finds it there, so it changes no
// existing Jupyter. GoNB calls goimports by name.
func kernel(t *testing.T, room string) []string {
	t.Helper()
	bin := filepath.Join(room, "bin") + string(filepath.Separator)
	command(t, nil, "go", "build", "-o", bin, "github.com/janpfeifer/gonb", "golang.org/x/tools/cmd/goimports")
	spec, err := json.Marshal(map[string]any{
		"argv":           []string{bin + "gonb", "--kernel", "{connection_file}", "-raw_error"},
		"display_name":   "Go (gonb)",
		"language":       "go",
		"interrupt_mode": "message",
	})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(room, "kernels", "gonb")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "kernel.json"), spec, 0o644); err != nil {
		t.Fatal(err)
	}
	return append(os.Environ(),
		"JUPYTER_PATH="+room,
		"JUPYTER_RUNTIME_DIR="+filepath.Join(room, "runtime"),
		"PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"),
	)
}

// serve starts a server for the notebooks, built from the module beside this one, and returns its address.
func serve(t *testing.T, room string) (url string) {
	t.Helper()
	program := filepath.Join(room, "impalab")
	command(t, nil, "go", "-C", "..", "build", "-o", program, "./server")
	server := exec.Command(program, "serve", "--addr", "127.0.0.1:0", "--data", filepath.Join(room, "data"))
	out, err := server.StdoutPipe()
	if err == nil {
		err = server.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Process.Kill(); server.Wait() })
	if url, err = bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal("the server did not start: ", err)
	}
	return strings.TrimSpace(url)
}

// execute runs one notebook in this folder, where GoNB finds the module, and judges its output. With -write it stores
// the new outputs if they are right.
func execute(t *testing.T, path, room, nbconvert string, env []string) {
	kept, _ := read(t, path)
	out := filepath.Join(room, "out")
	command(t, env, nbconvert, "--to", "notebook", "--execute", "--allow-errors", "--output-dir", out,
		"--ExecutePreprocessor.timeout=300", // seconds a cell
		"--ExecutePreprocessor.record_timing=False", path)
	fresh, text := read(t, filepath.Join(out, path))
	faults := fresh.faults()
	if len(faults) == 0 && !*write {
		faults = fresh.changes(kept)
	}
	for _, fault := range faults {
		t.Error(fault)
	}
	if len(faults) == 0 && *write {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func read(t *testing.T, path string) (*notebook, []byte) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	n := new(notebook)
	if err := json.Unmarshal(text, n); err != nil {
		t.Fatalf("%s is no notebook: %v", path, err)
	}
	return n, text
}

// command runs a program; its output is shown only if it fails.
func command(t *testing.T, env []string, argv ...string) {
	t.Helper()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = env
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s failed: %v\n%s", argv[0], err, said)
	}
}

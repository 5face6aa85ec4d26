// Command check executes every notebook in its folder and fails when one is wrong:
//
//	go -C notebooks run ./check          # execute, and compare with the stored outputs
//	go -C notebooks run ./check -write   # execute, and store the new outputs
//
// nbconvert counts a notebook as executed when its Go panics, so this program judges the output of the cells.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	write := flag.Bool("write", false, "save the outputs in the notebooks")
	flag.Parse()
	if err := run(*write); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(write bool) error {
	paths, err := filepath.Glob("*.ipynb")
	if err != nil {
		return err
	}
	if len(paths) == 0 {
		return fmt.Errorf("no notebook here; start this in the folder notebooks: go -C notebooks run ./check")
	}
	nbconvert, err := jupyter()
	if err != nil {
		return err
	}
	room, err := os.MkdirTemp("", "notebooks")
	if err != nil {
		return err
	}
	defer os.RemoveAll(room)
	env, err := kernel(room)
	if err != nil {
		return err
	}
	lab, stop, err := serve(room)
	if err != nil {
		return err
	}
	defer stop()
	env = append(env, "LAB_URL="+lab)
	bad := 0
	for _, path := range paths {
		faults, err := execute(path, room, nbconvert, env, write)
		if err != nil {
			return err
		}
		for _, fault := range faults {
			fmt.Printf("%s: %s\n", path, fault)
		}
		if len(faults) > 0 {
			bad++
			continue
		}
		fmt.Printf("%s: ok\n", path)
	}
	if bad > 0 {
		return fmt.Errorf("%d of %d notebooks do not hold", bad, len(paths))
	}
	return nil
}

// jupyter finds nbconvert.
func jupyter() (string, error) {
	path, err := exec.LookPath("jupyter-nbconvert")
	if err != nil {
		err = fmt.Errorf("the notebooks need jupyter-nbconvert; on Debian: apt-get install --no-install-recommends "+
			"jupyter-nbconvert (%w)", err)
	}
	return path, err
}

// kernel builds the pinned GoNB into room and returns an environment in which Jupyter finds it there, so it changes no
// existing Jupyter. GoNB calls goimports by name.
func kernel(room string) ([]string, error) {
	bin := filepath.Join(room, "bin") + string(filepath.Separator)
	if err := command(nil, "go", "build", "-o", bin, "github.com/janpfeifer/gonb",
		"golang.org/x/tools/cmd/goimports"); err != nil {
		return nil, err
	}
	spec, err := json.Marshal(map[string]any{
		"argv":           []string{bin + "gonb", "--kernel", "{connection_file}", "-raw_error"},
		"display_name":   "Go (gonb)",
		"language":       "go",
		"interrupt_mode": "message",
	})
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(room, "kernels", "gonb")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	return append(os.Environ(),
		"JUPYTER_PATH="+room,
		"JUPYTER_RUNTIME_DIR="+filepath.Join(room, "runtime"),
		"PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"),
	), os.WriteFile(filepath.Join(dir, "kernel.json"), spec, 0o644)
}

// serve starts a server for the notebooks, built from the module beside this one, and returns its address.
func serve(room string) (url string, stop func(), err error) {
	program := filepath.Join(room, "impalab")
	if err := command(nil, "go", "-C", "..", "build", "-o", program, "./server"); err != nil {
		return "", nil, err
	}
	server := exec.Command(program, "serve", "--addr", "127.0.0.1:0", "--data", filepath.Join(room, "data"))
	out, err := server.StdoutPipe()
	if err == nil {
		err = server.Start()
	}
	if err != nil {
		return "", nil, err
	}
	stop = func() { server.Process.Kill(); server.Wait() }
	if url, err = bufio.NewReader(out).ReadString('\n'); err != nil {
		stop()
		return "", nil, fmt.Errorf("the server did not start: %w", err)
	}
	return strings.TrimSpace(url), stop, nil
}

// execute runs one notebook in this folder, where GoNB finds the module, and judges its output. With write it stores
// the new outputs if they are right.
func execute(path, room, nbconvert string, env []string, write bool) ([]string, error) {
	kept, err := read(path)
	if err != nil {
		return nil, err
	}
	out := filepath.Join(room, "out")
	err = command(env, nbconvert, "--to", "notebook", "--execute", "--allow-errors", "--output-dir", out,
		"--ExecutePreprocessor.timeout=300", // seconds a cell
		"--ExecutePreprocessor.record_timing=False", path)
	if err != nil {
		return nil, err
	}
	fresh, err := read(filepath.Join(out, path))
	if err != nil {
		return nil, err
	}
	faults := fresh.faults()
	if len(faults) > 0 {
		return faults, nil
	}
	if !write {
		return fresh.changes(kept), nil
	}
	text, err := os.ReadFile(filepath.Join(out, path))
	if err != nil {
		return nil, err
	}
	return nil, os.WriteFile(path, text, 0o644)
}

func read(path string) (*notebook, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	n := new(notebook)
	if err := json.Unmarshal(text, n); err != nil {
		return nil, fmt.Errorf("%s is no notebook: %w", path, err)
	}
	return n, nil
}

// command runs a program; its output is shown only as part of its failure.
func command(env []string, argv ...string) error {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = env
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s failed: %w\n%s", argv[0], err, said.Bytes())
	}
	return nil
}

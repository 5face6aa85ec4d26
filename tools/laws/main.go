// Command laws checks which package imports which. A package imports only from rows below its own, and some libraries
// have one importer. It prints the reason with each violation, because people work around a rule without a reason. It
// also finds lines that are too long, the worst words in texts for users, and subjects of commits that are no
// sentences.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
)

func main() {
	dir := flag.String("C", ".", "root of the module to check")
	flag.Parse()
	broken, checked, err := check(*dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, "laws:", err)
		os.Exit(2)
	}
	for _, v := range broken {
		fmt.Println(v)
	}
	if len(broken) > 0 {
		fmt.Fprintf(os.Stderr, "laws: %d broken; the rows are in tools/laws/rules.go\n", len(broken))
		os.Exit(1)
	}
	fmt.Printf("laws: %d packages keep them\n", checked)
}

// pkg is what go list tells about one package on one target.
type pkg struct {
	ImportPath, Name                   string
	Imports, TestImports, XTestImports []string
	Deps                               []string
}

// targets are where the code runs; files differ between them, and so do imports.
var targets = [][]string{
	nil, // this machine
	{"GOOS=js", "GOARCH=wasm"},
}

// check reads the module at dir for every target. A violation seen on two targets is told once.
func check(dir string) (broken []violation, packages int, err error) {
	told := map[violation]bool{}
	seen := map[string]bool{}
	for _, target := range targets {
		list, err := read(dir, target)
		if err != nil {
			return nil, 0, err
		}
		for _, p := range list {
			seen[p.ImportPath] = true
		}
		for _, v := range judge(list, target != nil) {
			if !told[v] {
				told[v] = true
				broken = append(broken, v)
			}
		}
	}
	long, err := longLines(dir)
	if err != nil {
		return nil, 0, err
	}
	words, err := worstWords(dir)
	return slices.Concat(broken, long, words, subjects(dir, "tools/laws/subjects.go")), len(seen), err
}

// read runs go list. Packages that are empty on a target come back with no imports, which break nothing.
func read(dir string, target []string) ([]pkg, error) {
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Name,Imports,TestImports,XTestImports,Deps", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), target...)
	var failure bytes.Buffer
	cmd.Stderr = &failure
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, failure.Bytes())
	}
	var list []pkg
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("go list finds no packages in %s", dir)
	}
	return list, nil
}

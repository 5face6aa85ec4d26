// Command dist builds the released files: an archive for each system, with licences and the files for hosting, and
// SHA256SUMS. The same commit and the same Go give the same bytes, in any folder and at any time; -twice shows it.
//
// Start with dist.build. pack.go makes the archives, and licence.go collects the licences.
package main

import (
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// target is a system to build for.
type target struct {
	os, arch string
	opencl   bool // with OpenCL devices: the program needs the system's loader, to open a vendor's library
}

func (t target) String() string {
	if t.opencl {
		return t.os + "/" + t.arch + "/opencl"
	}
	return t.os + "/" + t.arch
}

// targets lists all systems, in the order of SHA256SUMS.
var targets = []target{{os: "darwin", arch: "amd64"}, {os: "darwin", arch: "arm64"}, {os: "linux", arch: "amd64"},
	{os: "linux", arch: "amd64", opencl: true}, {os: "linux", arch: "arm64"}, {os: "windows", arch: "amd64"}}

func main() {
	root := flag.String("C", ".", "the project's folder")
	to := flag.String("to", "bin/dist", "folder for the archives, in the project's")
	only := flag.String("targets", "all", "which systems, like linux/amd64,darwin/arm64")
	twice := flag.Bool("twice", false, "build again elsewhere from the commit, with nothing cached, and compare")
	flag.Parse()
	if err := run(*root, *to, *only, *twice); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

func run(root, to, only string, twice bool) error {
	chosen, err := choose(only)
	if err != nil {
		return err
	}
	if root, err = filepath.Abs(root); err != nil {
		return err
	}
	d := &dist{root: root, to: filepath.Join(root, to), say: os.Stdout}
	if err := d.build(chosen); err != nil || !twice {
		return err
	}
	return d.again(chosen)
}

// choose reads the flag -targets.
func choose(only string) (chosen []target, err error) {
	if only == "all" {
		return targets, nil
	}
	for _, name := range strings.Split(only, ",") {
		i := slices.IndexFunc(targets, func(t target) bool { return t.String() == name })
		if i < 0 {
			return nil, fmt.Errorf("-targets %q: there is no %s; known are %v", only, name, targets)
		}
		chosen = append(chosen, targets[i])
	}
	return chosen, nil
}

// dist is one set of archives.
type dist struct {
	root, to string
	env      []string // for all called programs, beside this program's own
	say      io.Writer
}

// build makes the archives and their sums, and removes older files from the folder.
func (d *dist) build(chosen []target) error {
	release, err := d.release()
	if err != nil {
		return err
	}
	at, err := d.date()
	if err != nil {
		return err
	}
	if err := os.RemoveAll(d.to); err != nil {
		return err
	}
	if err := os.MkdirAll(d.to, 0o755); err != nil {
		return err
	}
	var sums strings.Builder
	for _, t := range chosen {
		name := "impalab-" + release + "-" + strings.ReplaceAll(t.String(), "/", "-")
		text, err := d.archive(t, name, at)
		if err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
		file := name + ending(t)
		if err := os.WriteFile(filepath.Join(d.to, file), text, 0o644); err != nil {
			return err
		}
		sum := sha256.Sum256(text)
		fmt.Fprintf(&sums, "%s  %s\n", hex.EncodeToString(sum[:]), file)
		fmt.Fprintf(d.say, "%s  %.1f MB\n", file, float64(len(text))/1e6)
	}
	return os.WriteFile(filepath.Join(d.to, "SHA256SUMS"), []byte(sums.String()), 0o644)
}

// archive compiles for a system and packs the program with its files.
func (d *dist) archive(t target, name string, at time.Time) ([]byte, error) {
	room, err := os.MkdirTemp("", "dist")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(room)
	program := filepath.Join(room, "impalab")
	args := slices.Concat(compile, t.tags(), []string{"-o", program, "./server"})
	if _, err := d.tool(t.environment(), "go", args...); err != nil {
		return nil, err
	}
	if t.os == "linux" {
		if err := static(program); (err == nil) == t.opencl {
			return nil, fmt.Errorf("a program with OpenCL needs the loader and another must not: %w", err)
		}
	}
	licences, err := d.licences(t)
	if err != nil {
		return nil, err
	}
	files := []entry{{name: "LICENCES-OF-OTHERS.txt", text: licences}}
	for _, from := range []string{"README.md", "LICENSE", "CHANGELOG.md", "SECURITY.md", "docs/*.md",
		"server/host/*"} {
		paths, err := filepath.Glob(filepath.Join(d.root, filepath.FromSlash(from)))
		if err != nil || len(paths) == 0 {
			return nil, fmt.Errorf("there is no %s (%v)", from, err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			inside, err := filepath.Rel(d.root, path)
			if err != nil {
				return nil, err
			}
			files = append(files, entry{name: filepath.ToSlash(inside), text: text})
		}
	}
	text, err := os.ReadFile(program)
	if err != nil {
		return nil, err
	}
	binary := "impalab"
	if t.os == "windows" {
		binary += ".exe"
	}
	return pack(t, name, append(files, entry{name: binary, text: text, runs: true}), at)
}

// compile builds a program without paths and symbols. It contains the commit, as go build finds it.
var compile = []string{"build", "-trimpath", "-buildvcs=auto", "-ldflags", "-s -w -buildid="}

// tags returns the build tags of a target. Without devices the program is static and starts on every Linux.
func (t target) tags() []string {
	if t.opencl {
		return nil
	}
	return []string{"-tags", "noopencl"}
}

// environment returns the compiler's environment, without a user's own settings that would change the bytes.
func (t target) environment() []string {
	flags := ""
	if t.arch != "amd64" {
		flags = unfused
	}
	return []string{"GOOS=" + t.os, "GOARCH=" + t.arch, "CGO_ENABLED=0", "GOAMD64=v1", "GOARM64=v8.0", "GOFLAGS=" + flags,
		"GOEXPERIMENT=", "GOFIPS140=off", "GOWORK=off"}
}

// unfused keeps a product and a sum two instructions, which round twice, so plain arithmetic has a browser's bits.
const unfused = "-gcflags=all=-d=fmahash=qn"

// static refuses a program that needs a loader: it would not start with another libc, or with none.
func static(program string) error {
	file, err := elf.Open(program)
	if err != nil {
		return err
	}
	defer file.Close()
	for _, p := range file.Progs {
		if p.Type == elf.PT_INTERP {
			libraries, _ := file.ImportedLibraries()
			return fmt.Errorf("it needs a loader and %v: something in it calls into C", libraries)
		}
	}
	return nil
}

// release is the version in the program's source.
func (d *dist) release() (string, error) {
	text, err := os.ReadFile(filepath.Join(d.root, "server", "command", "version.go"))
	if err != nil {
		return "", err
	}
	found := regexp.MustCompile(`(?m)^const Release = "([^"]+)"$`).FindSubmatch(text)
	if found == nil {
		return "", errors.New("server/command/version.go says no Release")
	}
	return string(found[1]), nil
}

// date returns the time of the commit, which files in archives have. $SOURCE_DATE_EPOCH overrides it.
func (d *dist) date() (time.Time, error) {
	text := os.Getenv("SOURCE_DATE_EPOCH")
	if text == "" {
		out, err := d.tool(nil, "git", "log", "-1", "--format=%ct")
		if err != nil {
			return time.Time{}, fmt.Errorf("when this was made cannot be told, set SOURCE_DATE_EPOCH: %w", err)
		}
		text = strings.TrimSpace(string(out))
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	return time.Unix(seconds, 0).UTC(), err
}

// tool runs a program in the project's folder and returns its output.
func (d *dist) tool(env []string, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = d.root, slices.Concat(os.Environ(), d.env, env)
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, said.String())
	}
	return out, nil
}

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"impalab/server/command"
)

// hostFiles returns the files that hosts copy, by path.
func hostFiles(t *testing.T) map[string]string {
	t.Helper()
	paths, err := filepath.Glob("host/*")
	if err != nil || len(paths) < 5 {
		t.Fatal(paths, err)
	}
	texts := map[string]string{}
	for _, path := range append(paths, "../docs/hosting.md") {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts[path] = string(text)
	}
	return texts
}

func TestHostFilesNameExistingVariablesAndFlags(t *testing.T) {
	named, flags := map[string]string{}, map[string]string{}
	for path, text := range hostFiles(t) {
		for _, name := range regexp.MustCompile(`IMPALAB_[A-Z_]+`).FindAllString(text, -1) {
			named[name] = path
		}
		for _, line := range regexp.MustCompile(`(?m)^ *impalab ([a-z-]+)(.*)$`).FindAllStringSubmatch(text, -1) {
			for _, flag := range regexp.MustCompile(`--[a-z-]+`).FindAllString(line[2], -1) {
				flags[line[1]+" "+flag] = path
			}
		}
	}
	for name, path := range named {
		if code, _, stderr := run(t, []string{name + "=1"}, "presets"); code != command.ExitOK {
			t.Errorf("%s: %s", path, stderr)
		}
	}
	for flag, path := range flags {
		word, flag, _ := strings.Cut(flag, " ")
		if _, help, _ := run(t, nil, word, "--help"); !strings.Contains(help, flag) {
			t.Errorf("%s: impalab %s has no %s", path, word, flag)
		}
	}
	if len(named) < 6 || len(flags) < 4 {
		t.Errorf("they name %v and %v", named, flags)
	}
}

func TestSystemdUnderstandsTheUnit(t *testing.T) {
	systemd, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("no systemd on this machine: ", err)
	}
	unit := hostFiles(t)["host/impalab.service"]
	path := filepath.Join(t.TempDir(), "impalab.service") // of an installed program
	unit = strings.Replace(unit, "ExecStart=/usr/local/bin/impalab serve", "ExecStart=/bin/true", 1)
	if err := os.WriteFile(path, []byte(unit), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(systemd, "verify", path).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
	// 1.3 of 10: the rest is the network, which a server needs.
	judge := exec.Command(systemd, "security", "--offline=yes", "--threshold=15", path)
	if out, err := judge.CombinedOutput(); err != nil {
		t.Errorf("it is open to more than it needs: %v\n%s", err, out)
	}
}

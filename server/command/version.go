package command

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"

	"impalab/static"
)

// Release is the version, or the next one while it is in work. CHANGELOG.md describes the versions.
const Release = "0.1.0"

// buildName returns the name of a build: version-commit-files, like 0.1.0-8125717abcde-3f9a01c2. A + after the commit
// says that the working tree had changes. dev replaces a commit that the compiler does not know.
func buildName() string { return Release + "-" + commit() + "-" + static.Embedded().Digest() }

func commit() string {
	name, changed := "dev", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision" && len(s.Value) >= 12:
				name = s.Value[:12]
			case s.Key == "vcs.modified" && s.Value == "true":
				changed = "+"
			}
		}
	}
	return name + changed
}

// programName returns a name that differs between any two builds. A build without a commit has its digest in it.
func programName() (string, error) {
	name := buildName()
	if c := commit(); c != "dev" && !strings.HasSuffix(c, "+") {
		return name, nil
	}
	digest, err := ownDigest()
	if err != nil {
		return "", fmt.Errorf("this program cannot identify its build: %w", err)
	}
	return name + "-" + digest[:12], nil
}

// ownFile returns the path of this program. Without /proc, as in an empty root, it is the path in the command line.
func ownFile() (string, error) {
	name, err := os.Executable()
	if err == nil {
		return name, nil
	}
	called, missing := exec.LookPath(os.Args[0])
	if missing != nil {
		return "", err
	}
	return filepath.Abs(called)
}

// ownDigest returns the SHA-256 of this program's file.
func ownDigest() (string, error) {
	name, err := ownFile()
	if err != nil {
		return "", err
	}
	file, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

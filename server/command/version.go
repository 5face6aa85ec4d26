package command

// Which program this is: the version that CHANGELOG.md describes, the commit it was built from, and the files its pages
// are made of.

import (
	"fmt"
	"runtime/debug"
	"strings"

	"impalab/static"
)

// Release is the version, or the one being worked on; CHANGELOG.md says what each brought.
const Release = "0.1.0"

// buildName identifies a build: version-commit-files, like 0.1.0-8125717abcde-3f9a01c2. A + after the commit means that
// the working tree had changes; dev stands where the compiler knows no commit.
func buildName(assets *static.Assets) string {
	return Release + "-" + commit() + "-" + assets.Digest()
}

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

// programName is buildName for what must tell apart also builds that have no commit: those name their own digest.
func programName() (string, error) {
	assets, err := static.Embedded()
	if err != nil {
		return "", err
	}
	name := buildName(assets)
	if c := commit(); c != "dev" && !strings.HasSuffix(c, "+") {
		return name, nil
	}
	digest, err := ownDigest()
	if err != nil {
		return "", fmt.Errorf("which build this is cannot be told: %w", err)
	}
	return name + "-" + digest[:12], nil
}

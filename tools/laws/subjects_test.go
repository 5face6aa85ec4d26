package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestASubjectIsAShortSentenceInTheImperative(t *testing.T) {
	for subject, want := range map[string]string{
		"Keep a fresh trajectory in every batch unless the replay mix is 1": "",
		"Pass the seed to each actor":                                       "",
		"Bring the clock back":                                              "",
		"Keeps a fresh trajectory":                                          "imperative",
		"Added a test":                                                      "imperative",
		"Fixing the lab":                                                    "imperative",
		"keep a fresh trajectory":                                           "capital",
		"fix: keep a fresh trajectory":                                      "prefix",
		"Lab(api): keep it":                                                 "prefix",
		"":                                                                  "capital",
		"Keep " + strings.Repeat("π", 67):                                   "",
		"Keep " + strings.Repeat("π", 68):                                   "73 characters",
	} {
		if have := subjectFault(subject); want == "" && have != "" || !strings.Contains(have, want) {
			t.Errorf("%q: %q, want %q", subject, have, want)
		}
	}
}

func TestSubjectsCountFromTheCommitThatAddsTheRule(t *testing.T) {
	dir := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		if out, err := git(dir, args...); err != nil {
			t.Fatal(args, out, err)
		}
	}
	commit := func(file, subject string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, file), []byte(subject), 0o644); err != nil {
			t.Fatal(err)
		}
		run("add", file)
		run("-c", "user.name=impalab", "-c", "user.email=impalab@localhost", "-c", "commit.gpgsign=false",
			"commit", "-q", "-m", subject)
	}
	if broken := subjects(dir, "rule"); len(broken) > 0 {
		t.Errorf("without a history: %v", broken)
	}
	run("init", "-q")
	commit("a", "fixed before there was a rule")
	commit("rule", "Add the rule")
	commit("b", "Keep it")
	if broken := subjects(dir, "rule"); len(broken) > 0 {
		t.Errorf("all keep the rule, but: %v", broken)
	}
	commit("c", "fixed it afterwards")
	if broken := subjects(dir, "rule"); len(broken) != 1 || !strings.Contains(broken[0].String(), "fixed it afterwards") {
		t.Errorf("want the last commit, have %v", broken)
	}
}

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"impalab/server/command"
)

// commandLine is a command with the arguments that it needs.
type commandLine struct {
	words []string
	node  *kong.Node
}

// commandLines returns all commands of the grammar.
func commandLines(t *testing.T) (all []commandLine) {
	t.Helper()
	parser, err := kong.New(new(command.Grammar), command.Vars)
	if err != nil {
		t.Fatal(err)
	}
	var add func(*kong.Node, []string)
	add = func(n *kong.Node, words []string) {
		for _, child := range n.Children {
			add(child, append(words[:len(words):len(words)], child.Name))
		}
		if len(n.Children) > 0 {
			return
		}
		for range n.Positional {
			words = append(words, "x")
		}
		all = append(all, commandLine{words, n})
	}
	add(parser.Model.Node, nil)
	return all
}

// A flag that is set has a value: an empty secret would be none, and its protection off without a word. This holds for
// every flag of every command, from the command line, its variable and the variable's file.
func TestAnEmptyValueStopsTheProgram(t *testing.T) {
	folder, tried := t.TempDir(), 0
	files := map[string]string{"empty": "", "mark": mark + " \r\n"}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	refused := func(says, env string, args ...string) {
		t.Helper()
		var environ []string
		if env != "" {
			environ = []string{env}
		}
		tried++
		code, stdout, stderr := run(t, environ, args...)
		if code != command.ExitUsage || stdout != "" || !strings.Contains(stderr, says) {
			t.Errorf("%s impalab %q: exit code %d, %s%s; want 2 and %q", env, args, code, stdout, stderr, says)
		}
	}
	once := map[string]bool{}
	for _, c := range commandLines(t) {
		for _, f := range c.node.Flags {
			if f.Name == "help" {
				continue
			}
			flag, name := "--"+f.Name, variable(f.Name)
			refused(flag, "", append([]string{flag + "="}, c.words...)...)
			if once[name] { // all commands read the environment in one place
				continue
			}
			once[name] = true
			refused(name+" is set and empty", name+"=", c.words...)
			refused(name+" is set and empty", name+"= \t", c.words...)
			refused(name+"_FILE is set and empty", name+"_FILE=", c.words...)
			for file := range files {
				refused("unset "+name+"_FILE", name+"_FILE="+filepath.Join(folder, file), c.words...)
			}
		}
		for i := range c.node.Positional {
			args := append([]string(nil), c.words...)
			args[len(args)-1-i] = ""
			refused("is empty: give it a value", "", args...)
		}
	}
	if tried < 500 {
		t.Errorf("only %d command lines were tried", tried)
	}
}

func TestASecretThatProtectsNothingIsRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	const token = "0123456789abcdef"
	for _, c := range []struct {
		content string
		want    []string // nil: it is taken
	}{
		{token, nil},
		{"\n", []string{file + " is empty"}},
		{"  \r\n", []string{file + " is empty"}},
		{token + "\n", nil},
		{token + "\r\n", nil},
		{mark + token + "\r\n", nil},
		{mark + token[1:] + "\r\n", []string{"--admin-token has 15 characters, and needs 16"}},
		{token[:8] + " " + token[8:], []string{"--admin-token has a space"}},
		{token + "\n" + token, []string{"--admin-token has a space"}},
		{token + "é", []string{"--admin-token has a space or a character outside ASCII"}},
		{"\xff\xfe0\x001\x002\x00", []string{file, "is not text in UTF-8"}},
		{token + "\x00", []string{file, "is not text in UTF-8"}},
	} {
		if err := os.WriteFile(file, []byte(c.content), 0o600); err != nil {
			t.Fatal(err)
		}
		code, _, stderr := run(t, []string{"IMPALAB_ADMIN_TOKEN_FILE=" + file}, "config")
		if c.want == nil {
			if code != command.ExitOK {
				t.Errorf("%q: exit code %d, %s", c.content, code, stderr)
			}
			continue
		}
		for _, part := range append(c.want, "IMPALAB_ADMIN_TOKEN_FILE") {
			if code != command.ExitUsage || !strings.Contains(stderr, part) {
				t.Errorf("%q: exit code %d, %s; want 2 and %q", c.content, code, stderr, part)
			}
		}
	}
}

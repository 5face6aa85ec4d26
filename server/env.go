package main

// Every flag may also come from the environment: IMPALAB_DATA, or IMPALAB_DATA_FILE naming a file that holds the
// value (for secrets). An unknown variable with our prefix is an error: it is a typing mistake.

import (
	"fmt"
	"sort"
	"strings"

	"github.com/alecthomas/kong"

	"impalab/learner/hyper"
	"impalab/server/command"
)

const prefix = "IMPALAB_"

// elsewhere lists our variables that are no flag: other packages read them.
var elsewhere = []string{
	"IMPALAB_SIMD", // learner/kernel: forces a level of assembly
}

// variable is the name under which a flag is looked up in the environment.
func variable(flag string) string {
	return prefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// environment answers the parser's questions about flags that the command line left open.
type environment struct {
	values map[string]string // ours only, by full name
	read   func(path string) ([]byte, error)
}

func newEnvironment(environ []string, read func(string) ([]byte, error)) *environment {
	e := &environment{values: map[string]string{}, read: read}
	for _, pair := range environ {
		if key, value, _ := strings.Cut(pair, "="); strings.HasPrefix(key, prefix) {
			e.values[key] = value
		}
	}
	return e
}

// source is the variable that gives a flag its value, or "".
func (e *environment) source(flag string) string {
	for _, name := range []string{variable(flag), variable(flag) + "_FILE"} {
		if _, ok := e.values[name]; ok {
			return name
		}
	}
	return ""
}

// Resolve implements kong.Resolver.
func (e *environment) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	if flag.Name == "help" {
		return nil, nil
	}
	name := e.source(flag.Name)
	value := e.values[name]
	switch {
	case name == "":
		return nil, nil
	case name == variable(flag.Name):
		return value, nil
	}
	text, err := e.read(value)
	if err != nil {
		return nil, command.Named(err)
	}
	return strings.TrimRight(string(text), "\r\n"), nil
}

// Validate implements kong.Resolver; check, which runs before anything is parsed, does the work.
func (e *environment) Validate(*kong.Application) error { return nil }

// check refuses a variable that no flag reads, and a flag that has both a value and a file.
func (e *environment) check(app *kong.Application) error {
	known := map[string]bool{}
	for _, name := range elsewhere {
		known[name] = true
	}
	var flags func(*kong.Node)
	flags = func(node *kong.Node) {
		for _, f := range node.Flags {
			if f.Name != "help" {
				known[variable(f.Name)], known[variable(f.Name)+"_FILE"] = true, true
			}
		}
		for _, child := range node.Children {
			flags(child)
		}
	}
	flags(app.Node)

	names := make([]string, 0, len(known)) // without what all have in common, which would make all of them near
	for name := range known {
		names = append(names, strings.TrimPrefix(name, prefix))
	}
	sort.Strings(names)
	for _, name := range sortedKeys(e.values) {
		if !known[name] {
			guess := hyper.DidYouMean(strings.TrimPrefix(name, prefix), names,
				"; variables are named after flags, as IMPALAB_ADDR for --addr")
			return fmt.Errorf("unknown environment variable %s%s", name,
				strings.Replace(guess, "did you mean ", "did you mean "+prefix, 1))
		}
		if _, both := e.values[name+"_FILE"]; both {
			return fmt.Errorf("%s and %s_FILE are both set: unset one of them", name, name)
		}
	}
	return nil
}

// blame names the variable in an error about a flag's value that came from the environment: the person never typed the
// flag.
func (e *environment) blame(err error, args []string) error {
	flag := err.Error()
	if end := strings.IndexAny(flag, ": "); end > 0 {
		flag = flag[:end]
	}
	name, isFlag := strings.CutPrefix(flag, "--")
	if !isFlag || e.source(name) == "" {
		return err
	}
	for _, arg := range args {
		if typed, _, _ := strings.Cut(arg, "="); typed == flag {
			return err
		}
	}
	return fmt.Errorf("%s: %w", e.source(name), err)
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

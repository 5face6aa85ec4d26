package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"impalab/learner/hyper"
	"impalab/server/command"
)

// prefix begins the variables of flags: IMPALAB_DATA, or IMPALAB_DATA_FILE with the name of a file that holds the value
// (for secrets). An unknown variable with the prefix is an error, because it is a typing mistake.
const prefix = "IMPALAB_"

// elsewhere lists the variables without a flag, which other packages read.
var elsewhere = []string{
	"IMPALAB_SIMD", // learner/kernel: forces a level of assembly
}

// variable returns the name of a flag's variable.
func variable(flag string) string {
	return prefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// environment gives the parser the values of flags that the command line does not have.
type environment struct {
	values map[string]string // of variables with the prefix, by full name
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

// source returns the variable that gives a flag its value, or "".
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

// Validate implements kong.Resolver. check does the work, before anything is parsed.
func (e *environment) Validate(*kong.Application) error { return nil }

// check refuses a variable without a flag, and a flag with both a value and a file.
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

	var names []string // without the common prefix, which would make all of them similar
	for _, name := range slices.Sorted(maps.Keys(known)) {
		names = append(names, strings.TrimPrefix(name, prefix))
	}
	for _, name := range slices.Sorted(maps.Keys(e.values)) {
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

// blame adds the variable to an error about a flag's value that came from the environment.
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

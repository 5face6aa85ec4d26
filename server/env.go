package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

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

// environment has the values of variables with the prefix, by full name. It gives the parser the values of flags that
// the command line does not have.
type environment map[string]string

func newEnvironment(environ []string) environment {
	e := environment{}
	for _, pair := range environ {
		if key, value, _ := strings.Cut(pair, "="); strings.HasPrefix(key, prefix) {
			e[key] = value
		}
	}
	return e
}

// source returns the variable that gives a flag its value, or "".
func (e environment) source(flag string) string {
	for _, name := range []string{variable(flag), variable(flag) + "_FILE"} {
		if _, ok := e[name]; ok {
			return name
		}
	}
	return ""
}

// Resolve implements kong.Resolver.
func (e environment) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	if flag.Name == "help" {
		return nil, nil
	}
	name := e.source(flag.Name)
	switch name {
	case "":
		return nil, nil
	case variable(flag.Name):
		return e[name], nil
	}
	return e.read(name)
}

// mark is the byte order mark with which some editors begin a file.
const mark = "\ufeff"

// read returns the content of the file that a variable names, without a byte order mark and the line's end.
func (e environment) read(name string) (string, error) {
	text, err := os.ReadFile(e[name])
	if err != nil {
		return "", command.Named(err)
	}
	value := strings.TrimRight(strings.TrimPrefix(string(text), mark), "\r\n")
	switch {
	case strings.TrimSpace(value) == "":
		return "", fmt.Errorf("the file %s is empty: write the value into it, or unset %s", e[name], name)
	case !utf8.ValidString(value) || strings.Contains(value, "\x00"):
		return "", fmt.Errorf("the file %s is not text in UTF-8: write it again in UTF-8", e[name])
	}
	return value, nil
}

// Validate implements kong.Resolver. check does the work, before anything is parsed.
func (e environment) Validate(*kong.Application) error { return nil }

// check refuses a variable without a flag, a variable without a value, and a flag with both a value and a file. An
// empty variable is mostly a secret that was not filled in, and would switch its flag off.
func (e environment) check(app *kong.Application) error {
	known := map[string]bool{}
	for _, name := range elsewhere {
		known[name] = true
	}
	kong.Visit(app, func(node kong.Visitable, next kong.Next) error {
		if f, ok := node.(*kong.Flag); ok && f.Name != "help" {
			known[variable(f.Name)], known[variable(f.Name)+"_FILE"] = true, true
		}
		return next(nil)
	})
	var names []string // without the common prefix, which would make all of them similar
	for _, name := range slices.Sorted(maps.Keys(known)) {
		names = append(names, strings.TrimPrefix(name, prefix))
	}
	for _, name := range slices.Sorted(maps.Keys(e)) {
		if !known[name] {
			guess := hyper.DidYouMean(strings.TrimPrefix(name, prefix), names,
				"; variables are named after flags, as IMPALAB_ADDR for --addr")
			return fmt.Errorf("unknown environment variable %s%s", name,
				strings.Replace(guess, "did you mean ", "did you mean "+prefix, 1))
		}
		if strings.TrimSpace(e[name]) == "" {
			return fmt.Errorf("%s is set and empty: give it a value, or unset it", name)
		}
		if _, both := e[name+"_FILE"]; both {
			return fmt.Errorf("%s and %s_FILE are both set: unset one of them", name, name)
		}
	}
	return nil
}

// blame adds the variable to an error about a flag's value that came from the environment.
func (e environment) blame(err error, args []string) error {
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

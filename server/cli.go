package main

// How the command line is read: what can be typed is command.Grammar.

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"impalab/learner/hyper"
	"impalab/server/command"
)

const about = `A laboratory for off-policy actor-critic learning: a real learner, in a page, while you turn the knobs.

Every flag is also an environment variable: --base-url is IMPALAB_BASE_URL, and IMPALAB_BASE_URL_FILE names a
file that holds the value. The command line wins over the environment.`

// parsed is a command line that made sense: the command, its flags, and where each value came from.
type parsed struct {
	kong   *kong.Context
	env    *environment
	helped bool // --help was asked for and has been printed
}

// ParseFlags reads the command line and the environment. Its error names the thing and what is allowed.
func (m *Main) ParseFlags(args []string) error {
	m.parsed = parsed{env: newEnvironment(m.Env, os.ReadFile)}
	m.Source = m.parsed.env.source
	var g command.Grammar
	parser, err := kong.New(&g,
		kong.Name("impalab"),
		kong.Description(about),
		command.Vars,
		kong.Writers(m.Stdout, m.Stderr),
		kong.Exit(func(int) { m.parsed.helped = true }),
		kong.ValueFormatter(helpWithVariable),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true, WrapUpperBound: 110}),
		kong.Resolvers(m.parsed.env),
	)
	if err != nil {
		panic("server: the grammar is wrong: " + err.Error()) // every test of this package would show it
	}
	if err := m.parsed.env.check(parser.Model); err != nil {
		return err
	}
	words := asked(args)
	m.parsed.kong, err = parser.Parse(words)
	if m.parsed.helped {
		return nil
	}
	if err != nil {
		return m.parsed.env.blame(explain(err, words, parser.Model.Node), args)
	}
	return nil
}

// asked turns the first words that people try, help and --version, into flags and commands that exist, and joins a
// number below zero to its flag: the parser takes -1 for a flag.
func asked(args []string) (words []string) {
	if len(args) > 0 && args[0] == "--version" {
		return []string{"version"}
	}
	for i, word := range args {
		if i > 0 && belowZero.MatchString(word) && lonely.MatchString(args[i-1]) {
			words[len(words)-1] += "=" + word
		} else {
			words = append(words, word)
		}
	}
	if len(words) > 0 && words[0] == "help" {
		words = append(words[1:], "--help")
	}
	return words
}

var (
	belowZero = regexp.MustCompile(`^-[0-9.]`)
	lonely    = regexp.MustCompile(`^--[a-z-]+$`) // a flag without a value
)

// Run does what the command line asked for, until it is done or ctx ends.
func (m *Main) Run(ctx context.Context) error {
	if m.parsed.helped {
		return nil
	}
	m.parsed.kong.BindTo(ctx, (*context.Context)(nil))
	m.parsed.kong.Bind(&m.Program)
	return m.parsed.kong.Run()
}

// helpWithVariable puts a flag's default, unless its help says what that comes to, and its environment variable after
// its help.
func helpWithVariable(v *kong.Value) string {
	if v.Flag == nil || v.Flag.Name == "help" {
		return v.Help
	}
	usual := ""
	if v.HasDefault && v.Default != "" && !strings.HasSuffix(v.Help, ")") {
		usual = " (" + v.Default + ")"
	}
	return fmt.Sprintf("%s%s [%s]", v.Help, usual, variable(v.Flag.Name))
}

var (
	unexpected = regexp.MustCompile(`^unexpected argument ([^ ,]+)`)
	missing    = regexp.MustCompile(`^expected "(<.*>)"$`)
	unreadable = regexp.MustCompile(`^(--[a-z-]+): expected (?:a valid \d+ bit |an |a )?(int|uint|float|duration) but got ("[^"]*")`)
)

// wanted is what a flag takes, by what the parser calls it.
var wanted = map[string]string{
	"int": "a whole number", "uint": "a whole number from 0", "float": "a number", "duration": "a time, like 30s or 8760h",
}

// explain says in our words what the parser says in its own, and which commands there are where one is unknown.
func explain(err error, words []string, app *kong.Node) error {
	if m := missing.FindStringSubmatch(err.Error()); m != nil {
		return fmt.Errorf("%s is missing", m[1])
	}
	if m := unreadable.FindStringSubmatch(err.Error()); m != nil {
		return fmt.Errorf("%s %s: want %s", m[1], m[3], wanted[m[2]])
	}
	m := unexpected.FindStringSubmatch(err.Error())
	if m == nil {
		return err
	}
	node, path := app, ""
	for _, word := range words {
		child := slices.IndexFunc(node.Children, func(n *kong.Node) bool { return n.Name == word })
		if child >= 0 {
			node, path = node.Children[child], path+word+" "
			continue
		}
		if word != m[1] || len(node.Children) == 0 {
			break
		}
		var names []string
		for _, n := range node.Children {
			names = append(names, n.Name)
		}
		if node == app {
			names = append(names, "help")
		}
		return fmt.Errorf("unknown command %q%s (known are %s)", path+word, hyper.DidYouMean(word, names, ""),
			strings.Join(names, ", "))
	}
	return err
}

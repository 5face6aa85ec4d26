package main

// How the command line is read: what can be typed is command.Grammar.

import (
	"context"
	"fmt"
	"os"
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
	m.parsed.kong, err = parser.Parse(asked(args))
	if m.parsed.helped {
		return nil
	}
	if err != nil {
		return m.parsed.env.blame(explain(err, args), args)
	}
	return nil
}

// asked turns the first words that people try, help and --version, into flags and commands that exist.
func asked(args []string) []string {
	if len(args) == 0 {
		return args
	}
	switch args[0] {
	case "help":
		return append(slices.Clone(args[1:]), "--help")
	case "--version":
		return []string{"version"}
	}
	return args
}

// Run does what the command line asked for, until it is done or ctx ends.
func (m *Main) Run(ctx context.Context) error {
	if m.parsed.helped {
		return nil
	}
	m.parsed.kong.BindTo(ctx, (*context.Context)(nil))
	m.parsed.kong.Bind(&m.Program)
	return m.parsed.kong.Run()
}

// helpWithVariable puts a flag's environment variable after its help.
func helpWithVariable(v *kong.Value) string {
	if v.Flag == nil || v.Flag.Name == "help" {
		return v.Help
	}
	return fmt.Sprintf("%s [%s]", v.Help, variable(v.Flag.Name))
}

// explain adds the commands there are to an error about one there isn't; the parser knows only "unexpected argument".
func explain(err error, args []string) error {
	if word, ok := strings.CutPrefix(err.Error(), "unexpected argument "); ok && len(args) > 0 && args[0] == word {
		names := []string{
			"serve", "train", "replay", "eval", "evolve", "bench", "devices",
			"worlds", "algos", "presets", "settings", "reproduce",
			"static-site", "board", "submit", "worker", "actor", "front", "backup", "restore", "config", "healthcheck",
			"version", "help",
		}
		return fmt.Errorf("unknown command %q%s (known are %s)", word, hyper.DidYouMean(word, names, ""),
			strings.Join(names, ", "))
	}
	return err
}

// Command server is impalab: it opens the Lab, trains without a page, measures, and lists the settings. main is thin,
// so that tests can run Main in their process.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"impalab/learner/hyper"
	"impalab/server/command"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	m := NewMain(os.Environ(), os.Stdout, os.Stderr)
	code := m.Exec(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// Main is the program. Its fields are all that it takes from its environment.
type Main struct {
	Env []string // KEY=value, as os.Environ gives it
	command.Program

	env    environment
	chosen *kong.Context // the command and its flags
	helped bool          // --help was printed
	path   string        // the words that name the command, for a hint at its help
}

// NewMain returns a program that has no command line yet.
func NewMain(env []string, stdout, stderr io.Writer) *Main {
	return &Main{Env: env, Program: command.Program{Stdout: stdout, Stderr: stderr}}
}

// Exec runs a command line, prints its error and returns the exit code.
func (m *Main) Exec(ctx context.Context, args []string) int {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	out := command.NewOutput(m.Stdout, stop)
	m.Stdout = out
	parsing := m.ParseFlags(args)
	err := parsing
	if err != nil {
		err = command.Usage(err)
	} else if !m.helped {
		m.chosen.BindTo(ctx, (*context.Context)(nil))
		err = m.chosen.Run(&m.Program)
	}
	if lost := out.Err(); lost != nil && (err == nil || errors.Is(err, lost) || errors.Is(err, command.ErrInterrupted)) {
		parsing, err = nil, lost
	}
	if out.Discarded() {
		fmt.Fprintln(m.Stderr, "impalab: standard output is closed, so the output is lost")
	}
	if err != nil {
		fmt.Fprintln(m.Stderr, "impalab:", err)
	}
	if parsing != nil {
		fmt.Fprintf(m.Stderr, "Run %s --help for help.\n", m.path)
	}
	return command.ExitCode(err)
}

var about = `A laboratory for off-policy actor-critic learning: a real learner, in a page, while you turn the knobs.

Every flag is also an environment variable: --base-url is IMPALAB_BASE_URL, and IMPALAB_BASE_URL_FILE names a
file that holds the value. The command line overrides the environment.

` + command.ExitHelp()

// ParseFlags reads the command line and the environment. Its error names the wrong value and the allowed ones.
func (m *Main) ParseFlags(args []string) error {
	m.env, m.path = newEnvironment(m.Env), "impalab"
	m.Source = m.env.source
	var g command.Grammar
	parser, err := kong.New(&g,
		kong.Name("impalab"),
		kong.Description(about),
		command.Vars,
		kong.Writers(m.Stdout, m.Stderr),
		kong.Exit(func(int) { m.helped = true }),
		kong.ValueFormatter(helpWithVariable),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true, WrapUpperBound: 110}),
		kong.Resolvers(m.env),
	)
	if err != nil {
		panic("server: the grammar is wrong: " + err.Error()) // every test of this package fails then
	}
	if err := m.env.check(parser.Model); err != nil {
		return err
	}
	words := asked(args)
	_, m.path = named(words, parser.Model.Node)
	m.chosen, err = parser.Parse(words)
	if m.helped {
		return nil
	}
	if err != nil {
		return m.env.blame(explain(err, words, parser.Model.Node), args)
	}
	return nil
}

// asked replaces help and --version by a flag and a command that exist, and joins a negative number to its flag: the
// parser takes -1 for a flag.
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

// helpWithVariable adds a flag's default, unless its help has it in parentheses, and its environment variable.
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
	noFlag     = regexp.MustCompile(`^unknown flag --([a-z-]+)`)
	absent     = regexp.MustCompile(`^expected "(<.*>)"$`)
	incomplete = regexp.MustCompile(`^expected one of `)
	unreadable = regexp.MustCompile(`^(--[a-z-]+): expected (?:a valid \d+ bit |an |a )?(int|uint|float|duration) but got ("[^"]*")`)
	outside    = regexp.MustCompile(`^(--[a-z-]+) must be one of (".*") but got (".*")$`)
	meant      = regexp.MustCompile(`, did you mean (?:one of )?(".*")\?$`)
)

// wanted describes the values of a flag, by the parser's name for its type.
var wanted = map[string]string{
	"int": "a whole number", "uint": "a whole number from 0", "float": "a number", "duration": "a time, like 30s or 8760h",
}

// named returns the deepest command that words name, and the words that lead to it.
func named(words []string, app *kong.Node) (node *kong.Node, path string) {
	node, path = app, "impalab"
	for _, word := range words {
		child := slices.IndexFunc(node.Children, func(n *kong.Node) bool { return n.Name == word })
		if child < 0 {
			break
		}
		node, path = node.Children[child], path+" "+word
	}
	return node, path
}

// explain returns the parser's error in plain words, with the nearest name that exists.
func explain(err error, words []string, app *kong.Node) error {
	text := err.Error()
	node, path := named(words, app)
	command := strings.TrimPrefix(path+" ", "impalab ")
	if m := absent.FindStringSubmatch(text); m != nil {
		return fmt.Errorf("%s is missing", m[1])
	}
	if m := unreadable.FindStringSubmatch(text); m != nil {
		return fmt.Errorf("%s %s: must be %s", m[1], m[3], wanted[m[2]])
	}
	if m := outside.FindStringSubmatch(text); m != nil {
		return fmt.Errorf("%s %s: must be one of %s", m[1], m[3], strings.NewReplacer(`"`, "", ",", ", ").Replace(m[2]))
	}
	if incomplete.MatchString(text) && len(node.Children) > 0 {
		return fmt.Errorf("the command %s needs one more word: %s", strings.TrimSpace(command),
			strings.Join(commands(node), ", "))
	}
	if m := noFlag.FindStringSubmatch(text); m != nil && has(node, "set") {
		if _, unknown := hyper.Lookup(m[1]); unknown == nil {
			return fmt.Errorf("unknown flag --%s; %s is a setting: use --set %s=VALUE", m[1], m[1], m[1])
		}
	}
	if m := unexpected.FindStringSubmatch(text); m != nil {
		key, value, pair := strings.Cut(m[1], "=")
		switch {
		case len(node.Children) > 0:
			return fmt.Errorf("unknown command %q%s", command+m[1], hyper.DidYouMean(m[1], commands(node), ""))
		case pair && has(node, "set"):
			return fmt.Errorf("unexpected argument %q; use --set %s=%s", m[1], key, value)
		}
		return fmt.Errorf("unexpected argument %q", m[1])
	}
	if m := meant.FindStringSubmatch(text); m != nil {
		near := strings.NewReplacer(`"`, "", ", ", " or ").Replace(m[1])
		return errors.New(meant.ReplaceAllLiteralString(text, "; did you mean "+near+"?"))
	}
	return err
}

// commands returns the names of a command's commands.
func commands(node *kong.Node) (names []string) {
	for _, n := range node.Children {
		names = append(names, n.Name)
	}
	return names
}

// has reports whether a command has a flag.
func has(node *kong.Node, flag string) bool {
	return slices.ContainsFunc(node.Flags, func(f *kong.Flag) bool { return f.Name == flag })
}

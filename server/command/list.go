package command

import (
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/alecthomas/kong"

	"impalab/envs"
	"impalab/learner/hyper"
	"impalab/static"
)

// The commands that print a table.
type (
	Worlds  struct{}
	Algos   struct{}
	Presets struct {
		Name string `arg:"" optional:"" help:"Show this preset, and its departures from its paper."`
	}
	Settings struct {
		Preset string `help:"Show this preset's values." placeholder:"NAME" default:"${preset}"`
	}
	Config  struct{ serveFlags }
	Version struct{}
)

// Run lists the worlds, the options of each, and the options of every world.
func (Worlds) Run(prog *Program) error {
	err := table(prog.Stdout, "WORLD\tRANDOM\tSOLVED\tDESCRIPTION", func(row func(...any)) {
		for _, e := range envs.Table {
			row(e.Spec.Name, e.Spec.Random, e.Spec.Solved, e.Spec.Summary)
		}
		for i := range envs.Suites {
			if spec, _, err := envs.Describe(envs.Suites[i].Name); err == nil {
				row(spec.Name, spec.Random, spec.Solved, spec.Summary)
			}
		}
	})
	if err != nil {
		return err
	}
	fmt.Fprint(prog.Stdout, "\nWrite options after a name: t-maze:length=20,stack=2\n\n")
	return table(prog.Stdout, "WORLD\tOPTION\tALLOWED\tDEFAULT\tDESCRIPTION", func(row func(...any)) {
		for _, e := range envs.Table {
			for _, o := range e.Options {
				row(e.Spec.Name, o.Key, o.Allowed(), o.Usual, o.Sentence)
			}
		}
		for _, o := range envs.WrapperOptions() {
			row("every world", o.Key, o.Allowed(), o.Usual, o.Sentence)
		}
	})
}

func (Algos) Run(prog *Program) error {
	return table(prog.Stdout, "ALGORITHM\tDESCRIPTION\tPAPER", func(row func(...any)) {
		for _, a := range hyper.Algorithms {
			row(a.Name, a.Sentence, a.Paper)
		}
	})
}

func (Presets) Help() string {
	return `Without a name, list every preset. With a name, compare the preset with its paper.

Examples:

    impalab presets
    impalab presets vmpo              # its values that differ from the V-MPO paper
    impalab settings --preset vmpo    # all its values`
}

func (p Presets) Run(prog *Program) error {
	if p.Name != "" {
		return onePreset(prog.Stdout, p.Name)
	}
	return table(prog.Stdout, "PRESET\tWORLD\tDESCRIPTION", func(row func(...any)) {
		for i := range hyper.Presets {
			p := &hyper.Presets[i]
			cfg := p.Config()
			row(p.Name, cfg.World, p.Sentence)
		}
	})
}

// onePreset prints a preset, and each of its values that differs from its algorithm's paper.
func onePreset(w io.Writer, name string) error {
	cfg, err := hyper.FromPreset(name)
	if err != nil {
		return UsageError{err}
	}
	a := cfg.Algorithm()
	for i := range hyper.Presets {
		if p := &hyper.Presets[i]; p.Name == name {
			fmt.Fprintf(w, "%s (world %s, algorithm %s)\n", p.Title, cfg.World, a.Name)
			fmt.Fprintln(w, wrapped(p.Sentence, "", 100))
		}
	}
	fmt.Fprintf(w, "\nPaper: %s\n", a.Paper)
	if a.Printed == nil {
		fmt.Fprintf(w, "impalab has no list of the values that this paper prints.\n")
		return nil
	}
	return table(w, "SETTING\tHERE\tPAPER\tWHERE", func(row func(...any)) {
		for _, d := range cfg.Departures() {
			row(d.Key, d.Here, d.Paper, d.Where)
		}
	})
}

// Run lists the settings, group by group as on the page.
func (s Settings) Run(prog *Program) error {
	cfg, err := hyper.FromPreset(s.Preset)
	if err != nil {
		return UsageError{err}
	}
	return table(prog.Stdout, "SETTING\tVALUE\tCHANGES\tALLOWED\tDESCRIPTION", func(row func(...any)) {
		for _, group := range hyper.Groups {
			row("", "", "", "", "")
			row(strings.ToUpper(string(group)), "", "", "", "")
			for i := range hyper.Table {
				r := &hyper.Table[i]
				if r.Group != group {
					continue
				}
				changes := "while running"
				if !r.Hot {
					changes = "new run"
				}
				value := cfg.Get(r.Key)
				if meaning := r.Meaning(&cfg, value); meaning != "" {
					value += " (" + meaning + ")"
				}
				row(r.Key, value, changes, r.Allowed(), strings.TrimSpace(r.Symbol+" "+r.Sentence))
			}
		}
	})
}

func (Version) Run(prog *Program) error {
	_, err := fmt.Fprintf(prog.Stdout, "impalab %s, commit %s, pages %s\n", Release, commit(), static.Embedded().Digest())
	return err
}

// Run prints the server's flags in force.
func (c Config) Run(prog *Program, chosen *kong.Context) error {
	typed := map[string]bool{}
	for _, p := range chosen.Path {
		if p.Flag != nil && !p.Resolved {
			typed[p.Flag.Name] = true
		}
	}
	return table(prog.Stdout, "FLAG\tVALUE\tFROM", func(row func(...any)) {
		for _, f := range chosen.Selected().Flags {
			if f.Name == "help" {
				continue
			}
			from := "default"
			if v := prog.Source(f.Name); v != "" {
				from = v
			}
			if typed[f.Name] {
				from = "command line"
			}
			row("--"+f.Name, shown(f.Tag.Get("secret"), fmt.Sprint(chosen.FlagValue(f))), from)
		}
	})
}

// shown returns a flag's value without its secrets: a URL without its password, and no value that is secret as a whole.
func shown(secret, value string) string {
	switch {
	case secret == "" || value == "":
		return value
	case secret == "url":
		if u, err := url.Parse(value); err == nil && u.Host != "" {
			u.RawQuery = "" // it may have a password too
			return u.Redacted()
		}
	}
	return "(set, but not shown)"
}

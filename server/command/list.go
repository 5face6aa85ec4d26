package command

// The commands that only print a table: what there is to choose from.

import (
	"fmt"
	"io"
	"net/url"
	"strings"
	"text/tabwriter"

	"github.com/alecthomas/kong"

	"impalab/envs"
	"impalab/learner/hyper"
	"impalab/static"
)

type (
	Worlds  struct{}
	Algos   struct{}
	Presets struct {
		Name string `arg:"" optional:"" help:"Show this preset, and where it departs from its paper."`
	}
	Settings struct {
		Preset string `help:"Show this preset's values." placeholder:"NAME" default:"${preset}"`
	}
	Config  struct{ serveFlags }
	Version struct{}
)

// Run lists the worlds, the options of each, and those that every world has.
func (Worlds) Run(prog *Program) error {
	err := table(prog.Stdout, "WORLD\tRANDOM\tSOLVED\tWHAT IT IS", func(row func(...any)) {
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
	fmt.Fprint(prog.Stdout, "\nOptions stand behind a name: t-maze:length=20,stack=2\n\n")
	return table(prog.Stdout, "OF\tOPTION\tTAKES\tUSUALLY\tWHAT IT IS", func(row func(...any)) {
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

// Run lists the algorithms.
func (Algos) Run(prog *Program) error {
	return table(prog.Stdout, "ALGORITHM\tWHAT IT IS\tPAPER", func(row func(...any)) {
		for _, a := range hyper.Algorithms {
			row(a.Name, a.Sentence, a.Paper)
		}
	})
}

// Help teaches with examples.
func (Presets) Help() string {
	return `Without a name, list every preset. With a name, compare the preset with its paper.

Examples:

    impalab presets
    impalab presets vmpo              # which of its values are not those of the V-MPO paper
    impalab settings --preset vmpo    # all its values`
}

// Run lists the presets, or shows one.
func (p Presets) Run(prog *Program) error {
	if p.Name != "" {
		return onePreset(prog.Stdout, p.Name)
	}
	return table(prog.Stdout, "PRESET\tWORLD\tWHAT IT SHOWS", func(row func(...any)) {
		for i := range hyper.Presets {
			p := &hyper.Presets[i]
			cfg := p.Config()
			row(p.Name, cfg.World, p.Sentence)
		}
	})
}

// onePreset says what a preset is, and each of its values that is not the one in its algorithm's paper.
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
			row(d.Key, d.Here, d.Words(), d.Place)
		}
	})
}

// Run lists the settings, group by group as on the page.
func (s Settings) Run(prog *Program) error {
	cfg, err := hyper.FromPreset(s.Preset)
	if err != nil {
		return UsageError{err}
	}
	return table(prog.Stdout, "SETTING\tVALUE\tCHANGES\tALLOWED\tWHAT IT IS", func(row func(...any)) {
		for _, group := range hyper.Groups() {
			row("", "", "", "", "")
			row(strings.ToUpper(group.Title()), "", "", "", "")
			for i := range hyper.Table {
				r := &hyper.Table[i]
				if r.Group != group {
					continue
				}
				changes := "while running"
				if !r.Hot {
					changes = "anew"
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

// Run prints which build this is.
func (Version) Run(prog *Program) error {
	assets, err := static.Embedded()
	if err != nil {
		return err
	}
	fmt.Fprintf(prog.Stdout, "impalab %s, commit %s, pages %s\n", Release, commit(), assets.Digest())
	return nil
}

// Run prints the server's flags in force.
func (c Config) Run(prog *Program, chosen *kong.Context) error {
	if err := c.check(); err != nil {
		return err
	}
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

// shown is a flag's value for other eyes: a password in a URL is left out, and what is secret as a whole is not there.
func shown(secret, value string) string {
	switch {
	case secret == "" || value == "":
		return value
	case secret == "url":
		if u, err := url.Parse(value); err == nil && u.Host != "" {
			u.RawQuery = "" // it may have one too
			return u.Redacted()
		}
	}
	return "(set, and not shown)"
}

// table prints rows under a heading, in columns.
func table(w io.Writer, heading string, fill func(row func(...any))) error {
	columns := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprintln(columns, heading)
	fill(func(cells ...any) {
		text := make([]string, len(cells))
		for i, c := range cells {
			text[i] = fmt.Sprint(c)
		}
		fmt.Fprintln(columns, strings.Join(text, "\t"))
	})
	return columns.Flush()
}

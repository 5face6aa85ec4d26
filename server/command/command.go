// Package command has the commands of impalab. Grammar lists them. Each command is a struct in a file of its own, whose
// fields are its flags: Serve in serve.go, Train in train.go. Run does the work, and Help is printed with --help.
package command

import (
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"impalab/learner/hyper"
)

// Grammar is the command line: every command and flag is a field. --help, the IMPALAB_ variables and the list of
// `config` follow from it.
type Grammar struct {
	Serve       Serve       `cmd:"" default:"withargs" help:"Open the Lab (the default command)."`
	Train       Train       `cmd:"" help:"Train without a page, one seed or many, and report."`
	Replay      Replay      `cmd:"" help:"Train a tape's run again, and compare the parameters."`
	Eval        Eval        `cmd:"" help:"Play whole episodes with a trained policy, greedy and drawn, and report."`
	Evolve      Evolve      `cmd:"" help:"Train a population that tunes its own settings."`
	Bench       Bench       `cmd:"" help:"Measure how fast this machine trains."`
	Devices     Devices     `cmd:"" help:"List the devices that can compute networks."`
	Worlds      Worlds      `cmd:"" help:"List the worlds an agent can live in."`
	Algos       Algos       `cmd:"" help:"List the algorithms."`
	Presets     Presets     `cmd:"" help:"List the ready-made experiments."`
	Settings    Settings    `cmd:"" help:"List the settings that --set changes, and their allowed values."`
	Reproduce   Reproduce   `cmd:"" help:"Train the comparisons of a paper's figure over seeds, and print the table."`
	StaticSite  StaticSite  `cmd:"" help:"Write the pages into a folder for any host of files; runs train in the browser."`
	Board       Board       `cmd:"" help:"Compare a configuration with others on a track."`
	Submit      Submit      `cmd:"" help:"Send a configuration to a server's board."`
	Worker      Worker      `cmd:"" help:"Train for a server, beside it or on another machine: entries of the board, answers of classes, sweeps."`
	Front       Front       `cmd:"" help:"Show the runs of another server to many viewers."`
	Actor       Actor       `cmd:"" help:"Play for a run on a server, from another process or machine."`
	Backup      Backup      `cmd:"" help:"Write all data of a server into one file, while it runs."`
	Restore     Restore     `cmd:"" help:"Read a backup into an empty data folder or database."`
	Config      Config      `cmd:"" help:"Print the server's flags and the source of each value."`
	Healthcheck Healthcheck `cmd:"" help:"Ask a running server whether it is ready; for containers."`
	Version     Version     `cmd:"" help:"Print the version and the commit."`
}

// Vars are the variables in the grammar's tags.
var Vars = kong.Vars{"preset": hyper.DefaultPreset}

// Program is the environment of a command. A command's Run receives it, and a context whose end interrupts the command.
type Program struct {
	Stdout io.Writer // results
	Stderr io.Writer // the log, warnings, progress

	// Source returns the environment variable from which a flag has its value, or "".
	Source func(flag string) string
}

// AfterApply refuses a flag or an argument that is given without a value, because an empty secret would be none. It
// checks each flag of the chosen command that has a tag like range:"1..100" or range:"1..". A flag without a default
// may also be 0, for the value that its help names.
func (*Grammar) AfterApply(chosen *kong.Context) error {
	for _, given := range chosen.Path {
		switch {
		case given.Flag != nil && blank(given.Flag.Target):
			return fmt.Errorf("--%s is empty: give it a value, or leave it out", given.Flag.Name)
		case given.Positional != nil && blank(given.Positional.Target):
			return fmt.Errorf("%s is empty: give it a value", given.Positional.Summary())
		}
	}
	for _, f := range chosen.Selected().Flags {
		if !f.Tag.Has("range") {
			continue
		}
		kind, value := "a number", 0.0
		switch f.Target.Kind() {
		case reflect.Float64:
			value = f.Target.Float()
		default:
			kind, value = "a whole number", float64(f.Target.Int())
		}
		low, high, _ := strings.Cut(f.Tag.Get("range"), "..")
		least, _ := strconv.ParseFloat(low, 64)
		most, noMost := strconv.ParseFloat(high, 64)
		switch {
		case value == 0 && !f.HasDefault, value >= least && (noMost != nil || value <= most):
		case noMost != nil:
			return fmt.Errorf("--%s %v: must be %s or more", f.Name, f.Target, low)
		default:
			return fmt.Errorf("--%s %v: must be %s from %s to %s", f.Name, f.Target, kind, low, high)
		}
	}
	return nil
}

// blank reports whether a text has nothing but spaces, or a list nothing but such texts.
func blank(value reflect.Value) bool {
	switch value.Kind() {
	case reflect.String:
		return strings.TrimSpace(value.String()) == ""
	case reflect.Slice:
		for i := range value.Len() {
			if !blank(value.Index(i)) {
				return false
			}
		}
		return true
	}
	return false
}

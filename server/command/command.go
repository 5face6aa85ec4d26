// Package command is what impalab does when it is told: one file for each command, whose fields are its flags, and what
// several commands share. Look at Grammar first, then at the command you came for: Serve in serve.go, Train in
// train.go.
package command

import (
	"io"

	"github.com/alecthomas/kong"

	"impalab/learner/hyper"
)

// Grammar is what can be typed: every command and flag is a field, and --help, the IMPALAB_ variables and the list that
// `config` prints follow from it.
type Grammar struct {
	Serve       Serve       `cmd:"" default:"withargs" help:"Open the Lab (this is what happens without a command)."`
	Train       Train       `cmd:"" help:"Train without a page, one seed or many, and report."`
	Replay      Replay      `cmd:"" help:"Train a tape's run again, and say whether it comes to the same."`
	Eval        Eval        `cmd:"" help:"Play whole episodes with a trained policy, greedy and drawn, and report."`
	Evolve      Evolve      `cmd:"" help:"Train a population that tunes its own settings."`
	Bench       Bench       `cmd:"" help:"Measure how fast this machine trains."`
	Devices     Devices     `cmd:"" help:"List what networks can be computed on."`
	Worlds      Worlds      `cmd:"" help:"List the worlds an agent can live in."`
	Algos       Algos       `cmd:"" help:"List the algorithms."`
	Presets     Presets     `cmd:"" help:"List the ready-made experiments."`
	Settings    Settings    `cmd:"" help:"List what --set can change, and the values allowed."`
	Reproduce   Reproduce   `cmd:"" help:"Train what a paper's figure compares, over seeds, and print the table."`
	StaticSite  StaticSite  `cmd:"" help:"Write the pages into a folder for any host of files; runs train in the browser."`
	Board       Board       `cmd:"" help:"Compare a configuration with others on a track."`
	Submit      Submit      `cmd:"" help:"Hand a configuration in on a server's board."`
	Worker      Worker      `cmd:"" help:"Train for a server, beside it or on another machine: the board's entries, a class's answers, sweeps."`
	Front       Front       `cmd:"" help:"Show the runs of another server, for many who look on."`
	Actor       Actor       `cmd:"" help:"Play for a run on a server, from another process or machine."`
	Backup      Backup      `cmd:"" help:"Write all that a server keeps into one file, while it runs."`
	Restore     Restore     `cmd:"" help:"Read a backup into an empty data folder or database."`
	Config      Config      `cmd:"" help:"Print the server's flags in force and where each came from."`
	Healthcheck Healthcheck `cmd:"" help:"Ask a running server whether it is ready; for containers."`
	Version     Version     `cmd:"" help:"Print the version and the commit."`
}

// Vars are the values that the grammar leaves to be filled in.
var Vars = kong.Vars{"preset": hyper.DefaultPreset}

// Program is what a command knows of the program that runs it. A command's Run is given one, and a context whose end
// interrupts it.
type Program struct {
	Stdout io.Writer // results
	Stderr io.Writer // all else: the log, warnings, progress

	// Opened is called with the page's address once the server listens; nil: not called.
	Opened func(url string)

	// Source names the environment variable that a flag has its value from, or is "".
	Source func(flag string) string
}

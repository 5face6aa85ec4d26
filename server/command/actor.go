package command

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path"
	"strings"
	"sync"
	"time"

	"impalab/server/session"
	"impalab/web/actorwire"
	"impalab/web/wire"
)

// Actor plays for a run that learns on a server. The server assigns it copies of the world and sends it parameters; it
// sends unrolls back.
type Actor struct {
	Server string `default:"http://127.0.0.1:8080/" help:"Address of the server's pages, or of the run's page." placeholder:"URL"`
	Of     string `help:"ID of the run; none: --server is its page." placeholder:"ID" name:"run"`
	Key    string `secret:"whole" help:"Key of the run: the run trusts the data of every actor that has it." placeholder:"KEY"`
	Actors int    `default:"1" range:"1..32" help:"Actors in this process, each with its own connection." placeholder:"N"`
	Name   string `help:"Name of this actor; everybody who can see the run can read it." placeholder:"NAME"`
	logFlags
}

func (Actor) Help() string {
	return `Plays for a run that learns on a server: the server sends states and parameters, and learns from the unrolls that the
actor sends back. The API returns a run's key when it creates the run:

  impalab serve
  curl -s http://127.0.0.1:8080/api/v1/runs \
    -d '{"preset": "cartpole", "steps": 2000000, "speed": 20000, "settings": {"mode": "live"}}'
  impalab actor --server http://127.0.0.1:8080/r/ID --key KEY      # on each machine that plays

With mode=live the actors race the learner: network and queue cause the lag, and the run measures it. With
mode=reference the learner waits for all actors, or with collect=trajectory for one unroll of each, and ends with the
same parameters as without them; if an actor is lost, the server plays for it. The actor must have the server's build,
and its machine must compute like a reference run. When the connection breaks, the actor connects again. It ends with
the run.`
}

// target returns the address to connect to and the run's ID.
func (c *Actor) target() (address, run string, err error) {
	u, err := pageURL("--server", c.Server, "http://127.0.0.1:8080/ or http://127.0.0.1:8080/r/ID")
	if err != nil {
		return "", "", err
	}
	base, run := u.Path, c.Of
	if parent, page := path.Split(strings.TrimRight(u.Path, "/")); path.Base(parent) == "r" {
		base = strings.TrimSuffix(parent, "r/")
		if run != "" && run != page {
			return "", "", fmt.Errorf("--run %s: --server is the page of the run %s; leave one of them out", run, page)
		}
		run = page
	}
	if run == "" {
		return "", "", errors.New("--run is missing: give the ID of a run, or its page as --server, like " +
			"http://127.0.0.1:8080/r/ID")
	}
	u.Scheme, u.Path = strings.Replace(u.Scheme, "http", "ws", 1), strings.TrimRight(base, "/")+"/api/actor"
	return u.String(), run, nil
}

// Run plays until the run is over or ctx ends.
func (c *Actor) Run(ctx context.Context, prog *Program) error {
	at, run, err := c.target()
	switch {
	case err != nil:
		return UsageError{err}
	case c.Key == "":
		return usagef("--key is missing: use the key returned when the run was created")
	}
	join := &wire.Join{Run: run, Key: c.Key, Name: c.Name, Build: buildName()}
	if _, err := wire.Append(nil, join); err != nil {
		return UsageError{err}
	}
	log := c.logger(prog)
	first := sync.OnceFunc(func() { fmt.Fprintln(prog.Stdout, "playing for", c.Server) })
	ends := make([]error, c.Actors)
	var all sync.WaitGroup
	for i := range ends {
		all.Go(func() { ends[i] = stay(ctx, at, join, log.With("actor", i+1), first) }) // ends with the run or ctx
	}
	all.Wait()
	return errors.Join(ends...)
}

// The time between two attempts to connect grows from soonest to latest.
const (
	soonest = time.Second
	latest  = 15 * time.Second
)

// stay plays, and connects again when the connection breaks. Its error says why the server never accepted it.
func stay(ctx context.Context, at string, join *wire.Join, log *slog.Logger, playing func()) error {
	pause, told := soonest, time.Time{}
	var steps uint64
	began := false
	for {
		var a actorwire.Actor
		err := session.Act(ctx, at, join, &a, func(a *actorwire.Actor) {
			playing()
			if !began {
				log.Info("the server has accepted this actor", "world", a.Config().World, "mode", a.Config().Mode,
					"copies", a.Copies())
			}
			began, pause = true, soonest
			if now := time.Now(); now.Sub(told) > 10*time.Second && a.Steps > 0 {
				log.Info("playing", "steps", steps+a.Steps, "parameters_of_update", a.Version)
				told = now
			}
		})
		steps += a.Steps
		var final actorwire.Final
		switch {
		case ctx.Err() != nil:
			log.Info("stopping", "steps", steps)
			return nil
		case errors.As(err, &final) && began:
			log.Info("the run is over", "reason", final.Reason, "steps", steps)
			return nil
		case errors.As(err, &final), !began:
			return err
		}
		log.Warn("the connection broke; connecting again", "error", err, "in", pause)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil
		}
		pause = min(2*pause, latest)
	}
}

package command

// actor plays for a run that learns elsewhere: it is given a place in the run and parameters, and sends unrolls back.

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"path"
	"strings"
	"sync"
	"time"

	"impalab/server/session"
	"impalab/static"
	"impalab/web/actorwire"
	"impalab/web/wire"
)

// Actor plays for a run.
type Actor struct {
	Server    string `default:"http://127.0.0.1:8080/" help:"Address of the server's pages, or of the run's own page." placeholder:"URL"`
	Of        string `help:"Name of the run; none: the one whose page --server is." placeholder:"ID" name:"run"`
	Key       string `secret:"whole" help:"Key of the run: who has it is trusted with what the run learns from." placeholder:"KEY"`
	Actors    int    `default:"1" help:"Actors in this process, each with a connection and a place of its own." placeholder:"N"`
	Name      string `help:"What it is called where the run is described; everybody who may see the run may read it." placeholder:"NAME"`
	LogLevel  string `default:"info" enum:"debug,info,warn,error" help:"Least important entries to log: ${enum}." placeholder:"LEVEL"`
	LogFormat string `default:"text" enum:"text,json" help:"Form of the log: ${enum}." placeholder:"FORMAT"`
}

// Help is printed under actor --help.
func (Actor) Help() string {
	return `Plays for a run that learns on a server: the server says where to begin and with which parameters, and learns from
what is sent back. Its key is told to whoever begins a run through the API:

  impalab serve
  curl -s http://127.0.0.1:8080/api/v1/runs \
    -d '{"preset": "cartpole", "steps": 2000000, "speed": 20000, "settings": {"mode": "live"}}'
  impalab actor --server http://127.0.0.1:8080/r/ID --key KEY      # on each machine that is to play

With mode=live the actors race the learner: the lag is what the way and the queue make it, and is measured. With
mode=reference the learner waits for all, with collect=trajectory for as many as there are actors, and comes to the
same parameters as without them; whoever is lost is played for. The actor must be of the server's own build, and its
machine able to compute as a reference run does. When the connection breaks it comes back by itself. It ends with the run.`
}

// mostActors bounds the actors of one process.
const mostActors = 32

// target is the address to connect to and the name of the run.
func (c *Actor) target() (address, run string, err error) {
	u, err := url.Parse(c.Server)
	schemes := map[string]string{"http": "ws", "https": "wss"}
	if err != nil || schemes[u.Scheme] == "" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return "", "", fmt.Errorf("--server %q: must be a URL like http://127.0.0.1:8080/ or http://127.0.0.1:8080/r/ID",
			c.Server)
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
		return "", "", errors.New("--run is missing: give the id of a run, or its page as --server, like " +
			"http://127.0.0.1:8080/r/ID")
	}
	at := url.URL{Scheme: schemes[u.Scheme], Host: u.Host, Path: strings.TrimRight(base, "/") + "/api/actor"}
	return at.String(), run, nil
}

// Run plays until the run is over or ctx ends.
func (c *Actor) Run(ctx context.Context, prog *Program) error {
	at, run, err := c.target()
	switch {
	case err != nil:
		return UsageError{err}
	case c.Key == "":
		return UsageError{errors.New("--key is missing: use the key returned when the run was created")}
	case c.Actors < 1 || c.Actors > mostActors:
		return UsageError{fmt.Errorf("--actors %d: must be a whole number from 1 to %d", c.Actors, mostActors)}
	}
	assets, err := static.Embedded()
	if err != nil {
		return err
	}
	join := &wire.Join{Run: run, Key: c.Key, Name: c.Name, Build: buildName(assets)}
	if _, err := wire.Append(nil, join); err != nil {
		return UsageError{err}
	}
	log := newLog(prog.Stderr, c.LogLevel, c.LogFormat)
	first := sync.OnceFunc(func() { fmt.Fprintln(prog.Stdout, "playing for", c.Server) })
	ends := make([]error, c.Actors)
	var all sync.WaitGroup
	for i := range ends {
		all.Go(func() { ends[i] = stay(ctx, at, join, log.With("actor", i+1), first) }) // ends with the run or ctx
	}
	all.Wait()
	return errors.Join(ends...)
}

// Between two attempts to connect.
const (
	soonest = time.Second
	latest  = 15 * time.Second
)

// stay plays, and comes back when the connection breaks. The error is why it never had a place.
func stay(ctx context.Context, at string, join *wire.Join, log *slog.Logger, playing func()) error {
	pause, told := soonest, time.Time{}
	var steps uint64
	began := false
	for {
		var a actorwire.Actor
		err := session.Act(ctx, at, join, &a, func(a *actorwire.Actor) {
			playing()
			if !began {
				log.Info("it has a place", "world", a.Config().World, "mode", a.Config().Mode, "copies", a.Copies())
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
			log.Info("it is over", "reason", final.Reason, "steps", steps)
			return nil
		case errors.As(err, &final), !began:
			return err
		}
		log.Warn("the connection broke; it is tried again", "error", err, "in", pause)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil
		}
		pause = min(2*pause, latest)
	}
}

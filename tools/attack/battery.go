package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// batteryCommand checks every promise.
type batteryCommand struct {
	Only []string `help:"Only the promises of these names." placeholder:"NAME"`
}

// promise is an attack and the behaviour of the server during it.
type promise struct {
	name   string
	text   string
	env    []string // of the server's
	attack func(ctx context.Context, t *target) error
}

// each is the longest time of one attack.
const each = time.Minute

func (c *batteryCommand) Run(ctx context.Context, t *target) error {
	if t.cmd == nil {
		return errors.New("the battery starts a server of its own for every promise: leave --host out")
	}
	t.close()
	broken, held := 0, 0
	for _, p := range promises {
		if len(c.Only) > 0 && !contains(c.Only, p.name) {
			continue
		}
		start := time.Now()
		err := p.hold(ctx, t)
		verdict := "PASS"
		if held++; err != nil {
			verdict, broken = "FAIL", broken+1
		}
		fmt.Printf("%s  %-12s %s (%.0f s)\n", verdict, p.name, p.text, time.Since(start).Seconds())
		if err != nil {
			fmt.Printf("      %s\n", strings.ReplaceAll(err.Error(), "\n", "\n      "))
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if held == 0 {
		return fmt.Errorf("no promise is called %v", c.Only)
	}
	if broken > 0 {
		return fmt.Errorf("%d of %d promises are broken", broken, held)
	}
	return nil
}

func contains(list []string, name string) bool {
	for _, l := range list {
		if l == name {
			return true
		}
	}
	return false
}

// hold starts a server and attacks it.
func (p *promise) hold(ctx context.Context, t *target) (err error) {
	ctx, cancel := context.WithTimeout(ctx, each)
	defer cancel()
	t.env = p.env
	t.Host = ""
	if err := t.start(ctx); err != nil {
		return err
	}
	defer t.close()
	if err := p.attack(ctx, t); err != nil {
		return errors.Join(err, t.alive())
	}
	if ctx.Err() != nil {
		return fmt.Errorf("the attack took longer than %s", each)
	}
	return t.alive()
}

// full is a device that accepts no bytes, where the system has one.
func full() (*os.File, error) { return os.OpenFile("/dev/full", os.O_WRONLY, 0) }

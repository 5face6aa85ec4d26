// Attack checks impalab's promises from outside: it opens too many runs, leaves requests half sent, sends frames that
// no browser sends, and watches the effect on others. It speaks the page's own protocol (package wire) and connects to
// this machine only. Without --host it starts a server and ends it afterwards.
//
//	go -C tools run ./attack battery            every promise, as PASS or FAIL
//	go -C tools run ./attack view --viewers 200 the cost of viewers to a run
//	go -C tools run ./attack view --fronts 2 --viewers 2000 --set speed=4000 --seconds 20 --promise
//
// Start with battery.go.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"time"

	"github.com/alecthomas/kong"
)

type cli struct {
	target

	Battery batteryCommand `cmd:"" help:"Hold every promise against a server of its own; exit code 1 when one is broken."`
	View    viewCommand    `cmd:"" help:"Many viewers of one run: what they cost it, what they get, how late."`
	Watch   watchCommand   `cmd:"" help:"One run and its pace, frames and confirmations, while others attack."`
	Open    openCommand    `cmd:"" help:"Open runs and keep them; --from 1 takes one address for all."`
	Spawn   spawnCommand   `cmd:"" help:"Open a run and leave at once, over and over."`
	Resume  resumeCommand  `cmd:"" help:"Come back to a run by its name and key."`
	Frames  framesCommand  `cmd:"" help:"Say what no browser says, one session each."`
	Loris   lorisCommand   `cmd:"" help:"Hold many unfinished requests open."`
}

func main() {
	var c cli
	parsed := kong.Parse(&c, kong.Name("attack"), kong.Description("Attacks a server of impalab on this machine."),
		kong.UsageOnError(), kong.ConfigureHelp(kong.HelpOptions{Compact: true}))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, c.Limit)
	defer cancel()
	if err := c.open(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "attack:", err)
		os.Exit(2)
	}
	parsed.BindTo(ctx, (*context.Context)(nil))
	err := parsed.Run(&c.target)
	c.close()
	if err != nil {
		fmt.Fprintln(os.Stderr, "attack:", err)
		os.Exit(1)
	}
}

// sleep waits, or less when ctx ends.
func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

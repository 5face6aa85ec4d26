// Attack tests promises that need load: too many runs, requests and viewers, and their effect on others. It speaks the
// page's own protocol (package wire) with servers that it starts on this machine.
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

	Battery batteryCommand `cmd:"" help:"Test every promise; exit code 1 if one is broken."`
	View    viewCommand    `cmd:"" help:"Measure many viewers of one run: their cost, their messages and the delay."`
}

func main() {
	var c cli
	parsed := kong.Parse(&c, kong.Name("attack"), kong.Description("Tests impalab under load, on this machine."),
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

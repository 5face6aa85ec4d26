//go:build js && wasm

package main

import (
	"errors"
	"syscall/js"

	"impalab/learner/telemetry"
	"impalab/wasm/browser"
	"impalab/web/actorwire"
	"impalab/web/wire"
)

// newActor returns an actor of a run on a server, for static/worker.js, which carries its frames. join is the first
// frame; hear returns the answer to a frame, or null. hear plays a block, which takes some hundredths of a second, and
// the browser delivers nothing meanwhile. An object with a reason ends the actor.
func newActor(join *wire.Join) any {
	hello, err := wire.Append(nil, join)
	if err != nil {
		return map[string]any{"reason": err.Error()}
	}
	var a actorwire.Actor
	return map[string]any{
		"join": browser.Array(hello),
		"hear": js.FuncOf(func(_ js.Value, args []js.Value) any { // released with the worker
			answer, err := a.HearFrame(browser.Bytes(args[0]), func(telemetry.Episode) {})
			var final actorwire.Final
			switch {
			case err != nil:
				return map[string]any{"reason": err.Error(), "again": !errors.As(err, &final)}
			case answer == nil:
				return nil
			}
			return browser.Array(answer)
		}),
	}
}

//go:build js && wasm

package main

import (
	"errors"
	"syscall/js"

	"impalab/learner/telemetry"
	"impalab/web/actorwire"
	"impalab/web/wire"
)

// newActor is an actor for a run on a server, as static/worker.js has it, which carries its frames: join is the first,
// and hear gives the answer to one that came, null where there is none. It plays while hear is called, so the browser
// delivers nothing meanwhile: a block takes some hundredths of a second. What ends it is an object with a reason.
func newActor(join *wire.Join) any {
	hello, err := wire.Append(nil, join)
	if err != nil {
		return map[string]any{"reason": err.Error()}
	}
	var a actorwire.Actor
	return map[string]any{
		"join": bytesToJS(hello),
		"hear": js.FuncOf(func(_ js.Value, args []js.Value) any { // released with the worker
			frame := make([]byte, args[0].Get("length").Int())
			js.CopyBytesToGo(frame, args[0])
			answer, err := a.HearFrame(frame, func(telemetry.Episode) {})
			var final actorwire.Final
			switch {
			case err != nil:
				return map[string]any{"reason": err.Error(), "again": !errors.As(err, &final)}
			case answer == nil:
				return nil
			}
			return bytesToJS(answer)
		}),
	}
}

func bytesToJS(b []byte) js.Value {
	array := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(array, b)
	return array
}

//go:build js && wasm

// Command worker trains a page's runs in a web worker, and is an actor there for a class's run. static/worker.js loads
// it; package trainer does its work. Build it with GOOS=js GOARCH=wasm.
package main

import (
	"errors"
	"os"
	"reflect"
	"strings"
	"syscall/js"
	"time"

	"impalab/learner/algo"
	"impalab/learner/hyper"
	"impalab/learner/net"
	"impalab/learner/program"
	"impalab/wasm/browser"
	"impalab/wasm/trainer"
	"impalab/web/wire"
)

// static/worker.js gives the address of the stored programs or "", the build of the page, the number of this worker,
// and the address at which a server makes programs or "".
const wantedArgs = 5

func main() {
	if err := begin(); err != nil {
		js.Global().Call("failed", err.Error())
		return
	}
	select {} // callbacks continue
}

func begin() error {
	if len(os.Args) != wantedArgs {
		return errors.New("static/worker.js is of another build: reload the page")
	}
	define("actor", func(args []js.Value) any {
		return newActor(&wire.Join{Run: args[0].String(), Key: args[1].String(), Build: os.Args[2]})
	})
	if os.Args[1] == "" && os.Args[4] == "" { // it trains nothing
		js.Global().Call("began")
		return nil
	}
	lib := &library{makes: os.Args[4], has: map[string]bool{}}
	if os.Args[1] != "" {
		if err := lib.add(os.Args[1]); err != nil {
			return err
		}
	}
	t := trainer.New(trainer.Options{
		Build: os.Args[2], Name: "here" + os.Args[3] + "-", Lower: lib.find, Prepare: lib.prepare, Breathe: breather(),
	})
	define("talk", func(args []js.Value) any {
		talk(t, args[0])
		return nil
	})
	define("paramsSHA256", func(args []js.Value) any { return t.ParamsSHA256(args[0].String()) })
	define("again", func(args []js.Value) any {
		return reply(args[0], func() any {
			frame, err := t.Moments(args[1].String(), uint64(args[2].Float()), uint64(args[3].Float()), args[4].Bool())
			if err != nil { // the page continues to show the nearest moment
				return nil
			}
			return browser.Array(frame)
		})
	})
	define("look", func(args []js.Value) any {
		return reply(args[0], func() any {
			all, err := t.Unrolls(args[1].String(), uint64(args[2].Float()))
			if err != nil {
				return map[string]any{"reason": err.Error()}
			}
			return map[string]any{"unrolls": object(reflect.ValueOf(all))}
		})
	})
	define("score", func(args []js.Value) any { return score(t, args[0], args[1], args[2].Int()) })
	js.Global().Call("began")
	return nil
}

// score trains a run and posts its steps to a port while it learns, and at last its result or the reason why not.
func score(t *trainer.Trainer, port, settings js.Value, points int) any {
	var own []hyper.Setting
	for i := range settings.Length() {
		own = append(own, hyper.Setting{Key: settings.Index(i).Get("Key").String(),
			Value: settings.Index(i).Get("Value").String()})
	}
	var last time.Time
	return reply(port, func() any {
		scored, err := t.Score(own, points, func(steps uint64) {
			if now := time.Now(); now.Sub(last) >= scoreEvery {
				last = now
				port.Call("postMessage", map[string]any{"steps": steps})
			}
		})
		if err != nil {
			return map[string]any{"reason": err.Error()}
		}
		return map[string]any{"scored": object(reflect.ValueOf(scored))}
	})
}

// scoreEvery is the time between two messages of a scored run.
const scoreEvery = 100 * time.Millisecond

// define gives static/worker.js a function. It is never released.
func define(name string, f func(args []js.Value) any) {
	js.Global().Set(name, js.FuncOf(func(_ js.Value, args []js.Value) any { return f(args) }))
}

// reply posts an answer to a port when it has been computed.
func reply(port js.Value, answer func() any) any {
	go func() { port.Call("postMessage", answer()) }() // ends with the answer
	return nil
}

// library has the programs of networks. A server makes the others.
type library struct {
	stored program.Stored
	makes  string
	has    map[string]bool // networks that a server has made, by hyper.Config.NetworkKey
}

func (l *library) find(spec net.Spec, t, b int, tangent bool) (*program.Program, error) {
	return algo.Stored(l.stored)(spec, t, b, tangent)
}

// prepare fetches the programs of a configuration.
func (l *library) prepare(cfg *hyper.Config) error {
	if l.makes == "" {
		return nil
	}
	key, err := cfg.NetworkKey()
	if err != nil || l.has[key] {
		return err
	}
	query := ""
	for _, s := range cfg.Settings() {
		query += "&" + s.Key + "=" + js.Global().Call("encodeURIComponent", s.Value).String()
	}
	if err := l.add(l.makes + "?" + query[1:]); err != nil {
		return err
	}
	l.has[key] = true
	return nil
}

// add fetches the programs at an address.
func (l *library) add(url string) error {
	bytes, err := fetch(url)
	if err != nil {
		return err
	}
	more, err := program.ParseStored(bytes)
	l.stored = append(l.stored, more...)
	return err
}

// maxWaiting is how many frames of a page may wait. The connection of a page that sends more ends.
const maxWaiting = 1024

// talk serves one connection of the page: a port, whose messages are frames, and null at its end.
func talk(t *trainer.Trainer, port js.Value) {
	in := make(chan []byte, maxWaiting)
	over := false
	onMessage := browser.Callback(func(event js.Value) {
		data := event.Get("data")
		switch {
		case over:
		case data.IsNull() || len(in) == maxWaiting: // a callback must not wait
			over = true
			close(in)
		default:
			in <- browser.Bytes(data)
		}
	})
	port.Set("onmessage", onMessage)
	go func() { // ends with the connection
		t.Serve(in, func(frame []byte) {
			array := browser.Array(frame)
			port.Call("postMessage", array, []any{array.Get("buffer")})
		})
		over = true
		port.Set("onmessage", js.Null())
		onMessage.Release()
		port.Call("postMessage", js.Null())
	}()
}

// breathEvery is how long the learner keeps the thread. Messages of the page wait for that and for an update.
const breathEvery = 8 * time.Millisecond

// breather returns a function that lets the browser deliver waiting messages. It sends a message to itself, which comes
// behind them and takes microseconds; a timer takes four milliseconds.
func breather() func() {
	channel := js.Global().Get("MessageChannel").New()
	var waiting []chan struct{}
	last := time.Now()
	channel.Get("port1").Set("onmessage", browser.Callback(func(js.Value) {
		last = time.Now()
		for _, c := range waiting {
			close(c)
		}
		waiting = waiting[:0]
	}))
	port := channel.Get("port2")
	return func() {
		if time.Since(last) < breathEvery {
			return
		}
		c := make(chan struct{})
		if waiting = append(waiting, c); len(waiting) == 1 {
			port.Call("postMessage", js.Null())
		}
		<-c
	}
}

// fetch returns the file at an address.
func fetch(url string) ([]byte, error) {
	response, err := await(js.Global().Call("fetch", url))
	if err != nil {
		return nil, errors.New(url + " cannot be fetched: " + err.Error())
	}
	switch response.Get("status").Int() {
	case 200:
	case 422, 429, 503: // a server says why
		text, err := await(response.Call("text"))
		if err != nil {
			return nil, err
		}
		return nil, errors.New(strings.TrimSpace(text.String()))
	default:
		return nil, errors.New(url + " is missing: the folder of this site is incomplete")
	}
	body, err := await(response.Call("arrayBuffer"))
	if err != nil {
		return nil, errors.New(url + " cannot be fetched: " + err.Error())
	}
	return browser.Bytes(body), nil
}

// await waits for a promise.
func await(promise js.Value) (value js.Value, err error) {
	done := make(chan struct{})
	browser.Then(promise, func(got js.Value) {
		value = got
		close(done)
	}, func(reason js.Value) {
		err = errors.New(reason.Call("toString").String())
		close(done)
	})
	<-done
	return value, err
}

//go:build js && wasm

package main

import (
	"errors"
	"os"
	"strings"
	"syscall/js"
	"time"

	"impalab/learner/algo"
	"impalab/learner/hyper"
	"impalab/learner/net"
	"impalab/learner/program"
	"impalab/wasm/trainer"
	"impalab/web/wire"
)

// What static/worker.js gives: the address of the stored programs, if there are any; the build of the page; the number
// of this worker; and the address at which a server makes programs, if there is one.
const wantedArgs = 5

func main() {
	if err := begin(); err != nil {
		js.Global().Call("failed", err.Error())
		return
	}
	select {} // callbacks go on
}

func begin() error {
	if len(os.Args) != wantedArgs {
		return errors.New("static/worker.js is of another build: reload the page")
	}
	js.Global().Set("actor", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return newActor(&wire.Join{Run: args[0].String(), Key: args[1].String(), Build: os.Args[2]})
	}))
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
	js.Global().Set("talk", js.FuncOf(func(_ js.Value, args []js.Value) any {
		talk(t, args[0])
		return nil
	}))
	js.Global().Set("paramsSHA256", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return t.ParamsSHA256(args[0].String())
	}))
	js.Global().Set("again", js.FuncOf(func(_ js.Value, args []js.Value) any {
		port, run, parameters := args[0], args[1].String(), args[4].Bool()
		from, to := uint64(args[2].Float()), uint64(args[3].Float())
		go func() { // ends with the answer
			frame, err := t.Moments(run, from, to, parameters)
			if err != nil { // the nearest moment stays in sight
				port.Call("postMessage", js.Null())
				return
			}
			port.Call("postMessage", bytesToJS(frame))
		}()
		return nil
	}))
	js.Global().Set("look", js.FuncOf(func(_ js.Value, args []js.Value) any {
		port, run, update := args[0], args[1].String(), uint64(args[2].Float())
		go func() { // ends with the answer
			answer := map[string]any{}
			if all, err := t.Unrolls(run, update); err != nil {
				answer["reason"] = err.Error()
			} else {
				answer["unrolls"] = unrollsToJS(all)
			}
			port.Call("postMessage", answer)
		}()
		return nil
	}))
	js.Global().Call("began")
	return nil
}

// library is the programs that there are. A server makes those of other networks.
type library struct {
	stored program.Stored
	makes  string
	has    map[string]bool // networks that were asked for, by hyper.Config.NetworkKey
}

func (l *library) find(spec net.Spec, t, b int, tangent bool) (*program.Program, error) {
	return algo.Stored(l.stored)(spec, t, b, tangent)
}

// prepare has the programs of a configuration be there.
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

// add adds the programs that lie at an address.
func (l *library) add(url string) error {
	bytes, err := fetch(url)
	if err != nil {
		return err
	}
	more, err := program.ParseStored(bytes)
	l.stored = append(l.stored, more...)
	return err
}

// maxWaiting is how many frames of a page may wait: one that sends more than a person does is not heard any more.
const maxWaiting = 1024

// talk serves one connection of the page: a port, whose messages are frames, and null at the end.
func talk(t *trainer.Trainer, port js.Value) {
	in := make(chan []byte, maxWaiting)
	over := false
	onMessage := js.FuncOf(func(_ js.Value, args []js.Value) any {
		data := args[0].Get("data")
		switch {
		case over:
		case data.IsNull() || len(in) == maxWaiting: // a callback must not wait
			over = true
			close(in)
		default:
			frame := make([]byte, data.Get("length").Int())
			js.CopyBytesToGo(frame, data)
			in <- frame
		}
		return nil
	})
	port.Set("onmessage", onMessage)
	go func() { // ends with the connection
		t.Serve(in, func(frame []byte) {
			array := bytesToJS(frame)
			port.Call("postMessage", array, []any{array.Get("buffer")})
		})
		over = true
		port.Set("onmessage", js.Null())
		onMessage.Release()
		port.Call("postMessage", js.Null())
	}()
}

// breathEvery is how long the learner keeps the thread: what the page says waits no longer than that and an update.
const breathEvery = 8 * time.Millisecond

// breather is what lets the browser deliver what has come: a message to oneself goes behind everything that waits
// already, and takes microseconds where a timer takes four milliseconds.
func breather() func() {
	channel := js.Global().Get("MessageChannel").New()
	var waiting []chan struct{}
	last := time.Now()
	channel.Get("port1").Set("onmessage", js.FuncOf(func(js.Value, []js.Value) any {
		last = time.Now()
		for _, c := range waiting {
			close(c)
		}
		waiting = waiting[:0]
		return nil
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

// fetch is what lies at an address.
func fetch(url string) ([]byte, error) {
	type answer struct {
		bytes []byte
		err   error
	}
	came := make(chan answer, 1)
	failed := js.FuncOf(func(_ js.Value, args []js.Value) any {
		came <- answer{err: errors.New(url + " cannot be fetched: " + args[0].Call("toString").String())}
		return nil
	})
	defer failed.Release()
	whole := js.FuncOf(func(_ js.Value, args []js.Value) any {
		array := js.Global().Get("Uint8Array").New(args[0])
		b := make([]byte, array.Get("length").Int())
		js.CopyBytesToGo(b, array)
		came <- answer{bytes: b}
		return nil
	})
	defer whole.Release()
	refused := js.FuncOf(func(_ js.Value, args []js.Value) any {
		came <- answer{err: errors.New(strings.TrimSpace(args[0].String()))}
		return nil
	})
	defer refused.Release()
	head := js.FuncOf(func(_ js.Value, args []js.Value) any {
		switch args[0].Get("status").Int() {
		case 200:
		case 422, 429, 503: // a server says why
			args[0].Call("text").Call("then", refused, failed)
			return nil
		default:
			came <- answer{err: errors.New(url + " is not there: the folder of this site is not whole")}
			return nil
		}
		args[0].Call("arrayBuffer").Call("then", whole, failed)
		return nil
	})
	defer head.Release()
	js.Global().Call("fetch", url).Call("then", head, failed)
	a := <-came
	return a.bytes, a.err
}

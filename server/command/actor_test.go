package command

import (
	"errors"
	"strings"
	"testing"
)

func TestAnActorFindsItsRunByTheAddressOfItsPage(t *testing.T) {
	for _, c := range []struct{ server, run, at, of string }{
		{"http://127.0.0.1:8080/", "abc", "ws://127.0.0.1:8080/api/actor", "abc"},
		{"http://127.0.0.1:8080", "abc", "ws://127.0.0.1:8080/api/actor", "abc"},
		{"https://lab.example.org/lab/r/abc", "", "wss://lab.example.org/lab/api/actor", "abc"},
		{"http://127.0.0.1:8080/r/abc/", "abc", "ws://127.0.0.1:8080/api/actor", "abc"},
		{"http://127.0.0.1:8080/r/", "abc", "ws://127.0.0.1:8080/r/api/actor", "abc"},
	} {
		a := Actor{Server: c.server, Of: c.run}
		if at, of, err := a.target(); at != c.at || of != c.of || err != nil {
			t.Errorf("%+v: %s, %s, %v", c, at, of, err)
		}
	}
}

func TestAnActorsFlagsAreRefusedWithAWayOut(t *testing.T) {
	good := Actor{Server: "http://127.0.0.1:1/r/abc", Key: "a-key-of-sixteen", Actors: 1}
	for want, change := range map[string]func(*Actor){
		`--server "lab": must be a URL like`:   func(a *Actor) { a.Server = "lab" },
		"--run is missing":                     func(a *Actor) { a.Server = "http://127.0.0.1:1/" },
		"--run x: --server is the page of the": func(a *Actor) { a.Of = "x" },
		"--key is missing":                     func(a *Actor) { a.Key = "" },
		"--actors 0: must be a whole number":   func(a *Actor) { a.Actors = 0 },
		"Join: Name has length 65":             func(a *Actor) { a.Name = strings.Repeat("n", 65) },
	} {
		a := good
		change(&a)
		err := a.Run(t.Context(), &Program{})
		var usage UsageError
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", a, err, want)
		}
	}
}

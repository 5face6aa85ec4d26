package command

import (
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
	good := []string{"actor", "--server", "http://127.0.0.1:1/r/abc", "--key", "a-key-of-sixteen"}
	for want, change := range map[string][]string{
		`--server "lab": must be a URL like`:   {"--server", "lab"},
		"--run is missing":                     {"--server", "http://127.0.0.1:1/"},
		"--run x: --server is the page of the": {"--run", "x"},
		"--key is empty":                       {"--key", ""},
		"--actors 0: must be a whole number":   {"--actors", "0"},
		"Join: Name has length 65":             {"--name", strings.Repeat("n", 65)},
	} {
		code, _, stderr := run(t, append(good, change...)...)
		if code != ExitUsage || !strings.Contains(stderr, want) {
			t.Errorf("%q: exit code %d: %s, want %q", change, code, stderr, want)
		}
	}
}

// Package kit holds helpers that tests of several packages use. Only tests import it.
package kit

import (
	"context"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"impalab/learner/hyper"
)

// Config returns a preset with changes, like "lag=8 steps=4000".
func Config(t testing.TB, preset, changes string) hyper.Config {
	t.Helper()
	cfg, err := hyper.FromPreset(preset)
	if err != nil {
		t.Fatal(err)
	}
	Change(t, &cfg, changes)
	return cfg
}

// Change changes a configuration, as Config does.
func Change(t testing.TB, cfg *hyper.Config, changes string) {
	t.Helper()
	all, err := hyper.ParseText(changes)
	for _, s := range all {
		if err == nil {
			err = cfg.Set(s.Key, s.Value)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Impatient returns a context that ends after its Err has been called n times. It is a signal that comes at the same
// update every time.
func Impatient(ctx context.Context, n int64) context.Context {
	c := impatient{ctx, new(atomic.Int64)}
	c.left.Store(n)
	return c
}

type impatient struct {
	context.Context
	left *atomic.Int64
}

// Err implements context.Context.
func (c impatient) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// Patience is the longest wait of a test for one thing: long enough for a machine that does much else.
const Patience = 5 * time.Minute

// Until waits until a condition holds that stays: what passes may be over before it looks. After Patience the test
// fails; what names the condition.
func Until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(Patience); !holds(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("timed out waiting until " + what)
		}
	}
}

// Dial connects to the server at url and sends text, for example half a request. The test's end closes the connection.
func Dial(t testing.TB, url, text string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", strings.Split(url, "/")[2])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
	return c
}

// Heard returns everything that the server sends until it closes the connection.
func Heard(t testing.TB, c net.Conn) string {
	t.Helper()
	text, err := io.ReadAll(c)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

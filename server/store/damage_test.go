package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A server whose database is damaged says so in /readyz from the first request that met the damage.
func TestADatabaseThatIsDamagedDoesNotAnswer(t *testing.T) {
	dir, code := t.TempDir(), ""
	s, err := Open(t.Context(), Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	do(t, s, func(tx *Tx) error {
		for n := range 500 { // many pages
			code, err = tx.Shorten(fmt.Sprintf("v=1&p=catch&seed=%d&%s", n, strings.Repeat("x", 500)))
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, sqliteFile)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const page = 4096
	for at := 0; at < len(whole); at += page {
		if part := whole[at : at+page]; bytes.Contains(part, []byte("v=1&p=catch&seed=")) {
			clear(part)
		}
	}
	if err := os.WriteFile(file, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	s = opened(t, Options{Dir: dir})
	if err := s.Answers(t.Context()); err != nil {
		t.Errorf("before any request met the damage: %v", err)
	}
	err = s.View(t.Context(), func(tx *Tx) error { _, err := tx.Expand(code); return err })
	if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "restore a backup") {
		t.Errorf("the request: %v", err)
	}
	if err := s.Answers(t.Context()); !errors.Is(err, ErrDamaged) {
		t.Errorf("afterwards: %v", err)
	}
}

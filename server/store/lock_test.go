package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestASecondServerOnTheFolderIsRefusedByName(t *testing.T) {
	t.Parallel()
	o := newSQLite(t)
	o.Address = "http://127.0.0.1:8080/"
	first := opened(t, o)
	second, err := Open(t.Context(), o)
	if err == nil {
		second.Close()
		t.Fatal("two servers hold one folder")
	}
	for _, word := range []string{o.Dir, fmt.Sprint("process ", os.Getpid()), o.Address} {
		if !errors.Is(err, ErrHeld) || !strings.Contains(err.Error(), word) {
			t.Errorf("error %q lacks %q", err, word)
		}
	}
	added(t, first) // the first still writes

	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(o.Dir, holderFile)); err == nil {
		t.Error("a server that has gone is still named")
	}
	opened(t, o)
}

func TestAStoreMayBeLookedAtBesideItsServer(t *testing.T) {
	t.Parallel()
	o := newSQLite(t)
	look := o
	look.Guest = true
	if _, err := Open(t.Context(), look); err == nil || !strings.Contains(err.Error(), o.Dir) {
		t.Errorf("a folder without a store: %v", err)
	}
	if entries, _ := os.ReadDir(o.Dir); len(entries) > 0 {
		t.Errorf("looking has made %v", entries)
	}
	server := opened(t, o)
	id := added(t, server)
	beside := opened(t, look)
	if !there(t, beside, id) {
		t.Error("it does not see what the server kept")
	}
	if err := beside.Close(); err != nil {
		t.Fatal(err)
	}
	added(t, server)
}

func TestAFolderMayHaveAnyName(t *testing.T) {
	t.Parallel()
	o := newSQLite(t)
	o.Dir = filepath.Join(o.Dir, "a b?c#d%20&e'ρ")
	s := opened(t, o)
	id := added(t, s)
	s.Close()
	if info, err := os.Stat(filepath.Join(o.Dir, sqliteFile)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if !there(t, opened(t, o), id) {
		t.Error("the run is gone")
	}
}

func TestAnInvalidDatabaseAddressIsRefusedWithoutItsPassword(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"postgres://u:hunter2@host:port/x", "mysql://u:hunter2@host/x", "hunter2"} {
		_, err := Open(t.Context(), Options{Dir: t.TempDir(), URL: url, Patience: 1})
		if err == nil || strings.Contains(err.Error(), "u:hunter2") || !strings.Contains(err.Error(), "database") {
			t.Errorf("%s: %v", url, err)
		}
	}
}

func TestAServerWithoutItsDatabaseFileSaysSo(t *testing.T) {
	t.Parallel()
	o := newSQLite(t)
	s := opened(t, o)
	if err := s.Answers(t.Context()); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(o.Dir, sqliteFile)
	if err := os.Rename(path, path+".old"); err != nil {
		t.Fatal(err)
	}
	if err := s.Answers(t.Context()); !errors.Is(err, ErrUnavailable) {
		t.Errorf("its file is gone: %v", err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Answers(t.Context()); !errors.Is(err, ErrUnavailable) {
		t.Errorf("its file is another: %v", err)
	}
}

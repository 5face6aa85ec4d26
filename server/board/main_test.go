package board

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"impalab/server/store"
)

// database is the PostgreSQL of the tests' stores; "": each store is SQLite.
var database string

// TestMain runs all tests on SQLite, and in the slow suite then on PostgreSQL.
func TestMain(m *testing.M) {
	code := m.Run()
	if slow && code == 0 {
		code = onPostgres(m)
	}
	os.Exit(code)
}

func onPostgres(m *testing.M) int {
	dir, err := os.MkdirTemp("", "pg") // a short name: it holds a socket
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	script := func(verb string) (string, error) {
		var said bytes.Buffer
		cmd := exec.Command("sh", "../../tools/postgres.sh", verb, dir)
		cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &said, os.Stderr, time.Second
		if err := cmd.Run(); err != nil && err != exec.ErrWaitDelay {
			return "", err
		}
		return strings.TrimSpace(said.String()), nil
	}
	url, err := script("start")
	if err != nil {
		fmt.Fprintln(os.Stderr, "no PostgreSQL on this machine: tools/postgres.sh install installs Debian's where it may:",
			err)
		if os.Getenv("NEED_POSTGRES") != "" {
			return 1
		}
		return 0
	}
	defer script("stop")
	database = url
	fmt.Println("once more, on PostgreSQL")
	return m.Run()
}

// newPlace returns the options of a new store.
func newPlace(t testing.TB, dir string) store.Options {
	t.Helper()
	if database == "" {
		return store.Options{Dir: dir}
	}
	all, err := store.Open(t.Context(), store.Options{Dir: t.TempDir(), URL: database})
	if err != nil {
		t.Fatal(err)
	}
	defer all.Close()
	schema := "test" + store.NewID()[:12]
	_, db := all.SQL()
	if _, err := db.Exec("CREATE SCHEMA " + schema); err != nil {
		t.Fatal(err)
	}
	return store.Options{Dir: dir, URL: database + "&search_path=" + schema}
}

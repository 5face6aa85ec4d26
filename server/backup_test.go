package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"impalab/server/site/api"
)

// TestARunIsThereAfterABackupIsRestoredElsewhere backs up a running server and starts another one on the restored data.
// The finished run is there to the last byte, and the running one continues to its end.
func TestARunIsThereAfterABackupIsRestoredElsewhere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	old, file := filepath.Join(dir, "old"), filepath.Join(dir, "monday.impalab-backup")
	first := launch(t, "127.0.0.1:0", old)
	var over, going api.Started
	first.call("POST", "/runs", `{"preset": "catch", "seed": 3, "steps": 3000}`, &over)
	first.call("POST", "/runs", fmt.Sprintf(`{"preset": "catch", "seed": 4, "steps": 12000, "speed": %d}`, slowly), &going)
	before := first.awaits("one is over and the other begun", func(runs map[string]api.Run) bool {
		return runs[over.ID].State == "done" && runs[going.ID].Steps > slowly
	})
	tell := func(p *process, path string) string {
		answer, err := http.Get(p.url + "api/v1/runs/" + over.ID + path)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s %v %s", path, answer.Status, err, text)
		}
		return string(text)
	}
	tape, curves := tell(first, "/tape"), tell(first, "/curves.csv")

	does := func(args ...string) {
		t.Helper()
		cmd := exec.Command(os.Args[0], args...)
		cmd.Env = append(os.Environ(), asServer+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("impalab %v: %v\n%s", args, err, out)
		}
	}
	does("backup", "--data", old, file)
	first.Process.Kill()
	first.Wait()
	if err := os.RemoveAll(old); err != nil {
		t.Fatal(err)
	}
	elsewhere := filepath.Join(dir, "new")
	does("restore", "--data", elsewhere, file)

	second := launch(t, "127.0.0.1:0", elsewhere)
	second.release(going.ID)
	after := second.awaits("the other comes to its end", func(runs map[string]api.Run) bool {
		return runs[going.ID].State == "done"
	})
	if was, is := before[over.ID], after[over.ID]; is.ParamsSHA256 != was.ParamsSHA256 || is.Steps != was.Steps ||
		is.ParamsSHA256 == "" || !is.Created.Equal(was.Created) {
		t.Errorf("it was %+v\nand is %+v", was, is)
	}
	if tell(second, "/tape") != tape || tell(second, "/curves.csv") != curves {
		t.Error("its tape or its curves are others")
	}
}

package command

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"impalab/server/board"
	"impalab/server/store"
)

// quick is a track that is trained in a moment.
var quick = readFile("../board/testdata/quick.yaml")

func readFile(name string) string {
	text, err := os.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func tracksOf(t *testing.T, texts map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestBoardTryPrintsTheRowAndPlacesItAmongTheBaselines(t *testing.T) {
	dir := tracksOf(t, map[string]string{"quick.yaml": quick})
	code, out, stderr := run(t, "board", "try", "quick", "--tracks", dir, "--set", "rho=2.0 alpha=.5", "--json")
	if code != ExitOK || !strings.Contains(stderr, "alpha has no effect") {
		t.Fatalf("%d %s", code, stderr)
	}
	var row board.Row
	if err := json.Unmarshal([]byte(out), &row); err != nil || row.Settings["rho"] != "2" || len(row.Each) != 8 ||
		row.Seeds[0] != "1" || row.Score.Low > row.Score.High {
		t.Errorf("%v %s", err, out)
	}
	code, again, _ := run(t, "board", "try", "quick", "--tracks", dir, "--set", "rho=2", "--json", "--jobs", "1")
	if code != ExitOK || again != out {
		t.Errorf("the same configuration came to\n%s\nand to\n%s", out, again)
	}
	code, out, _ = run(t, "board", "try", "catch-in-a-hurry", "--set", "mix=0.5")
	for _, want := range []string{"8 public seeds, so provisional", "no correction", "V-trace, the start", "yours",
		"mix=0.5"} {
		if code != ExitOK || !strings.Contains(out, want) {
			t.Errorf("%d: no %q in\n%s", code, want, out)
		}
	}
	if strings.Contains(out, "half replay") {
		t.Errorf("a baseline stands there beside itself:\n%s", out)
	}
}

func TestBoardTryRefusesSettingsThatATrackForbids(t *testing.T) {
	for _, c := range []struct {
		args, says string
		code       int
	}{
		{"late-pole --set lag=0",
			"lag is fixed at 16 on Late pole\nthese may change: algo, correction, rho, c, alpha and 43 more", ExitUsage},
		{"late-pole --set lr=1", "lr=1: must be a number from 1e-05 to 0.1, on Late pole", ExitUsage},
		{"late-pool", "did you mean late-pole?", ExitNotFound},
		{"late-pole --tracks /nowhere", "/nowhere", ExitNotFound},
		{"late-pole --jobs=-1", "--jobs -1", ExitUsage},
	} {
		code, _, stderr := run(t, append([]string{"board", "try"}, strings.Fields(c.args)...)...)
		if code != c.code || !strings.Contains(stderr, c.says) {
			t.Errorf("%s: %d %s", c.args, code, stderr)
		}
	}
}

func TestBoardTryOnSecretSeedsShowsNoneOfThem(t *testing.T) {
	dir, data := tracksOf(t, map[string]string{"quick.yaml": quick}), t.TempDir()
	args := strings.Fields("board try quick --secret --data " + data + " --tracks " + dir)
	code, _, stderr := run(t, args...)
	if code != ExitNotFound || !strings.Contains(stderr, "the folder "+data+" holds no database") {
		t.Errorf("without a store: %d %s", code, stderr)
	}
	kept, err := store.Open(t.Context(), store.Options{Dir: data})
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	code, _, stderr = run(t, args...)
	if code != ExitFailed || !strings.Contains(stderr, "the first begins with the first entry") {
		t.Errorf("before the first season: %d %s", code, stderr)
	}
	season := store.BoardSeason{Number: 1, Key: make([]byte, 32), Closes: time.Now().Add(time.Hour).UnixMilli()}
	if err := kept.Do(t.Context(), func(tx *store.Tx) error { return tx.AddSeason(season) }); err != nil {
		t.Fatal(err)
	}
	code, out, stderr := run(t, append(args, "--json")...)
	if code != ExitOK || !strings.Contains(out, `"secret:7"`) || strings.Contains(out, "each") {
		t.Errorf("%d %s %s", code, out, stderr)
	}
	code, out, _ = run(t, args...)
	if code != ExitOK || !strings.Contains(out, "8 secret seeds of season 1") {
		t.Errorf("%d %s", code, out)
	}
	code, _, stderr = run(t, append(args, "--season", "2")...)
	if code != ExitFailed || !strings.Contains(stderr, "there is no season 2") {
		t.Errorf("a season that is not there: %d %s", code, stderr)
	}
}

func TestBoardCloseMakesNoFolder(t *testing.T) {
	data := filepath.Join(t.TempDir(), "misspelt")
	code, _, stderr := run(t, "board", "close", "--data", data)
	if code != ExitNotFound || !strings.Contains(stderr, "the folder "+data+" holds no database") {
		t.Errorf("%d %s", code, stderr)
	}
	if _, err := os.Stat(data); err == nil {
		t.Error("the folder is there now")
	}
}

func TestATrackFileWithAMistakeIsReportedAndTheOthersLoad(t *testing.T) {
	dir := tracksOf(t, map[string]string{"quick.yaml": quick, "bad.yaml": strings.Replace(quick, "rho:", "roh:", 1)})
	code, out, stderr := run(t, "board", "tracks", "--tracks", dir)
	if code != ExitOK || !strings.Contains(out, "quick") || !strings.Contains(out, "late-pole") ||
		!strings.Contains(stderr, "bad.yaml: line 10: allowed: roh") {
		t.Errorf("%d\n%s\n%s", code, out, stderr)
	}
	code, out, _ = run(t, "board", "tracks", "quick", "--tracks", dir)
	if code != ExitOK || !strings.Contains(out, "a number from 0.1 to inf") ||
		!strings.Contains(out, "have not been measured") {
		t.Errorf("%d\n%s", code, out)
	}
}

// Each baseline's row on the board is the one in RESULTS.md.
func TestTheBoardsRowsAgreeWithTheResults(t *testing.T) {
	page, err := os.ReadFile("../../RESULTS.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, track := range board.Own().All {
		_, section, _ := strings.Cut(string(page), "## Board: "+track.Title+"\n")
		section, _, _ = strings.Cut(section, "\n## ")
		rows := track.Rows()
		if len(rows) != len(track.Baselines) {
			t.Errorf("%s: %d rows for %d baselines", track.Name, len(rows), len(track.Baselines))
		}
		for _, r := range rows {
			if want := "| " + r.Name + " | " + r.End.Words() + " | " + r.Score.Words() + " |"; !strings.Contains(section, want) {
				t.Errorf("RESULTS.md does not have %s", want)
			}
		}
	}
}

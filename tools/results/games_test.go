package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The page of the games has the figures of the runs in docs/runs.
func TestThePageOfTheGamesIsUpToDate(t *testing.T) {
	const source = "../.."
	g, err := readGames(source)
	if err != nil {
		t.Fatal(err)
	}
	want := g.page()
	got, err := os.ReadFile(filepath.Join(source, gamesPage))
	if err != nil || string(got) != want {
		t.Errorf("%s differs from its runs (%v); write it again: go -C tools run ./results games", gamesPage, err)
	}
	if n := strings.Count(want, "| IMPALA | "); n != 4 {
		t.Errorf("%d tables have a row of IMPALA, want 4", n)
	}
	for k, game := range g.studies {
		for _, v := range game.Variants {
			if g.runs[k][v.Label] == nil {
				t.Errorf("%s: the page lacks the row %q of its study", game.Name, v.Label)
			}
		}
	}
}

package site

import (
	"encoding/json"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"impalab/server/board"
	"impalab/static"
)

func TestTheBoardCanBeReadWithoutAScript(t *testing.T) {
	base := opened(t)
	tracks := board.Own()
	for _, track := range tracks.All {
		answer, body := ask(t, "GET", base+"board/"+track.Name, "Accept", "text/html")
		if answer.StatusCode != 200 || strings.Contains(body, "<script>") {
			t.Errorf("%s: %d", track.Name, answer.StatusCode)
		}
		for _, other := range tracks.All {
			if !strings.Contains(body, `href="/board/`+other.Name+`"`) {
				t.Errorf("%s does not lead to %s", track.Name, other.Name)
			}
		}
		for _, row := range tracks.Rows(track) {
			for _, want := range []string{row.Name, `href="/lab` + track.Link(&row.Entry) + `"`} {
				if !strings.Contains(html.UnescapeString(body), want) {
					t.Errorf("%s lacks %s", track.Name, want)
				}
			}
		}
	}
	_, first := ask(t, "GET", base+"board", "Accept", "text/html")
	if !strings.Contains(first, "<h1 id=\"title\">"+tracks.All[0].Title) {
		t.Error("the board does not begin with its first track")
	}
	if answer, _ := ask(t, "GET", base+"board/late-pool", "Accept", "text/html"); answer.StatusCode != 404 {
		t.Errorf("a track that there is none of: %d", answer.StatusCode)
	}
}

func TestTheBoardsRowsAreThereForPrograms(t *testing.T) {
	base := opened(t)
	track := board.Own().All[0]
	answer, body := ask(t, "GET", base+"board/"+track.Name+"/rows.json")
	var got rowsOf
	if err := json.Unmarshal([]byte(body), &got); err != nil || answer.StatusCode != 200 {
		t.Fatalf("%d %v", answer.StatusCode, err)
	}
	if got.Track != track.Name || got.Fixed["lag"] != "16" || len(got.Rows) != len(track.Baselines) {
		t.Errorf("%+v", got)
	}
	for i := 1; i < len(got.Rows); i++ {
		if got.Rows[i].Score.Low > got.Rows[i-1].Score.Low {
			t.Errorf("%s stands before %s", got.Rows[i-1].Name, got.Rows[i].Name)
		}
	}
}

func ownBaselines(t *board.Track) (*board.Standings, error) { return board.Own().Baselines(t), nil }

// The exported pages name only files that are beside them, and nothing on a server.
func TestAnExportedBoardStandsAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	assets, err := static.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	if err := ExportBoard(dir, board.Own(), ownBaselines, assets, "test", ""); err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`(?:href|src)="([^"#]+)"`)
	pages, _ := filepath.Glob(filepath.Join(dir, "*.html"))
	if len(pages) != len(board.Own().All)+1 {
		t.Errorf("%d pages", len(pages))
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range named.FindAllStringSubmatch(string(text), -1) {
			if info, err := os.Stat(filepath.Join(dir, m[1])); err != nil || info.Size() == 0 {
				t.Errorf("%s names %s, which is not there", filepath.Base(page), m[1])
			}
		}
	}
	sheet, err := os.ReadFile(filepath.Join(dir, "static", "page.css"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`url\(([^)]+)\)`).FindAllStringSubmatch(string(sheet), -1) {
		if _, err := os.Stat(filepath.Join(dir, "static", m[1])); err != nil {
			t.Errorf("the style sheet names %s, which is not there", m[1])
		}
	}
	if err := ExportBoard(dir, board.Own(), ownBaselines, assets, "test", "https://example.org/lab"); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "index.html")); !strings.Contains(string(text),
		`href="https://example.org/lab#v=1`) {
		t.Error("the rows do not lead to the Lab that was named")
	}
}

func TestAScaleHasRoundFigures(t *testing.T) {
	for scale, want := range map[boardScale]string{
		{0, 500}: "0 100 200 300 400 500", {-1, 1}: "−1 −0.5 0 0.5 1", {-1.2, 1}: "−1 −0.5 0 0.5 1",
		{0, 1}: "0 0.2 0.4 0.6 0.8 1",
	} {
		var got []string
		for _, tick := range scale.ticks() {
			got = append(got, tick.Text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%v: %v, want %s", scale, got, want)
		}
	}
	if s := (boardScale{0, 500}); s.at(250) != "50%" || s.at(-3) != "0%" || s.at(900) != "100%" {
		t.Errorf("%s %s %s", s.at(250), s.at(-3), s.at(900))
	}
}

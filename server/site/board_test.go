package site

import (
	"encoding/json"
	"html"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"impalab/server/board"
	"impalab/server/site/api"
	"impalab/web/page"
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
		shown := trackOf(track)
		for _, row := range track.Rows() {
			entry := entryOf(&row.Entry)
			for _, want := range []string{row.Name, `href="/lab` + page.EntryLink(shown, &entry) + `"`} {
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
	answer, body := ask(t, "GET", base+"api/v1/board/"+track.Name+"/entries")
	var got api.Entries
	if err := json.Unmarshal([]byte(body), &got); err != nil || answer.StatusCode != 200 {
		t.Fatalf("%d %v", answer.StatusCode, err)
	}
	if got.Track != track.Name || got.Of.Fixed["lag"] != "16" || len(got.Entries) != len(track.Baselines) {
		t.Errorf("%+v", got)
	}
	for i := 1; i < len(got.Entries); i++ {
		if got.Entries[i].Public.Score.Low > got.Entries[i-1].Public.Score.Low {
			t.Errorf("%s stands before %s", got.Entries[i-1].Baseline, got.Entries[i].Baseline)
		}
	}
}

// walked follows every link of the pages of a folder, from its index, and returns the pages and files that it came to.
func walked(t *testing.T, dir string) map[string]string {
	t.Helper()
	named := regexp.MustCompile(`(?:href|src)="([^"]*)"|url\(([^)]+)\)`)
	seen, left := map[string]string{}, []string{"index.html"}
	for len(left) > 0 {
		at := left[0]
		left = left[1:]
		if _, before := seen[at]; before {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, at))
		if err != nil || len(text) == 0 {
			t.Fatalf("%s is not there: %v", at, err)
		}
		if seen[at] = string(text); !slices.Contains([]string{".html", ".css"}, filepath.Ext(at)) {
			continue
		}
		for _, m := range named.FindAllStringSubmatch(string(text), -1) {
			link := html.UnescapeString(m[1] + m[2])
			if u, err := url.Parse(link); err != nil || u.IsAbs() || strings.HasPrefix(link, "/") {
				t.Errorf("%s leads away, to %s", at, link)
				continue
			}
			to, fragment, _ := strings.Cut(link, "#")
			if to = path.Join(path.Dir(at), to); link[0] == '#' {
				to = at
			}
			if _, err := os.Stat(filepath.Join(dir, to)); err != nil {
				t.Errorf("%s names %s, which is not there", at, link)
				continue
			}
			left = append(left, to)
			if text, _ := os.ReadFile(filepath.Join(dir, to)); fragment != "" &&
				!strings.Contains(string(text), `id="`+fragment+`"`) {
				t.Errorf("%s leads to %s, and no such place is there", at, link)
			}
		}
	}
	return seen
}

// The exported pages link to each other and to files beside them, and to nothing on a server. A row's page has the same
// text as the server's page.
func TestAnExportedBoardStandsAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	tracks := board.Own()
	alone := BoardCopy{Tracks: tracks, Build: "test", Write: Into(dir)}
	if err := ExportBoard(t.Context(), alone); err != nil {
		t.Fatal(err)
	}
	files := walked(t, dir)
	written := 0
	filepath.WalkDir(dir, func(at string, e os.DirEntry, err error) error {
		if name, _ := filepath.Rel(dir, at); err == nil && !e.IsDir() {
			if written++; files[filepath.ToSlash(name)] == "" && !strings.HasSuffix(name, "OFL.txt") {
				t.Errorf("nothing leads to %s", name)
			}
		}
		return err
	})
	for _, track := range tracks.All {
		shown := trackOf(track)
		for _, s := range track.Measured().Rows {
			entry := entryOf(&s.Entry)
			text := html.UnescapeString(files[track.Name+"/"+s.ID+".html"])
			for _, want := range []string{">" + s.Name() + "</h1>", page.EntryCommand(shown, &entry) + " --json",
				`class="line hand pi" d="M`,
				s.Public.Params[0]} {
				if !strings.Contains(text, want) {
					t.Errorf("%s: the page of %s lacks %s", track.Name, s.Name(), want)
				}
			}
			for _, d := range page.Differences(shown, &entry) {
				if !strings.Contains(text, "<code>"+d.Key+"</code>") {
					t.Errorf("%s: the page of %s does not say that %s differs", track.Name, s.Name(), d.Key)
				}
			}
			var row api.Entry
			if err := json.Unmarshal([]byte(files[track.Name+"/"+s.ID+".json"]), &row); err != nil || row.ID != s.ID ||
				row.Public.Score != s.Public.Score || len(row.Public.Curve) == 0 {
				t.Errorf("%s: the figures of %s are %+v, %v", track.Name, s.Name(), row, err)
			}
		}
	}
	alone.Lab = "https://example.org/lab"
	if err := ExportBoard(t.Context(), alone); err != nil {
		t.Fatal(err)
	}
	first := tracks.All[0]
	for _, name := range []string{"index.html", first.Name + "/" + first.Measured().Rows[0].ID + ".html"} {
		if text, _ := os.ReadFile(filepath.Join(dir, name)); !strings.Contains(string(text),
			`href="https://example.org/lab#v=1`) {
			t.Errorf("%s does not lead to the Lab that was named", name)
		}
	}
}

// As a part of a site the board leads to the site's other pages and to its Lab, and brings no files of its own.
func TestTheBoardOfASiteLeadsToTheRestOfIt(t *testing.T) {
	files := map[string]string{}
	err := ExportBoard(t.Context(), BoardCopy{Tracks: board.Own(), Build: "test",
		Write: func(name string, text []byte) error { files[name] = string(text); return nil },
		Site: func(up string) page.Data {
			return page.Data{Base: "./../" + up, Alone: &page.Alone{}, Asset: func(name string) string { return name }}
		}})
	if err != nil {
		t.Fatal(err)
	}
	first := board.Own().All[0]
	for name, base := range map[string]string{
		"index.html": "./../", first.Name + "/" + first.Measured().Rows[0].ID + ".html": "./../../",
	} {
		for _, want := range []string{`href="` + base + `lab/#v=1`, `href="` + base + `learn"`} {
			if !strings.Contains(files[name], want) {
				t.Errorf("%s has no %s", name, want)
			}
		}
	}
	for name := range files {
		if strings.HasPrefix(name, "static/") {
			t.Errorf("%s is written beside the site's", name)
		}
	}
}

func TestAnEntryOpensInTheLabAsItIsTrained(t *testing.T) {
	track, err := board.Own().Find("late-pole")
	if err != nil {
		t.Fatal(err)
	}
	e, err := track.ParseEntry("rho=2 unroll=8")
	if err != nil {
		t.Fatal(err)
	}
	shown, entry := trackOf(track), entryOf(&e)
	link := page.EntryLink(shown, &entry)
	for _, part := range strings.Split("v=1 p=lag-cliff seed=1301 lag=16 rho=2 steps=100000 unroll=8", " ") {
		if !strings.Contains(link+"&", part+"&") {
			t.Errorf("%s lacks %s", link, part)
		}
	}
	if n := strings.Count(link, "="); n != 7 {
		t.Errorf("%s has %d settings", link, n)
	}
	d := page.Differences(shown, &entry)
	if len(d) != 2 || d[0].Key != "rho" || d[0].From != "1" || d[0].To != "2" || d[1].From != "20" {
		t.Errorf("%+v", d)
	}
}

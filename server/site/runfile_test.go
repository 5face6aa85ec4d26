package site

import (
	"bytes"
	"image/gif"
	"image/png"
	"regexp"
	"strings"
	"testing"
	"time"

	"impalab/internal/kit"
)

// TestARunCanBeTakenAlong fetches every file that the page of a run leads to by a plain link.
func TestARunCanBeTakenAlong(t *testing.T) {
	p := newProgram(t)
	id := p.start(`{"preset": "catch", "seed": 7, "steps": 20000, "settings": {"lag": 2}}`)
	p.ended(id)
	at := strings.TrimSuffix(p.url, "/api/v1")
	page := ""
	until := time.Now().Add(kit.Patience)
	for ; !strings.Contains(page, "episode.gif"); time.Sleep(20 * time.Millisecond) {
		if _, page = ask(t, "GET", at+"/r/"+id); time.Now().After(until) { // the snapshot follows the last update
			t.Fatal("its agent cannot be seen")
		}
	}
	kinds := map[string]int{}
	for _, link := range regexp.MustCompile(`(?:href|src)="(/(?:r|api)/[^"#]*)"`).FindAllStringSubmatch(page, -1) {
		path := strings.ReplaceAll(link[1], "&amp;", "&")
		answer, body := ask(t, "GET", at+path)
		kind := answer.Header.Get("Content-Type")
		if answer.StatusCode != 200 {
			t.Errorf("%s: %d %s", path, answer.StatusCode, body)
			continue
		}
		kinds[kind]++
		switch kind {
		case "image/png":
			if _, err := png.Decode(strings.NewReader(body)); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		case "image/svg+xml":
			if !strings.Contains(body, "seed 7") || !strings.Contains(body, "/r/"+id) {
				t.Errorf("%s does not say where it comes from", path)
			}
		case "application/octet-stream":
			for _, words := range []string{"observation", "logits", "probabilities", "value", id} {
				if !strings.Contains(body, words) {
					t.Errorf("%s does not name %s", path, words)
				}
			}
		case "image/gif":
			film, err := gif.DecodeAll(strings.NewReader(body))
			if err != nil || len(film.Image) < 5 {
				t.Errorf("%s: %d frames, %v", path, len(film.Image), err)
			}
		}
	}
	for _, kind := range []string{"image/png", "image/svg+xml", "image/gif", "text/csv; charset=utf-8",
		"application/x-ndjson",
		"application/json", "application/octet-stream", "text/html; charset=UTF-8"} {
		if kinds[kind] == 0 {
			t.Errorf("no link leads to %s: %v", kind, kinds)
		}
	}
	if kinds["image/png"] < 5 || kinds["image/png"] != kinds["image/svg+xml"] {
		t.Errorf("%v", kinds)
	}
	for path, status := range map[string]int{"/nothing.svg": 404, "/return.pdf": 404, "/episode.gif": 422,
		"/episode.gif?update=x": 422, "/policy.onnx?update=x": 422, "/policy.onnx?update=1000000": 200} {
		if answer, _ := ask(t, "GET", at+"/r/"+id+path); answer.StatusCode != status {
			t.Errorf("%s: %d, not %d", path, answer.StatusCode, status)
		}
	}
	_, first := ask(t, "GET", at+"/r/"+id+"/episode.gif?update=100000")
	if _, again := ask(t, "GET", at+"/r/"+id+"/episode.gif?update=100000"); !bytes.Equal([]byte(first), []byte(again)) {
		t.Error("the same snapshot plays two episodes")
	}
}

// A run's update is on its page as PyTorch, and in a file. Whatever cannot be written says why.
func TestARunIsCode(t *testing.T) {
	p := newProgram(t)
	at := strings.TrimSuffix(p.url, "/api/v1")
	id := p.start(`{"preset": "catch", "seed": 7, "steps": 500, "settings": {"gamma": 0.875}}`)
	other := p.start(`{"preset": "stac-catch", "steps": 500}`)
	p.ended(id)
	p.ended(other)
	const line = "r, discount = b.r, 0.875 * (1 - b.end)"
	answer, file := ask(t, "GET", at+"/r/"+id+"/update.py")
	_, page := ask(t, "GET", at+"/r/"+id)
	if answer.StatusCode != 200 || !strings.HasPrefix(file, "# impalab, "+at+"/r/"+id+": Catch on catch\n") ||
		!strings.Contains(file, line) || !strings.Contains(page, line) {
		t.Errorf("%d %s", answer.StatusCode, file)
	}
	for path, want := range map[string]struct {
		status int
		says   string
	}{
		other:                   {409, "algo=stac is not written as PyTorch"},
		strings.Repeat("0", 32): {404, "run not found"},
	} {
		answer, said := ask(t, "GET", at+"/r/"+path+"/update.py")
		if answer.StatusCode != want.status || !strings.Contains(said, want.says) {
			t.Errorf("%s: %d %s, want %d %s", path, answer.StatusCode, said, want.status, want.says)
		}
	}
	if _, page := ask(t, "GET", at+"/r/"+other); !strings.Contains(page, "algo=stac is not written as PyTorch") {
		t.Error("the page does not say why there is no code")
	}
}

// TestOnlyAnEmbeddedRunMayStandInAForeignFrame, and it runs nothing there.
func TestOnlyAnEmbeddedRunMayStandInAForeignFrame(t *testing.T) {
	p := newProgram(t)
	id := p.start(`{"preset": "catch", "steps": 2000}`)
	p.ended(id)
	at := strings.TrimSuffix(p.url, "/api/v1")
	for path, foreign := range map[string]bool{"/embed/" + id: true, "/r/" + id: false, "/lab": false,
		"/r/" + id + "/frozen.html": false, "/embed/" + strings.Repeat("0", 32): false} {
		answer, _ := ask(t, "GET", at+path, "Accept", "text/html")
		held := answer.Header.Get("Content-Security-Policy")
		if strings.Contains(held, "frame-ancestors *") != foreign {
			t.Errorf("%s: %s", path, held)
		}
		if foreign && strings.Contains(held, "script-src") {
			t.Errorf("%s may run scripts: %s", path, held)
		}
	}
	_, page := ask(t, "GET", at+"/r/"+id)
	if !strings.Contains(page, `&lt;iframe src=&#34;`+at+`/embed/`+id) {
		t.Error("the page has no snippet to copy")
	}
	if _, body := ask(t, "GET", at+"/embed/"+id+"?theme=dark"); !strings.Contains(body, `data-theme="dark"`) {
		t.Error("its theme cannot be chosen")
	}
}

// TestAFrozenRunAsksNothingOfAServer reads the file for whatever a browser would fetch by itself.
func TestAFrozenRunAsksNothingOfAServer(t *testing.T) {
	p := newProgram(t)
	id := p.start(`{"preset": "catch", "steps": 8000}`)
	r := p.ended(id)
	_, body := ask(t, "GET", strings.TrimSuffix(p.url, "/api/v1")+"/r/"+id+"/frozen.html")
	if found := regexp.MustCompile(`\ssrc=|<link|@import|url\(|<img|<iframe|<script(?: id="run" type="application/json")?>`).
		FindAllString(body, -1); len(found) != 1 || !strings.HasPrefix(found[0], "<script id") {
		t.Errorf("it asks for %q", found)
	}
	for _, words := range []string{r.ParamsSHA256, `data-chart="return"`, "data:text/csv;base64,", `"params_sha256"`,
		"--pi: light-dark("} {
		if !strings.Contains(body, words) {
			t.Errorf("it does not hold %q", words)
		}
	}
}

// TestALoopThatFetchesFilesIsSlowedDown, and the page itself is not.
func TestALoopThatFetchesFilesIsSlowedDown(t *testing.T) {
	p := newProgram(t)
	id := p.start(`{"preset": "catch", "steps": 2000}`)
	p.ended(id)
	at := strings.TrimSuffix(p.url, "/api/v1") + "/r/" + id
	for i := range 10 * 60 {
		answer, body := ask(t, "GET", at+"/nothing.png")
		if answer.StatusCode == 404 {
			continue
		}
		if answer.StatusCode != 429 || i < 60 || answer.Header.Get("Retry-After") != "1" ||
			!strings.Contains(body, "wait a second") {
			t.Errorf("number %d: %d %v %s", i, answer.StatusCode, answer.Header, body)
		}
		if answer, _ := ask(t, "GET", at); answer.StatusCode != 200 {
			t.Errorf("the page: %d", answer.StatusCode)
		}
		return
	}
	t.Error("a loop may go on for ever")
}

// TestALoopThatReadsRunsIsSlowedDown: each page, and each file of curves, has the store read all that a run has told.
func TestALoopThatReadsRunsIsSlowedDown(t *testing.T) {
	p := newProgram(t)
	id := p.start(`{"preset": "catch", "steps": 2000}`)
	p.ended(id)
	at := strings.TrimSuffix(p.url, "/api/v1")
	for burst, paths := range map[int][]string{
		200: {"/r/nobody", "/embed/nobody", "/s/nobody"},
		600: {"/api/v1/runs/nobody/tape", "/api/v1/runs/nobody/curves.csv", "/api/v1/sweeps/nobody/cells/0"}} {
		slowed := false
		for i := range 10 * burst {
			answer, body := ask(t, "GET", at+paths[i%len(paths)])
			if answer.StatusCode == 404 {
				continue
			}
			if slowed = true; answer.StatusCode != 429 || i < burst || answer.Header.Get("Retry-After") != "1" ||
				!strings.Contains(body, "wait a second") {
				t.Errorf("%s, number %d: %d %v %s", paths, i, answer.StatusCode, answer.Header, body)
			}
			break
		}
		if !slowed {
			t.Errorf("a loop over %s may go on for ever", paths)
		}
	}
	if answer, _ := ask(t, "GET", at+"/api/v1/runs/"+id); answer.StatusCode != 200 {
		t.Errorf("how it stands: %d", answer.StatusCode)
	}
}

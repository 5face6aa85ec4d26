package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// finished starts a run at a server and returns its id when it is done.
func finished(t *testing.T, at, wanted string) (id string) {
	t.Helper()
	answer, err := http.Post(at+"api/v1/runs", "application/json", strings.NewReader(wanted))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var run struct{ ID string }
	if err := json.NewDecoder(answer.Body).Decode(&run); err != nil || answer.StatusCode != http.StatusCreated {
		t.Fatalf("%s, %v", answer.Status, err)
	}
	events, err := http.Get(at + "api/v1/runs/" + run.ID + "/events") // ends with the run
	if err != nil {
		t.Fatal(err)
	}
	defer events.Body.Close()
	if _, err := io.Copy(io.Discard, events.Body); err != nil {
		t.Fatal(err)
	}
	return run.ID
}

// fetch returns the target of a link.
func fetch(t *testing.T, at string) []byte {
	t.Helper()
	answer, err := http.Get(at)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", at, answer.Status, err)
	}
	return body
}

func TestARunGivesItsFilesByKeyboard(t *testing.T) {
	t.Parallel()
	at, ctx := serve(t), browser(t)
	id := finished(t, at, `{"preset":"catch","steps":4000,"speed":"inf"}`)
	do(t, ctx, "the run's page", chromedp.Navigate(at+"r/"+id), until(`document.readyState === "complete"`))
	reached := map[string]string{} // the end of a link's path → the link
	for range 80 {
		do(t, ctx, "Tab", chromedp.KeyEvent(kb.Tab))
		link, err := url.Parse(text(t, ctx, `document.activeElement.href ?? ""`))
		if err != nil {
			t.Fatal(err)
		}
		reached[link.Path[strings.LastIndex(link.Path, "/")+1:]] = link.String()
	}
	for name, begins := range map[string]string{"return.svg": "<svg", "return.png": "\x89PNG",
		"curves.csv": "", "tape": "{",
		"frozen.html": "<!doctype html>"} {
		if reached[name] == "" {
			t.Errorf("Tab does not reach %s", name)
			continue
		}
		if body := fetch(t, reached[name]); len(body) == 0 || !bytes.HasPrefix(body, []byte(begins)) {
			t.Errorf("%s begins with %.40q", name, body)
		}
	}
}

func TestARunsPagesSatisfyAxeAndItsOneFileOpensFromADisk(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	at, ctx := serve(t), browser(t)
	id := finished(t, at, `{"preset":"catch","steps":4000,"speed":"inf"}`)
	file := filepath.Join(t.TempDir(), "run.html")
	if err := os.WriteFile(file, fetch(t, at+"r/"+id+"/frozen.html"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, page := range []string{at + "r/" + id, at + "embed/" + id, at + "embed/" + id + "?theme=dark",
		"file://" + file} {
		do(t, ctx, page, chromedp.Navigate(page), until(`document.readyState === "complete"`), js(axe))
		for _, size := range looked() {
			resize(t, ctx, size.wide, size.high)
			do(t, ctx, page, until(fmt.Sprintf(`innerWidth === %d`, size.wide)), js(`top.axed = ""`), js(violations+"; 0"),
				until(`!!top.axed`))
			if found := text(t, ctx, "top.axed"); found != "none" {
				t.Errorf("%s at %dx%d:\n%s", page, size.wide, size.high, found)
			}
			if small := text(t, ctx, smallText); small != "" {
				t.Errorf("%s at %dx%d: %s", page, size.wide, size.high, small)
			}
			if got := text(t, ctx, screenNames); page == at+"r/"+id && got != leadsTo {
				t.Errorf("%s at %dx%d leads to %q, not %q", page, size.wide, size.high, got, leadsTo)
			}
			if over := text(t, ctx, `document.documentElement.scrollWidth - innerWidth`); over != "0" && !strings.HasPrefix(over, "-") {
				t.Errorf("%s at %dx%d is %s pixels too wide", page, size.wide, size.high, over)
			}
			if drawn := text(t, ctx, `document.querySelectorAll("svg path.line").length > 0`); drawn != "true" {
				t.Errorf("%s draws no line", page)
			}
		}
	}
}

//go:build slow

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// hostile are names that run a script where a page takes them for markup.
var hostile = []string{
	"<img src=x onerror=h=1>",
	"<svg onload=h=1>",
	"</script><script>h=1<",
	"\" onfocus=h=1 autofocus=",
	"${h=1}' onerror='h=1",
}

// active counts the effects of a name that is not only text: a script that ran, an attribute with one, a broken image.
const active = `String((top.h ?? 0) + [...document.querySelectorAll("*")].filter(e =>
	[...e.attributes].some(a => /^on/i.test(a.name) && a.value.includes("h=1") || /^\s*javascript:/i.test(a.value)) ||
	e.matches("img[src=x]") || e.tagName === "SCRIPT" && e.textContent.startsWith("h=1")).length)`

// Each name is on the board, in a room and of a remote actor; no page that shows it runs a script.
func TestHostileNamesAreTextInARealBrowser(t *testing.T) {
	server := launch(t, "127.0.0.1:0", t.TempDir())
	bare := unwatched(t) // the page's policy reports each attempt of the control
	do(t, bare, "control", chromedp.Navigate(server.url+"board"),
		js(fmt.Sprintf("document.body.innerHTML += %q", hostile[0])))
	if n := text(t, bare, active); n == "0" {
		t.Fatal("markup that is in the page is not found")
	}
	ctx := browser(t)
	look := func(page, shows string) {
		t.Helper()
		do(t, ctx, page, chromedp.Navigate(page), until(`document.readyState === "complete"`),
			until(fmt.Sprintf("document.body.textContent.includes(%q)", shows)))
		if n := text(t, ctx, active); n != "0" {
			t.Errorf("%s: %s scripts or elements of %q", page, n, shows)
		}
	}
	for i, name := range hostile {
		quoted, _ := json.Marshal(name)
		var entry struct{ ID, Page string }
		server.call("POST", "/board/catch-in-a-hurry/entries", fmt.Sprintf(`{"settings": {"mix": 0.1%d}, "nickname": %s}`, i+1,
			quoted), &entry)
		for _, page := range []string{"board/catch-in-a-hurry", "board/catch-in-a-hurry?season=1",
			strings.TrimPrefix(entry.Page, "/")} {
			look(server.url+page, name)
		}
		var room struct{ Code, Key string }
		server.call("POST", "/rooms", fmt.Sprintf(`{"title": %s, "plan": "exercises"}`, quoted), &room)
		server.call("POST", "/rooms/"+room.Code+"/members", fmt.Sprintf(`{"nickname": %s}`, quoted), new(struct{}))
		look(server.url+"class/"+room.Code+"#key="+room.Key, name)
		run := server.begins(40_000, "2000", `"mode": "live"`)
		actor, line := spawn(t, nil, "actor", "--server", server.url+"r/"+run, "--key", ownKey, "--name", name)
		if !strings.HasPrefix(line, "playing for") {
			t.Fatalf("%q: the actor says %q", name, line)
		}
		status, frozen := server.get("r/" + run + "/frozen.html")
		file := filepath.Join(t.TempDir(), "frozen.html")
		if err := os.WriteFile(file, []byte(frozen), 0o644); err != nil || status != 200 {
			t.Fatal(status, err)
		}
		for _, page := range []string{server.url + "r/" + run, "file://" + file} {
			do(t, ctx, page, chromedp.Navigate(page), until(`document.readyState === "complete" && !!document.querySelector("h1")`))
			if n := text(t, ctx, active); n != "0" {
				t.Errorf("%s: %s scripts or elements of %q", page, n, name)
			}
		}
		actor.Process.Kill()
	}
}

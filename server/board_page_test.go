//go:build slow

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// A visitor submits settings with the form and sees them trained without a reload. axe finds nothing on the pages of
// the track and the row.
func TestSettingsAreHandedInOnTheBoardAndSeenTrained(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	do(t, ctx, "the board", chromedp.Navigate(url+"board/catch-in-a-hurry?settings=lag%3D0"),
		until(`document.getElementById("refused-").textContent.includes("is fixed at 4 on Catch in a hurry")`),
		js(`document.getElementById("settings").value = "mix=0.25"; document.getElementById("nickname").value = "<i>Ada</i>";
			document.getElementById("settings").dispatchEvent(new Event("input"))`),
		until(`!document.querySelector("#hand-in button.main").disabled`), js(`top.same = true`),
		chromedp.Click("#hand-in button.main"))
	do(t, ctx, "its bar and the time left", until(`Number(document.querySelector("#tries progress")?.value) > 0`),
		until(`/ About \d+ (s|min) left\./.test(document.querySelector("#tries [data-part=left]").textContent)`))
	do(t, ctx, "its rank, without a reload", until(`top.same && document.querySelector("#tries .newest").dataset.state === "done"`),
		until(`/^Ranked .*, low end /.test(document.querySelector("#tries h2").textContent)`),
		until(`document.querySelector("#rows tr.own th a").textContent === "<i>Ada</i>"`))
	path := text(t, ctx, `document.querySelector("#tries .low").pathname`)
	answer, err := http.Get(url + "api/v1/board/catch-in-a-hurry/entries/" + path[strings.LastIndex(path, "/")+1:])
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, _ := io.ReadAll(answer.Body)
	var entry struct{ State, Rank string }
	if err := json.Unmarshal(body, &entry); err != nil || entry.State != "done" || entry.Rank == "" {
		t.Errorf("%v %s", err, body)
	}
	for _, page := range []string{path, "/board/catch-in-a-hurry"} {
		for _, size := range looked() {
			resize(t, ctx, size.wide, size.high)
			do(t, ctx, page, chromedp.Navigate(strings.TrimRight(url, "/")+page), until(`document.readyState === "complete"`))
			fits(t, ctx, size.wide, fmt.Sprintf("%s at %dx%d", page, size.wide, size.high))
		}
	}
}

package main

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Without a server the Lab opens a run's unroll in the microscope, and its numbers equal learner/correct. Back in the
// Lab the run is still there.
func TestTheMicroscopeShowsAnUnrollOfARunInTheBrowser(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	ctx := ownBrowser(t)
	url, _ := host(t)
	open(t, ctx, url+"lab/#v=1&p=lag-cliff&seed=7")
	do(t, ctx, "it learns", until(updates+" > 60"))
	do(t, ctx, "pause", js(`document.activeElement.blur()`), chromedp.KeyEvent(" "),
		until(`document.body.dataset.state === "paused"`))
	const steps = `Number(document.querySelector('[data-text="steps"]').textContent.replace(/\D/g, ""))`
	stood := text(t, ctx, steps)
	do(t, ctx, "M", chromedp.KeyEvent("m"))
	lands(t, ctx, `location.pathname === "/a/path/microscope/" && document.documentElement.dataset.ready === "true"`)
	do(t, ctx, "its address", until(`location.hash.startsWith("#run=here")`))
	left := text(t, ctx, `sessionStorage.getItem("impalab-unrolls")`)
	id, array, _ := strings.Cut(left, " ")
	var all []plain
	if err := json.Unmarshal([]byte(array), &all); err != nil || len(all) < 2 || all[0].Update < 60 {
		t.Fatalf("%.300s: %d unrolls, %v", left, len(all), err)
	}
	if title := text(t, ctx, `document.querySelector('[data-text="title"]').textContent`); !strings.Contains(title,
		"update "+strconv.FormatUint(all[0].Update, 10)+": trajectory 1 of "+strconv.Itoa(len(all))) {
		t.Errorf("it is titled %q", title)
	}
	do(t, ctx, "the first step", chromedp.Focus(`[data-part="touch"]`), chromedp.KeyEvent(kb.Home))
	walkThrough(t, ctx, &all[0], 1, 1)
	do(t, ctx, "the next trajectory", chromedp.Click(`[data-act="next"]`),
		until(`document.querySelector('[data-text="title"]').textContent.includes(": trajectory 2 of")`))
	do(t, ctx, "its first step", chromedp.Focus(`[data-part="touch"]`), chromedp.KeyEvent(kb.Home))
	walkThrough(t, ctx, &all[1], 1, 1)
	do(t, ctx, "back in the Lab", chromedp.Navigate(text(t, ctx, `document.querySelector('[data-part="lab"]').href`)),
		until(steps+" >= "+stood), until(`document.body.dataset.state !== "returning"`))
	bare(t, ctx, url+"microscope/#run="+id+"&update=1")
	if said := text(t, ctx, `document.querySelector("#note").textContent`); !strings.Contains(said, "open it again from the Lab") {
		t.Errorf("of an unroll that is not there it says %q", said)
	}
}

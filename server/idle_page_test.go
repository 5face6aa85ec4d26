//go:build slow

package main

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// An address with ?stage=0 leaves the world undrawn, and everything else works.
func TestAPageWithoutItsStageWorks(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	do(t, ctx, "open", chromedp.Navigate(url+"lab?stage=0#v=1&p=catch&seed=3&speed=4000"),
		until(`document.documentElement.dataset.ready === "true"`), until(updates+" > 20"))
	canvas := `document.querySelector("#stage").contentDocument.querySelector("canvas")`
	if text(t, ctx, canvas+" === null") != "true" {
		t.Error("the world is drawn")
	}
}

// After the start of a page, no task blocks its thread for more than 50 ms on an otherwise idle machine.
func TestNoTaskHoldsTheMainThreadUpOnceAPageHasStarted(t *testing.T) {
	const watched, most = 5 * time.Second, 2 // one of them may be the garbage collector
	load, err := os.ReadFile("/proc/loadavg")
	first, _, _ := strings.Cut(string(load), " ")
	if busy, _ := strconv.ParseFloat(first, 64); err != nil || busy > 0.3*float64(runtime.NumCPU()) {
		t.Skipf("it takes an idle machine; the load of this one is %q", first)
	}
	url, ctx := serve(t), browser(t)
	for _, path := range []string{"?stage=0", "lab?stage=0#v=1&p=lag-cliff&seed=7", "learn/late", "microscope", "board"} {
		do(t, ctx, "open "+path, chromedp.Navigate("about:blank"), chromedp.Navigate(url+path))
		if !strings.HasPrefix(path, "learn") && path != "board" {
			do(t, ctx, "it starts", until(`document.documentElement.dataset.ready === "true"`))
		}
		do(t, ctx, "it settles", chromedp.Sleep(2*time.Second), js(`top.long = [];
			new PerformanceObserver(list => top.long.push(...list.getEntries().map(e => e.duration))).observe({type: "longtask"})`),
			chromedp.Sleep(watched))
		n, _ := strconv.Atoi(text(t, ctx, "top.long.length"))
		t.Logf("/%s: %d tasks over 50 ms in %v: %s", path, n, watched, text(t, ctx, `top.long.join(", ")`))
		if n > most {
			t.Errorf("/%s: %d tasks over 50 ms", path, n)
		}
	}
}

//go:build slow

package main

import (
	"bytes"
	"context"
	"flag"
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
)

var (
	film     = flag.String("film", "", "folder for strips of pages in which bodies learn to walk")
	filmBody = flag.String("film-body", "hopper,walker,cheetah,humanoid", "presets to film")
)

// filmed are the moments of a strip, in seconds after the page was opened.
var filmed = []time.Duration{5, 15, 30, 45, 60, 80, 100, 120}

// Bodies learn in the worker of a page, without a server. The log has the return at each moment, the processor time of
// the main thread for each drawn frame, and the tasks over 50 ms. On the phone the main thread is four times slower,
// and the worker is not.
func TestBodiesLearnToWalkInAPage(t *testing.T) {
	if *film == "" {
		t.Skip("only with -film DIR")
	}
	for preset := range strings.SplitSeq(*filmBody, ",") {
		t.Run(preset+"-laptop", func(t *testing.T) { filmPage(t, preset, 1366, 650, 1) })
		t.Run(preset+"-phone", func(t *testing.T) { filmPage(t, preset, 390, 844, 4) })
	}
}

func filmPage(t *testing.T, preset string, width, height int64, slower float64) {
	ctx := ownBrowser(t)
	url, _ := host(t)
	frame(t, ctx, width, height, slower > 1)
	call(t, ctx, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: slower})
	call(t, ctx, performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks})
	began := time.Now()
	open(t, ctx, url+"lab#v=1&speed=inf&p="+preset)
	t.Logf("the first frame after %.1f s", time.Since(began).Seconds())
	do(t, ctx, "count long tasks", js(`top.long = [];
		new PerformanceObserver(list => top.long.push(...list.getEntries().map(e => Math.round(e.duration))))
			.observe({type: "longtask"})`))
	strip := image.NewNRGBA(image.Rectangle{})
	busy, frames := mainThread(t, ctx)
	for _, moment := range filmed {
		do(t, ctx, "it learns", chromedp.Sleep(time.Until(began.Add(moment*time.Second))))
		nowBusy, nowFrames := mainThread(t, ctx)
		t.Logf("after %d s: %s, return %s; %.1f ms of the main thread for each of %.0f frames", moment,
			text(t, ctx, `document.querySelector('[data-text="at"]').textContent`),
			text(t, ctx, `document.querySelector('[data-text="return"]').textContent`),
			1000*(nowBusy-busy)/(nowFrames-frames), nowFrames-frames)
		busy, frames = nowBusy, nowFrames
		strip = beside(strip, stage(t, ctx))
	}
	t.Logf("tasks over 50 ms: %s", text(t, ctx, `top.long.length + ", the longest of " + Math.max(...top.long) + " ms"`))
	var b bytes.Buffer
	if err := png.Encode(&b, strip); err != nil {
		t.Fatal(err)
	}
	_, name, _ := strings.Cut(t.Name(), "/")
	if err := os.WriteFile(filepath.Join(*film, name+".png"), small(t, b.Bytes()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// call sends the browser a command.
func call[P, R any](t *testing.T, ctx context.Context, command cdp.Command[P, R], params P) R {
	t.Helper()
	r, err := chromedp.Call(ctx, command, params)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// mainThread returns how long the page's main thread has worked, in seconds, and the frames that were drawn.
func mainThread(t *testing.T, ctx context.Context) (busy, frames float64) {
	t.Helper()
	for _, m := range call(t, ctx, performance.GetMetrics, cdp.Empty{}).Metrics {
		if m.Name == "TaskDuration" {
			busy = m.Value
		}
	}
	frames, err := chromedp.Run(ctx, chromedp.Evaluate[float64]("Number(document.documentElement.dataset.frames)"))
	if err != nil {
		t.Fatal(err)
	}
	return busy, frames
}

// stage returns the picture of the stage as it is drawn now.
func stage(t *testing.T, ctx context.Context) image.Image {
	t.Helper()
	type box struct{ Left, Top, Right, Bottom int }
	at, err := chromedp.Run(ctx, chromedp.Evaluate[box](`(() => {
		const r = document.querySelector("#stage").getBoundingClientRect(), s = devicePixelRatio;
		return { Left: Math.round(r.left * s), Top: Math.round(r.top * s), Right: Math.round(r.right * s),
			Bottom: Math.round(r.bottom * s) };
	})()`))
	if err != nil {
		t.Fatal(err)
	}
	whole := screenshot(t, ctx)
	cut := image.Rect(at.Left, at.Top, at.Right, at.Bottom).Intersect(whole.Bounds())
	out := image.NewNRGBA(cut.Sub(cut.Min))
	draw.Draw(out, out.Bounds(), whole, cut.Min, draw.Src)
	return out
}

// beside returns two pictures side by side.
func beside(left, right image.Image) *image.NRGBA {
	a, b := left.Bounds(), right.Bounds()
	out := image.NewNRGBA(image.Rect(0, 0, a.Dx()+b.Dx(), max(a.Dy(), b.Dy())))
	draw.Draw(out, a.Sub(a.Min), left, a.Min, draw.Src)
	draw.Draw(out, b.Sub(b.Min).Add(image.Pt(a.Dx(), 0)), right, b.Min, draw.Src)
	return out
}

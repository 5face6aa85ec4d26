package main

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"impalab/web/wire"
)

// Runs side by side in a real browser.

const (
	differ   = `document.querySelector('[data-part="differences"]').textContent`
	inHand   = `document.querySelector('.columns [aria-pressed="true"]').dataset.verb`
	kept     = `(localStorage["impalab-run"] ?? "").split(" ")`
	ofLetter = `document.querySelector('[data-verb="column-%d"]').textContent`
)

func columns(n int) chromedp.Action[chromedp.Void] {
	return until(fmt.Sprintf(`document.body.dataset.columns === "%d" &&
		document.documentElement.dataset.ready === "true" && %s[1] === location.hash &&
		%s[0].split(",").filter(Boolean).length === %d`, n, kept, kept, n))
}

// points returns the server's points of a run by update, for any holder of its id, up to an update or a later one.
func points(t *testing.T, url, id string, upTo uint64) map[uint64]*wire.Point {
	t.Helper()
	from := hail(t, url, &wire.Hello{Run: id})
	came := map[uint64]*wire.Point{}
	for newest, last, update := uint64(1), uint64(0), uint64(0); last < newest || update < upTo; {
		switch m := from.hear().(type) {
		case *wire.Welcome:
			if m.Run != id || m.Steers {
				t.Fatalf("asked for %s, was welcomed to %s, to steer it: %v", id, m.Run, m.Steers)
			}
			newest = max(1, m.Event)
		case *wire.Point:
			last, update, m.Event = m.Event, m.Update, 0
			came[m.Update] = m
		case wire.Event:
			last = *m.EventNumber()
		}
	}
	return came
}

// compare counts the updates in both runs, from a given one on, and the updates that differ.
func compare(a, b map[uint64]*wire.Point, from uint64) (common, unequal int) {
	for update, p := range a {
		if q := b[update]; q != nil && update >= from {
			common++
			if fmt.Sprint(*p) != fmt.Sprint(*q) { // NaN equals itself there
				unequal++
			}
		}
	}
	return common, unequal
}

func TestTwoColumnsFromOneSeedAreEqualUntilTheFirstDifference(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	open(t, ctx, url+"lab#v=1&p=cartpole&seed=7&speed=4000")
	do(t, ctx, "C", columns(1), chromedp.KeyEvent("c"), columns(2))
	ids := strings.Split(text(t, ctx, kept+"[0]"), ",")
	if said := text(t, ctx, differ); said != "A and B have the same settings and seed" {
		t.Errorf("the page says %q", said)
	}
	do(t, ctx, "B is in hand", until(inHand+` === "column-2"`))
	if common, unequal := compare(points(t, url, ids[0], 40), points(t, url, ids[1], 40), 0); common < 10 || unequal > 0 {
		t.Errorf("at %d of %d updates the two are not equal", unequal, common)
	}

	do(t, ctx, "lag 8 for B", chromedp.Focus(`[data-key="lag"] [data-part="number"]`),
		js(`document.activeElement.select()`), chromedp.KeyEvent("8\r"),
		until(differ+` === "A and B differ in: policy lag 0 | 8"`), js(`document.activeElement.blur()`))
	var from uint64
	fmt.Sscan(text(t, ctx, updates), &from)
	a, b := points(t, url, ids[0], from+30), points(t, url, ids[1], from+30)
	if common, unequal := compare(a, b, from+10); common < 5 || unequal < common/2 {
		t.Errorf("after lag 8 at update %d the two are unequal at %d of %d updates: A until %d, B until %d", from, unequal,
			common, slices.Max(slices.Collect(maps.Keys(a))), slices.Max(slices.Collect(maps.Keys(b))))
	}

	do(t, ctx, "A in hand", chromedp.KeyEvent("1"), until(inHand+` === "column-1"`),
		until(fmt.Sprintf(force+`.startsWith("0")`, "lag")), columns(2))
	do(t, ctx, "F5", chromedp.Reload(), columns(2), until(differ+` === "A and B differ in: policy lag 0 | 8"`))
	if after := strings.Split(text(t, ctx, kept+"[0]"), ","); !reflect.DeepEqual(after, ids) {
		t.Errorf("runs %q before the reload, %q after", ids, after)
	}
	if said := text(t, ctx, `document.querySelector("#notice").hidden`); said != "true" {
		t.Errorf("after the reload: %q", text(t, ctx, `document.querySelector("#notice").textContent`))
	}
}

// A run keeps its colour when another is selected. The selected one has a frame.
func TestARunKeepsItsColourInTheLab(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	const colours = `JSON.stringify([...document.querySelectorAll('[data-chart="return"] .sign')].map(s =>
		s.textContent + getComputedStyle(s).fill).concat(
		[...document.querySelectorAll(".columns .badge:not([hidden])")].map(b =>
		b.dataset.verb + getComputedStyle(b).color)).sort())`
	const letters, framed = `document.querySelectorAll('[data-chart="return"] .sign').length`,
		`document.querySelector('[data-chart="return"] .framed + .sign').textContent`
	resize(t, ctx, 1366, 650)
	open(t, ctx, url+"lab#v=1&p=lag-cliff&seed=7&speed=4000&b=correction%3Dnone&b=lag%3D0")
	do(t, ctx, "three curves", columns(3), until(letters+" === 3"), chromedp.KeyEvent("1"), until(inHand+` === "column-1"`),
		until(framed+` === "A"`))
	before := text(t, ctx, colours)
	for i, letter := range []string{"B", "C"} {
		do(t, ctx, letter, chromedp.KeyEvent(fmt.Sprint(i+2)), until(fmt.Sprintf(inHand+` === "column-%d"`, i+2)),
			until(fmt.Sprintf(framed+` === %q`, letter)), until(letters+" === 3"))
		if after := text(t, ctx, colours); after != before {
			t.Errorf("with %s selected the colours are %s, before %s", letter, after, before)
		}
	}
	do(t, ctx, "the figures have the colours of their runs", until(`(part =>
		part('.readings [data-text="return"]') === part("body") &&
		part('.readings [data-text="beside-return-1"]') === part('[data-verb="column-1"]'))(e =>
		getComputedStyle(document.querySelector(e)).color)`))
	fits(t, ctx, 1366, "three runs")
}

func TestColumnsComeAndGoByKeyboardAndNoRunIsLost(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	url, ctx := serve(t), browser(t)
	open(t, ctx, url+"lab#v=1&p=catch&seed=3&speed=400&b=correction%3Dnone")
	do(t, ctx, "a link of two columns", columns(2), until(differ+`.includes("orrection V-trace | ")`))
	ids := text(t, ctx, kept+"[0]")
	do(t, ctx, "pause", chromedp.KeyEvent(" "), until(`document.body.dataset.state === "paused"`),
		chromedp.KeyEvent("2"), until(inHand+` === "column-2"`), until(`document.body.dataset.state === "paused"`))
	do(t, ctx, "X", chromedp.KeyEvent("x"), columns(1))
	if link := text(t, ctx, "location.hash"); strings.Contains(link, "b=") {
		t.Errorf("the link of one column is %s", link)
	}
	same := until(fmt.Sprintf(kept+"[0] === %q", ids))
	do(t, ctx, "Z brings B's run back", chromedp.KeyEvent("z"), columns(2), same,
		until(`document.body.dataset.state === "paused"`))
	do(t, ctx, "N", chromedp.KeyEvent("n"), until(differ+`.includes("eed 3 | ")`), columns(2))
	do(t, ctx, "Z brings back the run before the new seed", chromedp.KeyEvent("z"), same, columns(2),
		until("!"+differ+`.includes("eed")`))
	do(t, ctx, "a click on the picture of A", js(`{
		const stage = document.querySelector("#stage").contentWindow;
		stage.document.body.dispatchEvent(new stage.MouseEvent("click", {bubbles: true, clientX: 20, clientY: 20}));
	}`), until(inHand+` === "column-1"`))
	for n := 3; n <= 4; n++ {
		do(t, ctx, "C", chromedp.KeyEvent("c"), columns(n),
			until(fmt.Sprintf(ofLetter+`.startsWith("%c")`, n, 'A'+n-1)))
	}
	do(t, ctx, "no fifth", until(`document.querySelector('[data-verb="compare"]').disabled`), chromedp.KeyEvent("c"),
		until(`document.querySelector("#announce").textContent.includes("room for four")`), columns(4))
}

func TestWithoutWebGLThePageSaysSoAndItsChartsContinue(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), ownBrowser(t, chromedp.Flag("disable-3d-apis", true))
	do(t, ctx, "open", chromedp.Navigate(url+"lab#v=1&p=cartpole&seed=3&b=lag%3D8"), columns(2),
		until(`document.querySelector("#stage").contentDocument.querySelector("#note").textContent
			.includes("cannot draw the world")`),
		until(`document.querySelector('[data-chart="return"] .line') !== null`))
	drawn := text(t, ctx, `document.querySelector('[data-chart="return"]').innerHTML`)
	do(t, ctx, "charts go on", chromedp.KeyEvent("2"),
		until(fmt.Sprintf(`document.querySelector('[data-chart="return"]').innerHTML !== %q`, drawn)))
}

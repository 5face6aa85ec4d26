package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"impalab/learner/kernel"
)

// A run moves: from a page of a server into the browser and back, and from a page without a server.

// whereItTrains is a script that returns the place in the masthead.
const whereItTrains = `document.querySelector('.masthead [data-part="where"]').textContent`

// move opens the dialog with the place of training, accepts its offer, and waits for a sign of the move.
func move(t *testing.T, ctx context.Context, offer, sign string) {
	t.Helper()
	const act = `document.querySelector('#carry [data-part="carry-act"]:not([hidden])')`
	do(t, ctx, offer, js(`document.querySelector('.masthead [data-part="where"]').click()`),
		until(fmt.Sprintf(`%s?.textContent === %q`, act, offer)), js(act+`.click()`), until(sign), passes("1000"))
}

// passes waits until a run has passed a step.
func passes(step string) chromedp.Action[chromedp.Void] {
	return until(`document.body.dataset.state === "running" &&
		Number(document.querySelector('[data-text="steps"]').textContent.replace(/\D/g, "")) > ` + step)
}

const (
	inBrowser = whereItTrains + ` === "in this browser"`
	onServer  = whereItTrains + `.startsWith("on the server")`
)

func TestARunMovesFromTheServerToTheBrowserAndBack(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	url, ctx := serve(t), browser(t)
	open(t, ctx, url+"lab#v=1&p=catch&seed=3&speed=2000&arithmetic=plain&hidden=17")
	do(t, ctx, "it trains on the server", until(onServer), passes("1000"))
	move(t, ctx, "Continue in this browser", inBrowser)
	move(t, ctx, "Continue on the server", onServer)
	do(t, ctx, "undo comes back to the browser", chromedp.KeyEvent("z"), until(inBrowser))
}

func TestARunInTheProcessorsArithmeticSaysThatItCannotMove(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	url, ctx := serve(t), browser(t)
	open(t, ctx, url+"lab#v=1&p=catch&seed=3&speed=2000")
	do(t, ctx, "it trains on the server", passes("1000"))
	if kernel.Arithmetic() == kernel.Plain {
		t.Skip("this machine has no other arithmetic")
	}
	move(t, ctx, "Start in this browser", inBrowser+` && location.hash.includes("arithmetic=plain")`)
	do(t, ctx, "pictures do not", js(`location.hash = "#v=1&p=breakout"`), until(onServer+` &&
		document.querySelector('[data-text="world"]').textContent === "Breakout" &&
		document.body.dataset.state === "running"`), js(`document.querySelector('.masthead [data-part="where"]').click()`),
		until(`/This run cannot move: .*pictures/.test(document.querySelector('#carry [data-part="carry-said"]').textContent)`))
}

func TestAPageWithoutAServerLeadsToOneItKnows(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	server, ctx := serve(t), ownBrowser(t)
	url, _ := host(t, "--server", server)
	open(t, ctx, url+"lab/#v=1&p=catch&seed=3&speed=2000")
	do(t, ctx, "it trains here", passes("1000"))
	do(t, ctx, "the way to the server", js(`document.querySelector('.masthead [data-part="where"]').click()`),
		until(`!!document.querySelector('#carry [data-part="carry-away"]:not([hidden])')`))
	to := text(t, ctx, `document.querySelector('#carry [data-part="carry-away"]').href`)
	if !strings.HasPrefix(to, server+"lab#v=1") || !strings.Contains(to, "arithmetic=plain") ||
		!strings.Contains(to, "upto=") {
		t.Fatalf("it leads to %s", to)
	}
	open(t, ctx, to)
	do(t, ctx, "it goes on there", passes("1000"))
}

// The run is past update 12 before its page shows anything.
func TestAPageWithoutAServerMakesAMomentAgain(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	ctx := ownBrowser(t)
	url, _ := host(t)
	open(t, ctx, url+"lab/#v=1&p=catch&seed=3&speed=inf&steps=40000&at=12")
	do(t, ctx, "it is held at its update",
		until(`document.querySelector('[data-text="moment"]').textContent === "update 12, held"`))
}

// A run in a browser stops with its page and returns with it, retrained to the same update.
func TestARunOfTheBrowserContinuesWhenItsPageOpensAgain(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	ctx := ownBrowser(t)
	url, _ := host(t)
	const came = 4000
	open(t, ctx, url+"lab/#v=1&p=catch&seed=3&speed=4000")
	do(t, ctx, "it trains here", passes(strconv.Itoa(came)), chromedp.Reload())
	do(t, ctx, "it says so", until(`document.querySelector("#notice").textContent.includes("retrained up to step")`),
		until(inBrowser), passes(strconv.Itoa(came)))
	said := text(t, ctx, `document.querySelector("#notice").textContent.match(/up to step ([\d\u2009]+)/)[1]
		.replace(/\D/g, "")`)
	if step, err := strconv.Atoi(said); err != nil || step < came {
		t.Errorf("it goes on from step %q, and had come to %d", said, came)
	}
}

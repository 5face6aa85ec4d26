package main

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"impalab/server/class"
	"impalab/server/site/api"
)

// forging is a script of a student's page: an actor of its own that flips a bit of each block before it sends it.
const forging = `(async () => {
	const { exec, kernels, program, build } = document.body.dataset;
	const key = JSON.parse(localStorage.getItem("impalab-class"))[%q].secret;
	for (const src of [exec, kernels]) {
		const script = document.createElement("script");
		script.src = src;
		await new Promise((loaded) => { script.onload = loaded; document.head.append(script); });
	}
	const go = new Go();
	go.argv = ["worker", "", build, "0", ""];
	const begun = new Promise((began) => { window.began = began; });
	go.run(await instantiateGo(await (await fetch(program)).arrayBuffer(), go.importObject));
	await begun;
	const one = actor("room:" + %[1]q, key), line = new WebSocket("ws://" + location.host + "/api/actor");
	line.binaryType = "arraybuffer";
	line.onopen = () => line.send(one.join);
	line.onmessage = ({ data }) => {
		const block = one.hear(new Uint8Array(data));
		if (!block) return;
		block[block.length >> 1] ^= 1;
		line.send(block);
	};
})(); 0`

// tabs are students of a room, each in a window of a browser.
func (r *taught) tabs(names ...string) (windows []context.Context) {
	r.t.Helper()
	for _, name := range names {
		ctx := browser(r.t)
		resize(r.t, ctx, 390, 844)
		do(r.t, ctx, name+" joins", chromedp.Navigate(r.url+"class/"+r.code),
			until(`!document.querySelector("#door").hidden`),
			js(fmt.Sprintf(focusOn, "#join-room input")), chromedp.KeyEvent(name+"\r"), says("Step 1 of 13"))
		windows = append(windows, ctx)
	}
	return windows
}

// awaits reads the teacher's view until a condition holds.
func (r *taught) awaits(what string, suits func(*class.Teacher) bool) *class.Teacher {
	r.t.Helper()
	for until := time.Now().Add(8 * time.Minute); ; time.Sleep(500 * time.Millisecond) {
		var v api.View
		r.send("GET", "/view", "", &v)
		if suits(v.Teacher) {
			return v.Teacher
		}
		if time.Now().After(until) {
			r.t.Fatalf("%s: never came: %+v", what, v.Teacher.Fleet)
		}
	}
}

// Five tabs train CartPole while a sixth forges. The wall and the run agree on each. Then the same five act in lockstep
// and end with the parameters of the run alone.
func TestFiveTabsTrainCartPoleForTheirClass(t *testing.T) {
	atLeisure(t)
	server := launch(t, "127.0.0.1:0", t.TempDir())
	r := newTaught(t, server.url, "first-contact")
	windows := r.tabs("Ada", "Bo", "Chiara", "Dmitri", "Elif", "Eve")
	honest, eve := windows[:5], windows[5]
	wall := browser(t)
	resize(t, wall, 1366, 650)
	press := func(words string) chromedp.Action[chromedp.Void] {
		return js(fmt.Sprintf(`[...document.querySelectorAll("button")].find(b => b.textContent === %q).click()`, words))
	}
	shown := func(words string) chromedp.Action[chromedp.Void] {
		return until(fmt.Sprintf(`document.querySelector("#teacher").textContent.includes(%q)`, words))
	}
	do(t, wall, "the teacher begins", chromedp.Navigate(r.url+"class/"+r.code+"#key="+r.key), shown("Eve"),
		until(`!location.hash`), press("Fleet"), js(`document.querySelectorAll("dialog [name=which]")[1].click()`),
		press("Begin"), shown("The class acts"))
	getReady := func() {
		for _, ctx := range honest {
			do(t, ctx, "a student is ready", says("when you are ready"), press("Ready"))
		}
	}
	begun := r.awaits("the run", func(v *class.Teacher) bool { return v.Fleet != nil && v.Fleet.World != "" })
	if begun.Fleet.Acting > 0 {
		t.Errorf("%d browsers act before anybody is ready", begun.Fleet.Acting)
	}
	getReady()
	do(t, eve, "Eve is ready", says("when you are ready"), press("Ready"))
	do(t, eve, "Eve's page acts", says("steps of yours"), press("Let my browser rest"), says("Your browser rests"))
	do(t, eve, "Eve forges", js(fmt.Sprintf(forging, r.code)))
	before := r.awaits("Eve's forgeries", func(v *class.Teacher) bool { return v.Fleet.Forged > 3 })
	steps := func(v *class.Teacher, name string) (of class.Actor) {
		for _, tile := range v.Tiles {
			if tile.Nickname == name && tile.Acts != nil {
				of = *tile.Acts
			}
		}
		return of
	}
	is := r.awaits("CartPole above 300", func(v *class.Teacher) bool {
		return v.Fleet.Return != nil && *v.Fleet.Return > 300
	})
	for _, name := range []string{"Ada", "Bo", "Chiara", "Dmitri", "Elif"} {
		if a := steps(is, name); a.Steps == 0 || a.Forged > 0 || a.Lag == nil {
			t.Errorf("%s: %+v", name, a)
		}
	}
	forged := steps(is, "Eve")
	if was := steps(before, "Eve"); forged.Steps != was.Steps || forged.Forged < 20 { // then the server disconnects it
		t.Errorf("Eve had %+v, then %+v", was, forged)
	}
	t.Logf("return %.0f after %d steps, %.0f %% of them the class's, lag %.1f; %d forged", *is.Fleet.Return,
		is.Fleet.Steps, 100*is.Fleet.Share, *is.Fleet.Lag, forged.Forged)
	if is.Fleet.Share < .5 {
		t.Error("the server's own actor played most of it")
	}
	do(t, wall, "the wall", shown("forged blocks, dropped"), press("Switch the correction off"),
		shown("Switch the correction on"))
	do(t, honest[0], "the students read it", says("switched the correction off"))
	fits(t, wall, 1366, "the wall")
	fits(t, honest[0], 390, "a student who acts")

	const lockstep = `"mode": "reference", "collect": "trajectory", "actors": "5", "speed": "4000", "steps": "40000",
		"arithmetic": "plain", "lag": "2"`
	r.send("PATCH", "", `{"fleet": {"settings": {"preset": "cartpole", `+lockstep+`}}}`, nil)
	getReady()
	end := r.awaits("the end of the lockstep run", func(v *class.Teacher) bool { return v.Fleet.State == "done" })
	var alone api.Started
	server.call("POST", "/runs", `{"preset": "cartpole", "settings": {`+strings.Replace(lockstep, "4000\"", "inf\"", 1)+`}}`,
		&alone)
	want, got := server.awaitsOf(alone.ID, "the end of the run alone", done), new(api.Run)
	server.call("GET", "/runs/"+end.Fleet.Run, "", got)
	if got.ParamsSHA256 != want.ParamsSHA256 || got.ParamsSHA256 == "" || end.Fleet.Share < .3 {
		t.Errorf("in lockstep, %.0f %% of it the class's, it comes to %.12s, alone to %.12s", 100*end.Fleet.Share,
			got.ParamsSHA256, want.ParamsSHA256)
	}
	r.send("PATCH", "", `{"fleet": {"on": false}}`, nil)
	for _, ctx := range honest {
		do(t, ctx, "the page without a fleet", until(`document.querySelector("#student .fleet").hidden`), says("Step 1 of 13"))
	}
}

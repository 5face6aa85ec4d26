//go:build js && wasm

package page

import (
	"strconv"
	"syscall/js"

	"impalab/envs"
	"impalab/wasm/browser"
	"impalab/wasm/firstpage"
	drawn "impalab/web/chart"
)

// bindSteps shows the steps of the story. The number of a step holds the chart at its moment.
func (f *first) bindSteps() {
	p := f.page
	of := func(i int) firstpage.Step {
		if i < len(f.steps) {
			return f.steps[i]
		}
		return firstpage.Step{}
	}
	for i, place := range findAll(p.body, ".steps li") {
		p.shows.hidden(place, func() bool { return i >= len(f.steps) })
		p.shows.attribute(place, "data-step", func() string { return of(i).State })
		p.shows.text(part(place, "before"), func() string { return of(i).Before })
		p.shows.text(part(place, "main"), func() string { return of(i).Main })
		p.shows.attribute(part(place, "main"), "class", func() string { return of(i).Tone })
		p.shows.text(part(place, "after"), func() string { return of(i).After })
		numeral := find(place, ".badge")
		p.shows.toggle(numeral, "disabled", func() bool { return of(i).At == 0 })
		clicks(numeral, func() { f.pin(of(i).At) })
	}
	browser.On(f.chart.element, "click", func(event js.Value) {
		numeral := event.Get("target").Call("closest", "[data-numeral]")
		if !numeral.Truthy() {
			f.pin(0)
		} else if step, err := strconv.ParseUint(data(numeral, "numeral"), 10, 64); err == nil {
			f.pin(step)
		}
	})
}

// pin fixes the cursor of the chart at a step, or releases it if it is there.
func (f *first) pin(step uint64) {
	if f.Cursor == step {
		step = 0
	}
	f.Cursor = step
	f.page.scheduleDraw()
}

// bindWhy lets "Why?" take the place of the story.
func (f *first) bindWhy() {
	p := f.page
	box, link := find(p.body, "#why"), find(p.body, `[data-verb="why"]`)
	open := func(on bool) {
		if !hide(box, !on) {
			return
		}
		p.body.Get("dataset").Set("why", strconv.FormatBool(on))
		link.Call("setAttribute", "aria-expanded", strconv.FormatBool(on))
		if on {
			box.Set("scrollTop", 0)
			find(box, "h2").Call("focus")
		} else {
			link.Call("focus")
		}
		p.scheduleDraw()
	}
	parted := part(box, "parted")
	p.shows.text(parted, f.Parted)
	p.shows.hidden(parted, func() bool { return f.Parted() == "" })
	clicks(link, func() { open(box.Get("hidden").Bool()) })
	clicks(find(box, `[data-verb="back"]`), func() { open(false) })
	p.listen("keydown", false, func(event js.Value) {
		if words(event, "key") == "Escape" {
			open(false)
			f.pin(0)
		}
	})
}

// bindWords makes the marked words of the caption a second handle of the slider: a drag sideways turns it.
func (f *first) bindWords() {
	const stop = 32.0 // pixels
	from, at := 0.0, 0
	offer := func(name string) {
		f.slider.Call("dispatchEvent", js.Global().Get("Event").New(name, map[string]any{"bubbles": true}))
	}
	drag(find(f.page.body, `[data-say="when"]`), func(event js.Value) bool {
		from, at = event.Get("clientX").Float(), whole(f.slider)
		return true
	}, func(event js.Value) {
		next := at + int((event.Get("clientX").Float()-from)/stop)
		if next = min(max(next, 0), len(drawn.Lags)-1); next != whole(f.slider) {
			setValue(f.slider, strconv.Itoa(next))
			offer("input")
		}
	}, ignore, func() {
		if whole(f.slider) != at {
			offer("change")
		}
	})
}

// newPole draws a learner's stick for a browser without a canvas.
func (f *first) newPole(element js.Value, side int) *chart {
	class := [...]string{"pi", "strong"}[side]
	stick := func() (envs.Stick, bool) {
		r := f.Runs()[side]
		if r.Tumble.Falls() {
			return r.Tumble.Stick(), true
		}
		return stickOf(r.Frame)
	}
	return &chart{element: element, revision: func() any {
		s, _ := stick()
		return [...]any{s.X, s.Lean, f.Runs()[side].Tumble.Down()}
	}, show: func(w, h float64) string {
		s, _ := stick()
		r := f.Runs()[side]
		var fan []float32
		if r.Tumble.Falls() {
			fan = r.Tumble.Fan
		}
		return drawn.DrawPole(class, float64(s.X), float64(s.Track), float64(s.Lean), r.Tumble.Down(), fan, w, h)
	}}
}

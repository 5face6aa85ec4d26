//go:build js && wasm

package page

import (
	"strconv"
	"syscall/js"

	"impalab/wasm/browser"
	"impalab/wasm/firstpage"
	"impalab/wasm/model"
	"impalab/wasm/run"
	drawn "impalab/web/chart"

	"impalab/web/link"
)

// first is the first experiment around the stage: the story, and the elements that tell it.
type first struct {
	firstpage.Story
	page *Page

	chart   *chart
	poles   []*chart // without a canvas
	belt    belt
	slider  js.Value
	leadOn  func()           // makes the link to the Lab lead to both runs
	dragged bool             // a person drags the slider
	steps   []firstpage.Step // as drawn
	said    []string         // by the story; the two runs themselves say nothing
}

// openFirst shows the first experiment.
func (p *Page) openFirst() {
	p.stage.Plain()
	f := &first{page: p}
	p.first = f
	f.Runs = func() (runs [2]*run.Run) {
		copy(runs[:], p.model.Runs)
		return runs
	}
	f.After = p.after
	f.Say = func(words string) { f.said = append(f.said, words) }
	hash := p.hash()
	f.Begin(hash)
	p.newModel(link.InLab(hash))
	f.Send = p.model.Send
	p.resume(firstName, hash)
	f.bind()
	p.sync()
	p.bindDialogs()
	p.bindTheme()
	browser.On(p.window, "hashchange", func(js.Value) {
		if hash := p.hash(); hash != f.Link() {
			f.open(hash)
		}
	})
	browser.On(p.window, "resize", func(js.Value) { p.scheduleDraw() })
	p.scheduleDraw()
}

func (f *first) open(hash string) {
	p := f.page
	f.Begin(hash)
	f.dragged, f.chart.shown = false, nil
	p.model.Open(link.InLab(hash))
	p.sync()
	p.columns[0].Redial() // the other column is new
	p.applyTheme()
	p.scheduleDraw()
}

func (f *first) bind() {
	p := f.page
	runs := f.Runs
	f.chart = &chart{element: part(p.body, "story"), show: f.Chart, revision: f.Revision}
	p.shows.attribute(f.chart.element, "aria-label", f.Describe)
	f.belt = belt{box: &chart{element: part(p.body, "belt")}, keys: findAll(p.body, "[data-part=key]"), read: f.readBelt}
	f.slider = find(p.body, "#lag")
	lab := part(p.body, "lab")
	address, target := lab.Call("getAttribute", "href").String(), attribute(lab, "href")
	f.leadOn = func() { target.write(address + p.model.Fragment()) }
	p.shows.add(func() {
		if shown, err := strconv.Atoi(runs()[1].Control("lag").Shown()); err == nil && !f.dragged {
			setValue(f.slider, strconv.Itoa(drawn.Stop(shown)))
		}
	})
	for i, name := range [...]string{"lead", "when"} {
		p.shows.text(find(p.body, `[data-say="`+name+`"]`), func() string { return firstpage.Caption(f.shownLag())[i] })
	}
	p.shows.text(part(p.body, "lag"), func() string { return strconv.Itoa(f.shownLag()) })
	p.shows.attribute(f.slider, "aria-valuetext", func() string { return firstpage.Updates(f.shownLag()) })
	for i, side := range [...]string{"left", "right"} {
		learner, right := find(p.body, `[data-learner="`+side+`"]`), i == 1
		p.shows.text(part(learner, "name"), func() string { return f.Name(right) })
		p.shows.text(part(learner, "manner"), func() string { return f.Manner(right) })
		p.shows.text(part(learner, "score"), func() string { score, _ := f.Shown(right); return score })
		p.shows.text(part(learner, "unit"), func() string { _, unit := f.Shown(right); return unit })
		p.shows.attribute(learner, "data-down", func() string { return strconv.FormatBool(runs()[i].Tumble.Lies()) })
		p.shows.attribute(learner, "data-weak", func() string { return strconv.FormatBool(right && f.Weak()) })
		push := find(learner, `[data-verb="push"]`)
		p.shows.toggle(push, "disabled", func() bool { return !runs()[i].Lively() || runs()[i].Tumble.Falls() })
		clicks(push, func() { f.push(i, true) })
		f.poles = append(f.poles, f.newPole(part(learner, "pole"), i))
	}
	p.onStage(f.push)
	p.observe(append(f.poles, f.chart, f.belt.box))
	f.bindSteps()
	f.bindWhy()
	aside := part(p.body, "aside")
	p.shows.attribute(aside, "data-about", func() string { kind, _ := f.Aside(f.shownLag()); return kind })
	p.shows.text(part(aside, "aside-title"), func() string { _, title := f.Aside(f.shownLag()); return title })
	fresh := part(p.body, "fresh")
	p.shows.hidden(fresh, func() bool {
		return f.shownLag() == 0 || f.Phase != firstpage.Held && f.Phase != firstpage.Unaided
	})
	p.shows.attribute(p.body, "data-experiment", f.Experiment)
	p.shows.text(part(p.body, "measure"), f.Measure)
	clicks(find(fresh, "button"), func() { f.Drag("0"); p.scheduleDraw() })
	act, pause := text(part(p.body, "act")), find(p.body, `[data-verb="hold"]`)
	p.shows.add(func() { act.say(f.Act()) })
	p.shows.toggle(act.element, "disabled", func() bool { return !p.model.Ready() })
	p.shows.text(part(p.body, "hint"), func() string { return f.Hint(f.shownLag()) })
	p.shows.text(pause, func() string { return map[bool]string{false: "Pause", true: "Continue"}[f.Still()] })
	p.shows.toggle(pause, "disabled", func() bool { return f.Phase == firstpage.Held || !p.model.Ready() })
	p.shows.attribute(p.body, "data-phase", func() string { return f.Phase.String() })
	p.shows.attribute(p.body, "data-state", func() string { return runs()[1].StateName() })

	// The slider asks less often than the Lab's: a stop that a hand only passes is not a change.
	pace := model.Pace{Every: 3 * drawEvery, After: p.after, Send: func(_, lag string) { f.Drag(lag) }}
	onSlide(f.slider, &pace, "lag", func(dragged bool) string {
		f.dragged, f.Touched = dragged, true
		f.belt.draw() // in the frame of the finger
		p.scheduleDraw()
		return strconv.Itoa(f.shownLag())
	})
	f.bindWords()
	clicks(act.element, func() {
		if f.Press() {
			f.open(f.Again())
		}
		p.scheduleDraw()
	})
	clicks(pause, f.toggle)
	clicks(find(p.body, `[data-verb="share"]`), p.share)
	clicks(find(p.body, `[data-verb="theme"]`), p.nextTheme)
	clicks(lab, func() { // the Lab returns to both runs, as after a reload
		p.storeRuns(runName, p.model.Fragment())
		p.saveRuns()
	})
	p.listen("keydown", false, f.key)
}

// push pushes the watched agent of a side.
func (f *first) push(side int, forward bool) {
	f.Runs()[side].Push(forward)
	f.page.scheduleDraw()
}

func (f *first) toggle() {
	f.Toggle()
	f.page.scheduleDraw()
}

// key lets Space pause and S share wherever the focus is, unless the focused element takes the key.
func (f *first) key(event js.Value) {
	if event.Get("defaultPrevented").Bool() || event.Get("repeat").Bool() || f.page.dialogOpen() {
		return
	}
	switch model.KeyAct(pressed(event)) {
	case model.PlayPause:
		event.Call("preventDefault") // Space would scroll
		f.toggle()
	case model.Share:
		f.page.share()
	}
}

func (f *first) shownLag() int {
	return drawn.Lags[min(max(whole(f.slider), 0), len(drawn.Lags)-1)]
}

// draw moves the worlds; the bindings show all else.
func (f *first) draw() {
	p := f.page
	f.steps = f.Steps(f.shownLag())
	for i, c := range p.columns {
		c.run.Helpless = i == 1 && f.Lies()
		c.run.Plays = f.Phase == firstpage.Held || f.Phase == firstpage.Over
		c.run.Calm = p.calm.Matches()
		c.startAnimation()
	}
	p.model.Announcements, f.said = f.said, nil
}

// drawCharts draws the chart, the belt and, without a canvas, the poles.
func (f *first) drawCharts() {
	f.chart.draw()
	f.belt.draw()
	if data(f.page.root, "frames") == "" && f.Experiment() == link.First {
		for _, pole := range f.poles {
			pole.draw()
		}
	}
}

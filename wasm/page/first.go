//go:build js && wasm

package page

import (
	"strconv"
	"syscall/js"

	"impalab/wasm/browser"
	"impalab/wasm/firstpage"
	"impalab/wasm/model"
	"impalab/wasm/run"
)

// first is the first experiment around the stage: the story, and the elements that tell it.
type first struct {
	firstpage.Story
	page *Page

	chart   *chart
	slider  js.Value
	dragged bool     // a person drags the slider
	said    []string // by the story; the two runs themselves say nothing
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
	f.Begin()
	hash := p.hash()
	p.newModel(firstpage.Open(hash))
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
	f.Begin()
	f.dragged, f.chart.shown = false, nil
	p.model.Open(firstpage.Open(hash))
	p.sync()
	p.columns[0].Redial() // the other column is new
	p.applyTheme()
	p.scheduleDraw()
}

func (f *first) bind() {
	p := f.page
	runs := f.Runs
	f.chart = &chart{element: part(p.body, "story"), show: f.Chart, revision: f.Revision}
	p.shows.attribute(f.chart.element, "aria-label", f.Told)
	p.observe([]*chart{f.chart})
	f.slider = find(p.body, "#lag")
	lab := part(p.body, "lab")
	address := lab.Call("getAttribute", "href").String()
	p.shows.attribute(lab, "href", func() string { return address + p.model.Fragment() })
	p.shows.add(func() {
		if shown, err := strconv.Atoi(runs()[1].Control("lag").Shown()); err == nil && !f.dragged {
			put(f.slider, strconv.Itoa(firstpage.Stop(shown)))
		}
	})
	for i, name := range [...]string{"lead", "when", "tail"} {
		p.shows.text(find(p.body, `[data-say="`+name+`"]`), func() string { return f.Sentence(f.shownLag())[i] })
	}
	age := func() string { return firstpage.Updates(f.shownLag()) }
	p.shows.text(part(p.body, "lag"), age)
	p.shows.attribute(f.slider, "aria-valuetext", age)
	for i, tick := range findAll(p.body, ".ticks span") {
		p.shows.attribute(tick, "class", func() string {
			return map[bool]string{true: "age"}[i == firstpage.Stop(f.shownLag())]
		})
	}
	for i, side := range [...]string{"left", "right"} {
		learner, right := find(p.body, `[data-learner="`+side+`"]`), i == 1
		p.shows.text(part(learner, "name"), func() string { return f.Name(right) })
		p.shows.text(part(learner, "manner"), func() string { return f.Manner(right) })
		p.shows.text(part(learner, "score"), func() string { return firstpage.Mean(f.Score(right)) })
		p.shows.text(part(learner, "unit"), func() string { return f.Unit(right) })
	}
	act, pause := text(part(p.body, "act")), find(p.body, `[data-verb="hold"]`)
	p.shows.add(func() { act.say(f.Act()) })
	p.shows.text(part(p.body, "hint"), func() string { return f.Hint(f.shownLag()) })
	p.shows.text(pause, func() string { return map[bool]string{false: "Pause", true: "Continue"}[f.Still()] })
	p.shows.toggle(pause, "disabled", func() bool { return f.Phase == firstpage.Held })
	p.shows.attribute(p.body, "data-phase", func() string { return f.Phase.String() })
	p.shows.attribute(p.body, "data-state", func() string { return runs()[1].StateName() })

	// The slider asks less often than the Lab's: a stop that a hand only passes is not a change.
	pace := model.Pace{Every: 3 * drawEvery, After: p.after, Send: func(_, lag string) { f.Drag(lag) }}
	onSlide(f.slider, &pace, "lag", func(dragged bool) string {
		f.dragged, f.Touched = dragged, true
		p.scheduleDraw()
		return strconv.Itoa(f.shownLag())
	})
	clicks(act.element, func() {
		if f.Press() {
			f.open(f.Again())
		}
		p.scheduleDraw()
	})
	clicks(pause, f.toggle)
	clicks(find(p.body, `[data-verb="why"]`), func() { p.openDialog("why") })
	clicks(find(p.body, `[data-verb="share"]`), p.share)
	clicks(find(p.body, `[data-verb="theme"]`), p.nextTheme)
	clicks(lab, func() { // the Lab returns to both runs, as after a reload
		p.storeRuns(runName, p.model.Fragment())
		p.keepRuns()
	})
	p.listen("keydown", false, f.key)
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
	return firstpage.Lags[min(max(whole(f.slider), 0), len(firstpage.Lags)-1)]
}

// draw moves the worlds; the bindings show all else.
func (f *first) draw() {
	p := f.page
	for _, c := range p.columns {
		c.run.Plays = f.Phase == firstpage.Held || f.Phase == firstpage.Over
		c.startAnimation()
	}
	p.model.Announcements, f.said = f.said, nil
}

//go:build js && wasm

package page

import (
	"strconv"
	"syscall/js"

	"impalab/wasm/firstpage"
	"impalab/wasm/model"
	"impalab/wasm/run"
)

// first is the first experiment around the stage: the story, and the elements that tell it.
type first struct {
	firstpage.Story
	page *Page

	sentence         [3]slot
	learners         [2]learnerSlots
	chart            *chart
	told             slot
	slider           js.Value
	dragged          bool // a person drags the slider
	lag, spokenLag   slot
	said             []string // by the story; the two runs themselves say nothing
	ticks            []slot
	act, hint, pause slot
	button, pausing  js.Value
	lab              slot
	labAt            string // the address of the Lab
	phase, state     slot
	written          string // the link in the address
}

type learnerSlots struct{ name, manner, score, unit slot }

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
	on(p.window, "hashchange", func(js.Value) {
		if hash := p.hash(); hash != f.written {
			f.open(hash)
		}
	})
	on(p.window, "resize", func(js.Value) { p.scheduleDraw() })
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
	for i, name := range [...]string{"lead", "when", "tail"} {
		f.sentence[i] = text(find(p.body, `[data-say="`+name+`"]`))
	}
	for i, side := range [...]string{"left", "right"} {
		of := func(name string) slot { return text(part(find(p.body, `[data-learner="`+side+`"]`), name)) }
		f.learners[i] = learnerSlots{of("name"), of("manner"), of("score"), of("unit")}
	}
	f.chart = &chart{element: part(p.body, "story"), show: f.Chart, revision: f.Revision}
	f.told = attribute(f.chart.element, "aria-label")
	p.observe([]*chart{f.chart})
	f.slider, f.button, f.pausing = find(p.body, "#lag"), part(p.body, "act"), find(p.body, `[data-verb="hold"]`)
	f.lag, f.spokenLag = text(part(p.body, "lag")), attribute(f.slider, "aria-valuetext")
	for _, tick := range findAll(p.body, ".ticks span") {
		f.ticks = append(f.ticks, attribute(tick, "class"))
	}
	f.act, f.hint, f.pause = text(f.button), text(part(p.body, "hint")), text(f.pausing)
	lab := part(p.body, "lab")
	f.lab, f.labAt = attribute(lab, "href"), lab.Call("getAttribute", "href").String()
	f.phase, f.state = attribute(p.body, "data-phase"), attribute(p.body, "data-state")

	// The slider asks less often than the Lab's: a stop that a hand only passes is not a change.
	pace := model.Pace{Every: 3 * drawEvery, After: p.after, Send: func(_, lag string) { f.Drag(lag) }}
	onSlide(f.slider, &pace, "lag", func(dragged bool) string {
		f.dragged, f.Touched = dragged, true
		p.scheduleDraw()
		return strconv.Itoa(f.shownLag())
	})
	on(f.button, "click", func(js.Value) {
		if f.Press() {
			f.open(f.Again())
		}
		p.scheduleDraw()
	})
	on(f.pausing, "click", func(js.Value) { f.toggle() })
	on(find(p.body, `[data-verb="why"]`), "click", func(js.Value) { openDialog(find(p.document, "#why")) })
	on(find(p.body, `[data-verb="share"]`), "click", func(js.Value) { p.share() })
	on(find(p.body, `[data-verb="theme"]`), "click", func(js.Value) { p.nextTheme() })
	on(lab, "click", func(js.Value) { // the Lab returns to both runs, as after a reload
		p.storeRuns(runName, p.model.Fragment())
		p.keepRuns()
	})
	p.listen("keydown", f.key)
}

func (f *first) toggle() {
	f.Toggle()
	f.page.scheduleDraw()
}

// key lets Space pause and S share wherever the focus is, unless the focused element takes the key.
func (f *first) key(event js.Value) {
	pressed := pressed(event)
	if event.Get("defaultPrevented").Bool() || event.Get("repeat").Bool() || pressed.Modified || f.page.dialogOpen() {
		return
	}
	switch {
	case pressed.Name == " " && pressed.Tag != "BUTTON" && pressed.Tag != "A":
		event.Call("preventDefault") // it would scroll
		f.toggle()
	case pressed.Name == "s" || pressed.Name == "S":
		f.page.share()
	}
}

func (f *first) shownLag() int {
	return firstpage.Lags[min(max(whole(f.slider), 0), len(firstpage.Lags)-1)]
}

func (f *first) draw() {
	p, runs := f.page, f.Runs()
	if shown, err := strconv.Atoi(runs[1].Control("lag").Shown()); err == nil && !f.dragged {
		put(f.slider, strconv.Itoa(firstpage.Stop(shown)))
	}
	lag := f.shownLag()
	for i, words := range f.Sentence(lag) {
		f.sentence[i].write(words)
	}
	f.lag.write(firstpage.Updates(lag))
	f.spokenLag.write(firstpage.Updates(lag))
	for i := range f.ticks {
		f.ticks[i].write(map[bool]string{true: "age"}[i == firstpage.Stop(lag)])
	}
	for i := range f.learners {
		of, right := &f.learners[i], i == 1
		of.name.write(f.Name(right))
		of.manner.write(f.Manner(right))
		of.score.write(firstpage.Mean(f.Score(right)))
		of.unit.write(f.Unit(right))
	}
	act := f.Act()
	if act != "" {
		f.act.write(act)
	}
	hide(f.button, act == "")
	f.hint.write(f.Hint(lag))
	f.pause.write(map[bool]string{false: "Pause", true: "Continue"}[f.Still()])
	f.pausing.Set("disabled", f.Phase == firstpage.Held)
	f.phase.write(f.Phase.String())
	f.state.write(runs[1].StateName())
	for _, c := range p.columns {
		c.run.Plays = f.Phase == firstpage.Held || f.Phase == firstpage.Over
		c.startAnimation()
	}
	p.model.Announcements, f.said = f.said, nil
	f.writeLink()
}

func (f *first) drawChart() {
	if f.chart.draw() {
		f.told.write(f.Told())
	}
}

// writeLink keeps the address a link to what happened, and the way to the Lab a link to both runs.
func (f *first) writeLink() {
	p := f.page
	if !p.linkChanged() {
		return
	}
	f.lab.write(f.labAt + p.model.Fragment())
	f.written = f.Link()
	p.after(5*drawEvery, func() {
		if p.model.Ready() && f.written == f.Link() { // else another write follows
			p.replaceHash(f.written)
			p.storeRuns(firstName, f.written)
		}
	})
}

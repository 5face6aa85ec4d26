//go:build js && wasm

package page

import (
	"strconv"
	"syscall/js"

	"impalab/wasm/firstpage"
	"impalab/wasm/model"
	"impalab/wasm/run"
	"impalab/web/wire"
)

// opening is the first experiment around the stage: the story, and where it is written.
type opening struct {
	firstpage.Story
	page *Page

	say              map[string]*slot // of the sentence
	stages           [2]learnerSlots
	chart            js.Value
	told             slot
	width, height    float64 // of the chart; 0: not known yet
	drawn            bool    // in that box
	revision         any
	slider           js.Value
	dragged          bool // the slider is ahead of what is in force
	lag, value       slot
	spoken           []string // what the story says; the two runs say nothing of themselves
	ticks            []slot
	act, hint, pause slot
	button, pausing  js.Value
	lab              slot
	labAt            string // its address
	phase, state     slot
	written          string // the link in the address
}

// learnerSlots are one learner's.
type learnerSlots struct{ name, manner, score, unit slot }

// openFirst makes the page the first experiment.
func (p *Page) openFirst() {
	p.stage.Plain()
	o := &opening{page: p}
	p.opening = o
	o.Runs = func() (runs [2]*run.Run) {
		copy(runs[:], p.model.Runs)
		return runs
	}
	o.Send = func(r *run.Run, m wire.Message, err error) {
		if c := p.columnOf(r); c != nil {
			c.send(m, err)
		}
	}
	o.Say, o.After = func(words string) { o.spoken = append(o.spoken, words) }, p.after
	o.Begin()
	hash := p.window.Get("location").Get("hash").String()
	p.model = model.New(firstpage.Open(hash), storedKey(p.window))
	p.resume(firstName, hash)
	o.bind()
	p.sync()
	p.bindDialogs()
	p.bindTheme()
	on(p.window, "hashchange", func(js.Value) {
		if hash := p.window.Get("location").Get("hash").String(); hash != o.written {
			o.open(hash)
		}
	})
	on(p.window, "resize", func(js.Value) { p.scheduleDraw() })
	p.scheduleDraw()
}

// open begins another story in this one's place.
func (o *opening) open(hash string) {
	p := o.page
	o.Begin()
	o.dragged, o.revision = false, nil
	p.model.Open(firstpage.Open(hash))
	p.sync()
	p.columns[0].picture.Show(nil) // the other is new
	p.columns[0].link.Restart()
	p.applyTheme()
	p.scheduleDraw()
}

// again is the same story with the next seed.
func (o *opening) again() {
	seed := o.Runs()[0].Config().Seed + 1
	hash := "#" + firstpage.Name + "&seed=" + strconv.FormatUint(uint64(seed), 10)
	if speed := o.Runs()[0].Config().Get("speed"); speed != firstpage.Speed {
		hash += "&speed=" + speed
	}
	o.open(hash)
}

func (o *opening) bind() {
	p := o.page
	part := func(name string) js.Value { return find(p.body, `[data-part="`+name+`"]`) }
	o.say = map[string]*slot{}
	for _, name := range [...]string{"lead", "when", "tail"} {
		s := text(find(p.body, `[data-say="`+name+`"]`))
		o.say[name] = &s
	}
	for i, side := range [...]string{"left", "right"} {
		within := find(p.body, `[data-learner="`+side+`"]`)
		of := func(name string) slot { return text(find(within, `[data-part="`+name+`"]`)) }
		o.stages[i] = learnerSlots{of("name"), of("manner"), of("score"), of("unit")}
	}
	o.chart = part("story")
	o.told = attribute(o.chart, "aria-label")
	p.observe([]js.Value{o.chart}, func(_ int, width, height float64) {
		o.width, o.height, o.drawn = width, height, o.drawn && width == o.width && height == o.height
	})
	o.slider, o.button, o.pausing = find(p.body, "#lag"), part("act"), find(p.body, `[data-verb="hold"]`)
	o.lag, o.value = text(part("lag")), attribute(o.slider, "aria-valuetext")
	for _, tick := range findAll(p.body, ".ticks span") {
		o.ticks = append(o.ticks, attribute(tick, "class"))
	}
	o.act, o.hint, o.pause = text(o.button), text(part("hint")), text(o.pausing)
	o.lab, o.labAt = attribute(part("lab"), "href"), part("lab").Call("getAttribute", "href").String()
	o.phase, o.state = attribute(p.body, "data-phase"), attribute(p.body, "data-state")

	pace := model.Pace{Every: pacing, After: p.after, Send: func(_, lag string) { o.Drag(lag) }}
	on(o.slider, "input", func(js.Value) {
		o.dragged, o.Touched = true, true
		pace.Offer("lag", strconv.Itoa(o.place()))
		p.scheduleDraw()
	})
	on(o.slider, "change", func(js.Value) {
		pace.Offer("lag", strconv.Itoa(o.place()))
		pace.Flush("lag")
		o.dragged = false
		p.scheduleDraw()
	})
	on(o.button, "click", func(js.Value) {
		if o.Press() {
			o.again()
		}
		p.scheduleDraw()
	})
	on(o.pausing, "click", func(js.Value) { o.toggle() })
	on(find(p.body, `[data-verb="why"]`), "click", func(js.Value) { openDialog(find(p.document, "#why")) })
	on(find(p.body, `[data-verb="share"]`), "click", func(js.Value) { p.share() })
	on(find(p.body, `[data-verb="theme"]`), "click", func(js.Value) { p.nextTheme() })
	on(part("lab"), "click", func(js.Value) { // the Lab comes back to both runs, as after a reload
		storeRun(p.window, runName, p.model.IDs(), p.model.Fragment())
		p.keepRuns()
	})
	on(p.document, "keydown", o.key)
	if stage := js.Global().Get("document"); !stage.Equal(p.document) {
		on(stage, "keydown", o.key)
	}
}

// pacing is how often a slider that is dragged is asked where it stands: a stop that a hand only passes is no turn.
const pacing = 3 * drawEvery

func (o *opening) toggle() {
	o.Toggle()
	o.page.scheduleDraw()
}

// key has Space pause and S share wherever the focus is, unless the key means something there.
func (o *opening) key(event js.Value) {
	pressed := pressed(event)
	if event.Get("defaultPrevented").Bool() || event.Get("repeat").Bool() || pressed.Modified ||
		find(o.page.document, "dialog[open]").Truthy() {
		return
	}
	switch {
	case pressed.Name == " " && pressed.Tag != "BUTTON" && pressed.Tag != "A":
		event.Call("preventDefault") // it would scroll
		o.toggle()
	case pressed.Name == "s" || pressed.Name == "S":
		o.page.share()
	}
}

// place is the lag at which the slider stands.
func (o *opening) place() int {
	at, _ := strconv.Atoi(o.slider.Get("value").String())
	return firstpage.Lags[min(max(at, 0), len(firstpage.Lags)-1)]
}

// draw writes what differs.
func (o *opening) draw() {
	p := o.page
	runs := o.Runs()
	lag := o.place()
	if !o.dragged {
		shown, err := strconv.Atoi(runs[1].Control("lag").Shown())
		if err == nil {
			lag = shown
			put(o.slider, strconv.Itoa(firstpage.Place(lag)))
		}
	}
	lead, when, tail := o.Sentence(lag)
	o.say["lead"].write(lead)
	o.say["when"].write(when)
	o.say["tail"].write(tail)
	o.lag.write(firstpage.Updates(lag))
	o.value.mark(firstpage.Updates(lag))
	for i := range o.ticks {
		class := ""
		if i == firstpage.Place(lag) {
			class = "age"
		}
		o.ticks[i].mark(class)
	}
	for i := range o.stages {
		of := &o.stages[i]
		of.name.write(o.Name(i == 1))
		of.manner.write(o.Manner(i == 1))
		of.score.write(firstpage.Mean(o.Score(i == 1)))
		of.unit.write(o.Unit(i == 1))
	}
	act := o.Act()
	if act != "" {
		o.act.write(act)
	}
	hide(o.button, act == "")
	o.hint.write(o.Hint(lag))
	words := "Pause"
	if o.Still() {
		words = "Go on"
	}
	o.pause.write(words)
	o.pausing.Set("disabled", o.Phase == firstpage.Held)
	o.phase.mark([...]string{"learning", "held", "unaided", "mended", "over"}[o.Phase])
	o.state.mark(runs[1].StateName())
	for _, r := range runs {
		r.Plays = o.Phase == firstpage.Held || o.Phase == firstpage.Over
		if c := p.columnOf(r); c != nil {
			c.startAnimation()
		}
	}
	p.model.Announcements, o.spoken = o.spoken, nil
	o.writeLink()
}

func (o *opening) drawChart() {
	revision := o.Revision()
	if o.width < 1 || o.height < 1 || o.drawn && revision == o.revision {
		return
	}
	if !o.drawn {
		o.chart.Call("setAttribute", "viewBox", "0 0 "+strconv.Itoa(int(o.width))+" "+strconv.Itoa(int(o.height)))
	}
	o.drawn, o.revision = true, revision
	o.chart.Set("innerHTML", o.Chart(o.width, o.height))
	o.told.mark(o.Told())
}

// writeLink keeps the address a link to what was seen, and the way to the Lab one to both runs.
func (o *opening) writeLink() {
	p := o.page
	if now := p.model.Revision(); !p.model.Ready() || p.writtenLink == now {
		return
	} else {
		p.writtenLink = now
	}
	o.lab.mark(o.labAt + p.model.Fragment())
	o.written = o.Link()
	p.after(5*drawEvery, func() {
		if !p.model.Ready() || o.written != o.Link() {
			return // another write follows
		}
		if p.window.Get("location").Get("hash").String() != o.written {
			attempt(func() { p.window.Get("history").Call("replaceState", js.Null(), "", o.written) })
		}
		storeRun(p.window, firstName, p.model.IDs(), o.written)
	})
}

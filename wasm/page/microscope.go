//go:build js && wasm

package page

import (
	"net/url"
	"strconv"
	"strings"
	"syscall/js"
	"time"

	"impalab/envs"
	"impalab/learner/hyper"
	"impalab/wasm/browser"
	"impalab/wasm/microscope"
	"impalab/wasm/model"
	"impalab/wasm/run"
	charts "impalab/web/chart"
	"impalab/web/link"
	"impalab/web/wire"
)

// lens is the page /microscope around a scope.
type lens struct {
	bare
	knobs
	touch   js.Value
	scope   *microscope.Scope
	link    microscope.Link
	run     string   // the run of the unroll; "": the stored example
	said    []string // about the link, until a person does something else
	dragged string   // the key of the limit that a person drags
	writing bool     // the address will be written
}

func openMicroscope(b bare) {
	l := &lens{bare: b, touch: part(b.body, "touch")}
	l.knobs = knobs{draw: l.draw,
		config:  func() *hyper.Config { return &l.scope.Config },
		set:     func(key, value string) error { return l.scope.Set(key, value) },
		used:    func(key string) bool { return l.scope.Used(key) },
		offered: func(key string) bool { return l.scope.Offered(key) }}
	l.follow()
	browser.On(b.window, "hashchange", func(js.Value) {
		if l.hash() != l.fragment() {
			l.scope = nil
			l.follow()
		}
	})
}

func (l *lens) follow() {
	l.link = microscope.ParseLink(l.hash())
	l.link.Theme = l.theme()
	l.run, l.said = l.link.Run, l.link.Said
	l.load(l.link.Update, l.link.Column)
}

// load shows an unroll. If there is none, it shows the stored example, and says why.
func (l *lens) load(update uint64, column int) {
	if run.OfBrowser(l.run) {
		if unroll, why := l.leftUnroll(l.run, update, column); why != "" {
			l.failed(why, column)
		} else {
			l.show(unroll)
		}
		return
	}
	from := l.data("example")
	if l.run != "" {
		from = l.base() + "api/v1/runs/" + url.PathEscape(l.run) + "/unroll?trajectory=" + strconv.Itoa(column)
		if update > 0 {
			from += "&update=" + strconv.FormatUint(update, 10)
		}
	}
	l.fetch(from, nil, l.show, func(why string) { l.failed(why, column) })
}

// failed shows another trajectory if the batch has fewer, or else the stored example, unless that is what failed or the
// page shows an unroll already.
func (l *lens) failed(why string, column int) {
	l.said = append(l.said, run.Sentence(why))
	switch {
	case column > 0 && strings.Contains(why, " trajectories"):
		l.said = append(l.said, "This is trajectory 1.")
		l.load(l.link.Update, 0)
	case l.run == "" || l.scope != nil:
		l.say(strings.Join(l.said, " "))
	default:
		l.said = append(l.said, "This is an unroll of a stored run.")
		l.run = ""
		l.load(0, 0)
	}
}

func (l *lens) show(answer js.Value) {
	u, err := readUnroll(answer)
	first := l.scope == nil
	if err == nil && first {
		l.scope, err = microscope.NewScope(u)
	} else if err == nil {
		err = l.scope.Replace(u)
	}
	if err != nil {
		l.failed(err.Error(), 0)
		return
	}
	if first {
		l.said = append(l.said, l.link.Follow(l.scope)...)
		l.bind()
	} else {
		l.said = nil
	}
	l.say(strings.Join(l.said, " "))
	l.text("title", u.Title())
	l.touch.Call("setAttribute", "aria-valuemax", strconv.Itoa(len(u.Steps)-1))
	for _, b := range findAll(l.body, `[data-act="previous"], [data-act="next"]`) {
		hide(b, l.run == "")
	}
	its := part(l.body, "run")
	hide(its, l.run == "" || run.OfBrowser(l.run))
	its.Set("href", l.base()+"r/"+url.PathEscape(l.run))
	// The way back leads to the runs that the Lab showed.
	if ids, fragment, ok := strings.Cut(l.stored(runName), " "); ok && l.run != "" && strings.Contains(ids, l.run) {
		part(l.body, "lab").Set("href", l.base()+"lab"+fragment)
	}
	l.draw()
	l.ready()
}

// bind listens to a person, from the first unroll on.
func (l *lens) bind() {
	if l.controls != nil {
		return
	}
	l.knobs.bind(l.body, link.MicroscopeKeys)
	for act, do := range map[string]func(){
		"previous": func() { l.next(-1) }, "next": func() { l.next(1) },
		"reset": func() { l.scope.Reset(); l.draw() },
	} {
		clicks(find(l.body, `[data-act="`+act+`"]`), do)
	}
	drag(l.touch, l.press, func(event js.Value) {
		_, y := pointer(l.touch, event)
		l.change(l.dragged, strconv.FormatFloat(l.plan().RatioAt(y), 'f', 2, 64))
	}, ignore, func() {})
	browser.On(l.touch, "keydown", func(event js.Value) {
		walk, ok := map[string][2]int{"ArrowLeft": {-1, 0}, "ArrowRight": {1, 0}, "ArrowUp": {0, -1}, "ArrowDown": {0, 1},
			"Home": {-1e6, 0}, "End": {1e6, 0}}[event.Get("key").String()]
		if ok {
			event.Call("preventDefault")
			l.scope.Walk(walk[0], walk[1])
			l.draw()
		}
	})
	browser.On(l.window, "resize", func(js.Value) { l.draw() })
}

func (l *lens) next(by int) {
	u := l.scope.Unroll
	l.load(u.Update, (u.Column+by+u.Of)%u.Of)
}

func (l *lens) plan() *charts.BackupPlan {
	b := l.scope.Backup()
	w, h := size(l.touch)
	return charts.PlanBackup(len(b.Steps), b.RatioTop, w, h)
}

func (l *lens) press(event js.Value) bool {
	if handle := event.Get("target").Call("closest", "[data-handle]"); handle.Truthy() {
		l.dragged = handle.Get("dataset").Get("handle").String()
		return true
	}
	if step, row, ok := l.plan().At(pointer(l.touch, event)); ok {
		l.scope.Choose(l.scope.From+step, row)
		l.draw()
	}
	return false
}

// fragment returns the link to the shown unroll and cell.
func (l *lens) fragment() string {
	if l.scope == nil {
		return ""
	}
	return l.scope.Fragment(l.run, l.link.Theme)
}

func (l *lens) draw() {
	s := l.scope
	w, h := size(l.touch)
	s.Show(charts.BackupSight(w))
	find(l.touch, "svg").Set("innerHTML", charts.DrawBackup(s.Backup(), w, h))
	said := s.Explain()
	l.text("explain", said)
	l.text("alone", s.Alone())
	l.markup("turns", s.Controls())
	l.touch.Call("setAttribute", "aria-valuenow", strconv.Itoa(s.Asked))
	l.touch.Call("setAttribute", "aria-valuetext", "step "+strconv.Itoa(s.Asked)+": "+said)
	l.text("step", strconv.Itoa(s.Step))
	part(l.body, "terms").Set("innerHTML", s.Table())
	l.markup("sum", "v = "+microscope.Exactly(s.Now.Targets.VS[s.Step]))
	was := ""
	if len(s.Changed()) > 0 {
		was = "in the run " + microscope.Exactly(s.Run.Targets.VS[s.Step]) + " (grey line)"
	}
	l.markup("was", was)
	l.text("warning", strings.Join(s.Now.Clip.Unsound(), " "))
	l.knobs.show()
	if !l.writing { // browsers allow few writes
		l.writing = true
		time.AfterFunc(5*drawEvery, func() {
			l.writing = false
			l.replaceHash(l.fragment())
		})
	}
}

func readUnroll(a js.Value) (*microscope.Unroll, error) {
	numbers := func(v js.Value) []float64 { return listOf(v, numberOf) }
	u := &microscope.Unroll{
		World: a.Get("world").String(), Update: uint64(a.Get("update").Float()), Age: uint64(a.Get("age").Float()),
		Column: a.Get("trajectory").Int(), Of: a.Get("of").Int(), Replayed: a.Get("replayed").Bool(),
		Actor: a.Get("actor").Int(), Bootstrap: a.Get("bootstrap").Float(), NamedActions: a.Get("actions").Length() > 0,
	}
	settings := js.Global().Get("Object").Call("entries", a.Get("settings"))
	var err error
	if u.Config, err = hyper.FromRecord(listOf(settings, func(pair js.Value) hyper.Setting {
		return hyper.Setting{Key: pair.Index(0).String(), Value: pair.Index(1).String()}
	})); err != nil {
		return nil, err
	}
	u.Steps = listOf(a.Get("steps"), func(s js.Value) microscope.Step {
		one := microscope.Step{
			Reward: s.Get("reward").Float(), Final: s.Get("final").Float(), Value: s.Get("value").Float(),
			Ratio: s.Get("ratio").Float(), Inside: s.Get("inside").Bool(),
			End: map[string]envs.End{"terminated": envs.Terminated, "truncated": envs.Truncated}[s.Get("end").String()],
		}
		if weight := s.Get("weight"); weight.Truthy() {
			one.Weight = weight.Float()
		}
		if u.NamedActions {
			action := s.Get("action").Int()
			one.Probabilities(action, numbers(s.Get("pi")), numbers(s.Get("mu")))
			one.Act = a.Get("actions").Index(action).String()
		} else if density := s.Get("density"); density.Truthy() {
			one.Densities(numbers(s.Get("real")), density.Get("pi").Float(), density.Get("mu").Float())
		}
		return one
	})
	return u, nil
}

// openMicroscope goes from the Lab to one unroll of the selected run. It pauses the run, which the Lab returns to.
func (c *desk) openMicroscope() {
	to := c.run.Unrolls()
	if to == "" {
		c.notice("There is no unroll yet: let the run make one update, then look at it.")
		return
	}
	if c.run.Steers && c.run.State == wire.StateRunning {
		c.model.Ask(model.Pause)
	}
	leave := func() {
		c.storeRuns(runName, c.model.Fragment())
		c.after(2*drawEvery, func() { c.visit(c.base() + "microscope" + to) })
	}
	if c.run.InBrowser {
		c.leaveUnrolls(c.run.ID, microscope.ParseLink(to).Update, leave)
		return
	}
	leave()
}

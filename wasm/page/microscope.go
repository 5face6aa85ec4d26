//go:build js && wasm

package page

import (
	"net/url"
	"strconv"
	"strings"
	"syscall/js"
	"time"
	"unicode/utf8"

	"impalab/wasm/link"
	"impalab/wasm/microscope"
	"impalab/wasm/model"
	charts "impalab/web/chart"
	"impalab/web/wire"
)

// lens is the page /microscope around a scope.
type lens struct {
	bare
	knobs
	touch, svg js.Value
	scope      *microscope.Scope
	link       microscope.Link
	run        string   // whose unroll is in sight; "": the stored example
	said       []string // of the link, until something else is done
	drag       string   // the clip that is held, by its key
	writing    bool     // the address is about to be written
}

func openMicroscope(b bare) {
	l := &lens{bare: b, touch: find(b.body, `[data-part="touch"]`), svg: find(b.body, `[data-chart]`)}
	l.knobs = knobs{within: b.body, keys: microscope.Keys, turn: l.turn,
		get:  func(key string) string { return l.scope.Config.Get(key) },
		used: func(key string) bool { return l.scope.Used(key) }}
	l.follow()
	on(b.window, "hashchange", func(js.Value) {
		if l.fragment() != l.written() {
			l.scope = nil
			l.follow()
		}
	})
}

// follow opens what the address asks for.
func (l *lens) follow() {
	l.link = microscope.ParseLink(l.fragment())
	l.link.Theme = l.theme()
	l.run, l.said = l.link.Run, l.link.Said
	l.fetch(l.link.Update, l.link.Column)
}

// fetch asks for an unroll. Where there is none, the stored example stands in its place, and the page says why.
func (l *lens) fetch(update uint64, column int) {
	if link.InBrowser(l.run) {
		l.show(leftUnroll(l.window, l.run, update, column), column)
		return
	}
	from := l.body.Get("dataset").Get("example").String()
	if l.run != "" {
		from = l.body.Get("dataset").Get("base").String() + "api/v1/runs/" + url.PathEscape(l.run) + "/unroll?trajectory=" +
			strconv.Itoa(column)
		if update > 0 {
			from += "&update=" + strconv.FormatUint(update, 10)
		}
	}
	failed := func(js.Value) { l.instead("The unroll did not come: the server does not answer.") }
	then(l.window.Call("fetch", from), func(answer js.Value) {
		then(answer.Call("json"), func(body js.Value) { l.show(body, column) }, failed)
	}, failed)
}

// instead shows the stored example, unless that is what did not come, or an unroll is in sight already.
func (l *lens) instead(words string) {
	l.said = append(l.said, words)
	if l.run == "" || l.scope != nil {
		l.tell()
		return
	}
	l.said = append(l.said, "This is an unroll of a stored run.")
	l.run = ""
	l.fetch(0, 0)
}

func (l *lens) tell() { l.say(strings.Join(l.said, " ")) }

func (l *lens) show(answer js.Value, column int) {
	if fault := answer.Get("error"); fault.Truthy() {
		words := fault.Get("message").String()
		if column > 0 && strings.Contains(words, " trajectories") { // there are fewer
			l.said = append(l.said, sentence(words), "This is trajectory 1.")
			l.fetch(l.link.Update, 0)
			return
		}
		l.instead(sentence(words))
		return
	}
	u, err := readUnroll(answer)
	first := l.scope == nil
	if err == nil && first {
		l.scope, err = microscope.NewScope(u)
	} else if err == nil {
		err = l.scope.Keep(u)
	}
	if err != nil {
		l.instead(sentence(err.Error()))
		return
	}
	if first {
		l.said = append(l.said, l.link.Follow(l.scope)...)
		l.listen()
	} else {
		l.said = nil
	}
	l.tell()
	l.text("title", u.Title())
	l.touch.Call("setAttribute", "aria-valuemax", strconv.Itoa(len(u.Steps)-1))
	for _, b := range findAll(l.body, `[data-act="previous"], [data-act="next"]`) {
		hide(b, l.run == "")
	}
	its := find(l.body, `[data-part="run"]`)
	hide(its, l.run == "" || link.InBrowser(l.run))
	its.Set("href", l.body.Get("dataset").Get("base").String()+"r/"+url.PathEscape(l.run))
	l.lab()
	l.draw()
	l.ready()
}

// lab has the way back lead to what the Lab had.
func (l *lens) lab() {
	attempt(func() {
		if v := l.window.Get("localStorage").Call("getItem", runName); v.Type() == js.TypeString {
			if ids, fragment, ok := strings.Cut(v.String(), " "); ok && l.run != "" && strings.Contains(ids, l.run) {
				find(l.body, `[data-part="lab"]`).Set("href", l.body.Get("dataset").Get("base").String()+"lab"+fragment)
			}
		}
	})
}

var listening bool

// listen takes what a person does, from the first unroll on.
func (l *lens) listen() {
	if listening {
		return
	}
	listening = true
	l.knobs.bind()
	for act, do := range map[string]func(){
		"previous": func() { l.next(-1) }, "next": func() { l.next(1) },
		"reset": func() { l.scope.Reset(); l.draw() },
	} {
		on(find(l.body, `[data-act="`+act+`"]`), "click", func(js.Value) { do() })
	}
	on(l.touch, "pointerdown", l.press)
	on(l.touch, "pointermove", l.pull)
	for _, end := range [...]string{"pointerup", "pointercancel"} {
		on(l.touch, end, func(js.Value) { l.drag = "" })
	}
	on(l.touch, "keydown", func(event js.Value) {
		walk, ok := map[string][2]int{"ArrowLeft": {-1, 0}, "ArrowRight": {1, 0}, "ArrowUp": {0, -1}, "ArrowDown": {0, 1},
			"Home": {-1e6, 0}, "End": {1e6, 0}}[event.Get("key").String()]
		if ok {
			event.Call("preventDefault")
			l.scope.Walk(walk[0], walk[1])
			l.draw()
		}
	})
	on(l.window, "resize", func(js.Value) { l.draw() })
}

// next looks at another trajectory of the same batch.
func (l *lens) next(by int) {
	of := l.scope.Unroll.Of
	l.fetch(l.scope.Unroll.Update, (l.scope.Unroll.Column+by+of)%of)
}

func (l *lens) turn(key, value string) error {
	err := l.scope.Set(key, value)
	l.draw()
	return err
}

func (l *lens) plan() *charts.BackupPlan {
	b := l.scope.Backup()
	w, h := size(l.touch)
	return charts.PlanBackup(len(b.Steps), b.RatioTop, w, h)
}

func (l *lens) press(event js.Value) {
	if handle := event.Get("target").Call("closest", "[data-handle]"); handle.Truthy() {
		l.drag = handle.Get("dataset").Get("handle").String()
		attempt(func() { l.touch.Call("setPointerCapture", event.Get("pointerId")) })
		return
	}
	if step, row, ok := l.plan().At(place(l.touch, event)); ok {
		l.scope.Choose(l.scope.From+step, microscope.Row(row))
		l.draw()
	}
}

func (l *lens) pull(event js.Value) {
	if l.drag == "" {
		return
	}
	_, y := place(l.touch, event)
	l.knobs.set(l.drag, strconv.FormatFloat(l.plan().RatioAt(y), 'f', 2, 64))
}

// written is the link to what is in sight.
func (l *lens) written() string {
	if l.scope == nil {
		return ""
	}
	return l.scope.Fragment(l.run, l.link.Theme)
}

func (l *lens) draw() {
	s := l.scope
	w, h := size(l.touch)
	s.Show(charts.BackupSight(w))
	l.svg.Set("innerHTML", charts.DrawBackup(s.Backup(), w, h))
	said := s.Explain()
	l.text("explain", said)
	l.touch.Call("setAttribute", "aria-valuenow", strconv.Itoa(s.Asked))
	l.touch.Call("setAttribute", "aria-valuetext", "step "+strconv.Itoa(s.Asked)+": "+said)
	l.text("step", strconv.Itoa(s.Step))
	find(l.body, `[data-part="terms"]`).Set("innerHTML", s.Table())
	l.markup("sum", "v = "+microscope.Exactly(s.Now().Targets.VS[s.Step]))
	was := ""
	if len(s.Changed()) > 0 {
		was = "in the run " + microscope.Exactly(s.Run().Targets.VS[s.Step]) + " (grey line)"
	}
	l.markup("was", was)
	l.text("warning", strings.Join(s.Now().Clip.Unsound(), " "))
	l.knobs.draw()
	if !l.writing { // browsers allow few writes
		l.writing = true
		time.AfterFunc(5*drawEvery, func() {
			l.writing = false
			attempt(func() { l.window.Get("history").Call("replaceState", js.Null(), "", l.written()) })
		})
	}
}

// openMicroscope goes from the Lab to one unroll of the run in hand. The run pauses, so that it is still there; the
// Lab comes back to it.
func (c *desk) openMicroscope() {
	to := c.run.Unrolls()
	if to == "" {
		c.model.Notice("There is no unroll yet: let the run make one update, then look at it.")
		c.scheduleDraw()
		return
	}
	if c.run.Steers && c.run.State == wire.StateRunning {
		c.act(model.Pause)
	}
	goOn := func() {
		storeRun(c.window, runName, c.model.IDs(), c.model.Fragment())
		c.after(2*drawEvery, func() { c.window.Get("location").Set("href", c.base()+"microscope"+to) })
	}
	if c.run.InBrowser {
		c.leaveUnrolls(c.run.ID, microscope.ParseLink(to).Update, goOn)
		return
	}
	goOn()
}

// sentence begins large and ends with a full stop.
func sentence(words string) string {
	if words == "" {
		return words
	}
	if first, _, _ := strings.Cut(words, " "); !strings.Contains(first, "=") { // it begins with no setting
		_, n := utf8.DecodeRuneInString(words)
		words = strings.ToUpper(words[:n]) + words[n:]
	}
	return strings.TrimSuffix(words, ".") + "."
}

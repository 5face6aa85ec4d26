package site

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"impalab/learner/hyper"
	"impalab/learner/tape"
	"impalab/server/board"
	"impalab/server/lab"
	"impalab/server/picture"
	"impalab/server/site/api"
	"impalab/web"
)

// maxTapeLines limits the lines of a tape on the page. The tape itself has all of them.
const maxTapeLines = 200

// runs serves the pages of runs, made for each request, and their files.
type runs struct {
	lab    *lab.Lab
	data   web.Data
	tracks *board.Tracks
	https  bool
	text   func(name string) string // returns a style sheet
	slow   chan struct{}            // allows one episode at a time
	noLink *page                    // answers an unknown short link
}

// shown is a run with the data of its page.
type shown struct {
	web.Run
	told   lab.Told
	charts []picture.Chart
}

func (p *runs) load(c echo.Context) (*shown, error) {
	ctx, id := c.Request().Context(), c.Param("id")
	told, err := p.lab.Told(ctx, id)
	if err != nil {
		return nil, pageError(err)
	}
	recorded, fault := tape.ReadLines(told.Lines)
	if recorded == nil {
		return nil, fmt.Errorf("run %s: its tape cannot be read: %w", id, fault)
	}
	scheme := "http"
	if p.https {
		scheme = "https"
	}
	s := &shown{Run: describe(told.Info, recorded), told: told}
	fits, err := p.tracks.OfTape(recorded)
	for _, f := range fits {
		s.Board = append(s.Board, web.Choice{Title: f.Track.Title, URL: handInURL(p.data.Base, f, id)})
	}
	if err != nil {
		s.NoBoard = api.OneLine(err)
	}
	if misfit := new(board.Misfit); errors.As(err, &misfit) {
		s.MayChange = misfit.Open
	}
	s.URL = scheme + "://" + c.Request().Host + p.data.Base + "r/" + id
	s.BibTeX = bibTeX(&told.Info, s.Title, s.URL)
	s.charts = picture.Charts(picture.Run{Curves: told.Curves, Tape: recorded, Steps: told.Steps})
	for _, one := range s.charts {
		s.Charts = append(s.Charts, chartOf(one))
	}
	if s.PlayedFrom, s.Played, err = p.lab.FirstSnapshot(ctx, id); err != nil {
		return nil, pageError(err)
	}
	h := c.Response().Header()
	h.Set("Cache-Control", "no-store")
	h.Set("X-Robots-Tag", "noindex") // runs are only for people who have the link
	return s, nil
}

func chartOf(c picture.Chart) web.RunChart {
	const left, right = 56, 16 // room beside the broad drawing for its levels
	w := web.RunChart{Name: c.Name, Title: c.Title, Says: c.Says, Value: c.Value, Drawn: []web.Drawing{
		{Class: "broad", Box: fmt.Sprintf("%d 0 %d %d", -left, left+c.Wide+right, c.High), Inside: c.Inner}}}
	for _, s := range c.Smaller {
		w.Drawn = append(w.Drawn, web.Drawing{Class: s.Class, Box: fmt.Sprintf("0 0 %d %d", s.Wide, s.High), Inside: s.Inner})
	}
	for _, row := range c.Rows {
		w.Rows = append(w.Rows, [2]string{row.Step, row.Value})
	}
	return w
}

func (p *runs) page(c echo.Context) error {
	s, err := p.load(c)
	if err != nil {
		return err
	}
	s.Short = p.short(c, s)
	return render(c, web.RunPage(p.data, s.Run))
}

// embedded is the policy of the only pages that other sites may show in a frame. They run no script.
const embedded = "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; " +
	"form-action 'none'; frame-ancestors *"

func (p *runs) embed(c echo.Context) error {
	s, err := p.load(c)
	if err != nil {
		return err
	}
	theme := c.QueryParam("theme")
	if theme != "light" && theme != "dark" {
		theme = "auto"
	}
	h := c.Response().Header()
	h.Set("Content-Security-Policy", embedded)
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	return render(c, web.RunEmbedded(p.data, s.Run, theme))
}

// describe returns a run as its page shows it.
func describe(info lab.Info, recorded *tape.Tape) web.Run {
	show := web.Run{
		ID: info.ID, State: string(info.State), Reason: info.Reason, Preset: info.Preset, Update: info.Updates,
		Title: info.Settings["world"] + ", " + info.Settings["algo"], Parent: info.From.Run, ParentUpdate: info.From.Update,
	}
	for _, p := range hyper.Presets {
		if p.Name == info.Preset {
			show.Title, show.Sentence = p.Title, p.Sentence
		}
	}
	mean := "none yet"
	if m := info.ReturnMean100; m-m == 0 {
		mean = fmt.Sprintf("%.4g", m)
	}
	show.Facts = []web.Fact{
		{Name: "Seed", Value: cmp.Or(info.Settings["seed"], recorded.SeedRef)},
		{Name: "Steps", Value: fmt.Sprint(info.Steps)},
		{Name: "Updates", Value: fmt.Sprint(info.Updates)},
		{Name: "Episodes", Value: fmt.Sprint(info.Episodes)},
		{Name: "Mean return", Value: mean},
		{Name: "Started", Value: time.UnixMilli(info.Created).UTC().Format("2 January 2006 15:04 UTC")},
		{Name: "Computed on", Value: computedOn(&info, recorded)},
		{Name: "Build", Value: info.Build},
		{Name: "SHA-256 of the parameters", Value: cmp.Or(info.ParamsSHA256, "not taken yet")},
	}
	differ := differences(info.Preset, recorded.Settings)
	for _, s := range differ {
		show.Settings = append(show.Settings, web.Fact{Name: s.Key, Value: s.Value})
	}
	for _, e := range recorded.Events {
		if len(show.Tape) == maxTapeLines {
			show.Left++
			continue
		}
		show.Tape = append(show.Tape, web.TapeLine{Update: e.Update, Step: e.Step, What: inWords(&e), By: e.By})
	}
	planned, _ := hyper.ParseTurns(info.Turns) // valid: the lab wrote them
	onTape := func(t hyper.Turn) bool { return t.Step <= info.Steps }
	planned = slices.DeleteFunc(planned, onTape)
	show.Command = command(info.Preset, differ, recorded, planned, info.Steps)
	show.Experiment = experiment(info.Preset, differ, recorded, planned)
	return show
}

// computedOn names the device of a run and the reason for it, and says whether the run can be repeated exactly.
func computedOn(info *lab.Info, recorded *tape.Tape) string {
	name, why := info.Computed.Name, info.Computed.Why
	for _, e := range recorded.Events { // the tape has the device of a run that has ended
		if name == "" {
			name = e.Device
		}
	}
	text := cmp.Or(name, "nothing at the moment")
	if why != "" {
		text += " (" + why + ")"
	}
	if outside := recorded.OutsideWords(); outside != "" {
		return text + ", " + info.Arithmetic + " arithmetic; not exact: " + outside + ", whose data the tape does not contain"
	}
	if info.Settings["mode"] == string(hyper.Live) {
		return text + ", " + info.Arithmetic + " arithmetic; not exact: a live run never gives the same bytes twice"
	}
	return text + ", " + info.Arithmetic + " arithmetic; exact: the same settings give the same bytes"
}

// differences returns the settings at a run's start that differ from its preset. If the preset no longer exists, it
// returns all settings.
func differences(preset string, settings []hyper.Setting) (differ []hyper.Setting) {
	base, err := hyper.FromPreset(preset)
	for _, s := range settings {
		if err != nil || base.Get(s.Key) != s.Value {
			differ = append(differ, s)
		}
	}
	return differ
}

func inWords(e *tape.Event) string {
	switch e.Kind {
	case tape.Changed:
		return fmt.Sprintf("%s: %s → %s", e.Key, e.From, e.To)
	case tape.Marked:
		return "parameters " + e.ParamsSHA256
	case tape.Continued:
		return fmt.Sprintf("continued from update %d with %s arithmetic, build %s", e.Since, e.Arithmetic, e.Build)
	case tape.Outside:
		return fmt.Sprintf("an actor outside the server joined, and supplied data from update %d on", e.Update+1)
	case tape.Later:
		return "a line of a later build: " + e.Line
	}
	text := e.State + ", parameters " + e.ParamsSHA256
	if e.Reason != "" {
		text += ": " + e.Reason
	}
	return text
}

// command returns the command that trains the run again: to its end or, if it has no end, to the step it has reached.
// It leaves out the speed, which changes no byte.
func command(preset string, differ []hyper.Setting, recorded *tape.Tape, planned []hyper.Turn, reached uint64) string {
	words := []string{"impalab", "train"}
	if _, err := hyper.FromPreset(preset); err == nil {
		words = append(words, "--preset", quote(preset))
	}
	seed, steps := recorded.SeedRef, "0"
	for _, s := range recorded.Settings {
		switch s.Key {
		case "seed":
			seed = s.Value
		case "steps":
			steps = s.Value
		}
	}
	if steps == "0" { // else the command would never end
		steps = fmt.Sprint(max(1, reached))
	}
	words = append(words, "--seed", quote(seed), "--steps", quote(steps))
	for _, s := range differ {
		if !slices.Contains([]string{"seed", "steps", "speed"}, s.Key) {
			words = append(words, "--set", quote(s.Key+"="+s.Value))
		}
	}
	for _, t := range append(turned(recorded), planned...) {
		words = append(words, "--turn", quote(t.String()))
	}
	return strings.Join(words, " ")
}

// quote quotes a word for a shell.
func quote(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_=:.,/+@", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

func bibTeX(info *lab.Info, title, url string) string {
	begun := time.UnixMilli(info.Created).UTC()
	note := "build " + info.Build
	if info.ParamsSHA256 != "" {
		note += ", parameters " + info.ParamsSHA256
	}
	return fmt.Sprintf("@misc{impalab-%.8s,\n  title        = {%s: a run of impalab},\n  year         = {%d},\n"+
		"  howpublished = {\\url{%s}},\n  note         = {%s}\n}", info.ID, title, begun.Year(), url, note)
}

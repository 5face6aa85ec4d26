package site

// The page of one run, /r/ID: made anew for each request, from what the lab and the store have.

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"impalab/learner/hyper"
	"impalab/learner/tape"
	"impalab/server/lab"
	"impalab/server/store"
	"impalab/wasm/chart"
	"impalab/web"
)

// maxTapeLines is how much of a tape the page shows; the tape itself has all.
const maxTapeLines = 200

func runPage(runs *lab.Lab, data web.Data, https bool) echo.HandlerFunc {
	return func(c echo.Context) error {
		ctx, id := c.Request().Context(), c.Param("id")
		info, err := runs.Info(ctx, id)
		if err != nil {
			return pageError(err)
		}
		lines, err := runs.Tape(ctx, id)
		if err != nil {
			return pageError(err)
		}
		curves, err := runs.Curves(ctx, id)
		if err != nil {
			return pageError(err)
		}
		recorded, fault := tape.Read(strings.NewReader(strings.Join(lines, "\n")))
		if recorded == nil {
			return fmt.Errorf("run %s: its tape cannot be read: %w", id, fault)
		}
		scheme := "http"
		if https {
			scheme = "https"
		}
		show := describe(info, recorded, curves)
		show.BibTeX = bibTeX(&info, show.Title, scheme+"://"+c.Request().Host+data.Base+"r/"+id)
		h := c.Response().Header()
		h.Set("Cache-Control", "no-store")
		h.Set("X-Robots-Tag", "noindex") // a run is for those who were given its link
		h.Set(echo.HeaderContentType, echo.MIMETextHTMLCharsetUTF8)
		c.Response().WriteHeader(http.StatusOK)
		return web.RunPage(data, show).Render(ctx, c.Response())
	}
}

func pageError(err error) error {
	switch lab.CodeOf(err) {
	case lab.NotFound:
		return echo.ErrNotFound
	case lab.Full:
		return echo.NewHTTPError(http.StatusServiceUnavailable, err.Error())
	}
	return err
}

// describe puts a run into words.
func describe(info lab.Info, recorded *tape.Tape, curves map[string][]store.Point) web.Run {
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
		{Name: "Begun", Value: time.UnixMilli(info.Created).UTC().Format("2 January 2006 15:04 UTC")},
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
	planned, _ := hyper.ParseTurns(info.Turns)                                                    // the lab has written them
	planned = slices.DeleteFunc(planned, func(t hyper.Turn) bool { return t.Step <= info.Steps }) // they are on the tape
	show.Command = command(info.Preset, differ, recorded, planned)
	show.Chart = drawReturn(curves, recorded, info.Steps)
	show.ChartSays = fmt.Sprintf("The mean return over %d steps; it is %s now.", info.Steps, mean)
	return show
}

// differences are the settings that a run began with and its preset has not. A preset that is no more has none to
// compare with, and so are all of them.
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
	}
	text := e.State + ", parameters " + e.ParamsSHA256
	if e.Reason != "" {
		text += ": " + e.Reason
	}
	return text
}

// command is how the command line trains the run again. How fast it went is left out: it changes no byte.
func command(preset string, differ []hyper.Setting, recorded *tape.Tape, planned []hyper.Turn) string {
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
	words = append(words, "--seed", quote(seed), "--steps", quote(steps))
	for _, s := range differ {
		if !slices.Contains([]string{"seed", "steps", "speed"}, s.Key) {
			words = append(words, "--set", quote(s.Key+"="+s.Value))
		}
	}
	for _, e := range recorded.Events {
		if e.Kind == tape.Changed && e.Key != "speed" {
			words = append(words, "--turn", quote(fmt.Sprintf("%d:%s=%s", e.Step, e.Key, e.To)))
		}
	}
	for _, t := range planned {
		words = append(words, "--turn", quote(t.String()))
	}
	return strings.Join(words, " ")
}

// quote is a word as a shell reads it.
func quote(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_=:.,/+@", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// drawReturn is the curve of the return, with the changes on it.
func drawReturn(curves map[string][]store.Point, recorded *tape.Tape, steps uint64) string {
	at := func(series string) map[int64]float32 {
		values := map[int64]float32{}
		for _, p := range curves[series] {
			values[p.Step] = float32(p.Value)
		}
		return values
	}
	low, high, ended := at("return_low"), at("return_high"), at("episodes_ended")
	var curve chart.Curve
	for _, p := range curves["return_mean_100"] {
		curve.Add(uint64(p.Step), float32(p.Value))
		curve.Last().Quartiles.Join(chart.Quartiles{Low: low[p.Step], High: high[p.Step], Episodes: ended[p.Step]})
	}
	var recent chart.Curve
	for _, p := range curves["return_mean_10"] {
		recent.Add(uint64(p.Step), float32(p.Value))
	}
	var marks chart.Marks
	for _, e := range recorded.Events {
		if e.Kind == tape.Changed {
			marks.Add(chart.Mark{Step: e.Step, Key: e.Key, From: e.From, To: e.To}, steps)
		}
	}
	return chart.DrawReturn(&chart.Time{Steps: max(steps, curve.Steps()), Marks: marks,
		Value: func(row *hyper.Row, text string) string { return row.Name(text) }},
		&chart.Return{Mean: &curve, Recent: &recent}, web.ChartWidth, web.ChartHeight)
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

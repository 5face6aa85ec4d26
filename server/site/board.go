package site

// The board: a page a track, made once, on a server or as files.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"impalab/server/atomicfile"
	"impalab/server/board"
	"impalab/static"
	"impalab/wasm/number"
	"impalab/web"
)

// boardRoutes adds the board's pages; the first track's stands at /board too.
func boardRoutes(at *echo.Group, data web.Data, tracks *board.Tracks) error {
	urls := boardURLs{
		page: func(t *board.Track) string { return data.Base + "board/" + t.Name },
		rows: func(t *board.Track) string { return data.Base + "board/" + t.Name + "/rows.json" },
		lab:  data.Base + "lab",
	}
	for i, t := range tracks.All {
		p, err := newPage(web.BoardPage(data, describeTrack(tracks, t, urls)))
		if err != nil {
			return err
		}
		if i == 0 {
			at.GET("/board", p.serve)
		}
		at.GET("/board/"+t.Name, p.serve)
		rows, err := rowsFile(tracks, t)
		if err != nil {
			return err
		}
		at.GET("/board/"+t.Name+"/rows.json", func(c echo.Context) error {
			c.Response().Header().Set("Content-Disposition", `attachment; filename="board-`+t.Name+`.json"`)
			return c.JSONBlob(http.StatusOK, rows)
		})
	}
	return nil
}

// boardURLs is where things are.
type boardURLs struct {
	page, rows func(*board.Track) string
	lab        string // "": nowhere
	copy       bool
}

// ranking says what ranks, in words.
const ranking = "A configuration is trained from zero over several seeds. Its score on each is the mean over the " +
	"run: the " +
	"mean return of the last 100 training episodes, averaged over all updates, so learning early and never falling both " +
	"count. The score of the row is the interquartile mean over the seeds. Rows are ranked by the low end of its 95 % " +
	"bootstrap interval. A row whose interval reaches the low end of the best one above it cannot be told apart from " +
	"that one, and the two share a rank."

// describeTrack puts a track and its rows into words.
func describeTrack(tracks *board.Tracks, t *board.Track, urls boardURLs) web.Board {
	b := web.Board{Title: t.Title, Sentence: t.Sentence, Notes: t.Notes, Ranking: ranking, Lab: urls.lab,
		Copy: urls.copy, Data: urls.rows(t), Command: "impalab board try " + t.Name + " --set KEY=VALUE"}
	for _, other := range tracks.All {
		b.Tracks = append(b.Tracks, web.BoardTrack{Title: other.Title, Says: fmt.Sprintf("%d settings may differ",
			len(other.Keys)), URL: urls.page(other), Current: other == t})
	}
	start := "preset " + t.Preset
	for _, s := range t.Fixed {
		start += ", " + s.Key + " " + s.Value
	}
	b.Facts = []web.Fact{{Name: "World", Value: t.Start.World}, {Name: "Lag", Value: strconv.Itoa(t.Start.Lag)},
		{Name: "Budget", Value: number.Count(t.Start.Steps) + " steps"}, {Name: "Start", Value: start},
		{Name: "Score", Value: board.MeanOverRun}}
	b.About = fmt.Sprintf("Our baselines on the public seeds %s.", strings.ReplaceAll(t.PublicText, "-", " to "))
	scale := boardScale{t.Low, t.High}
	b.Ticks = scale.ticks()
	placed := board.Place(tracks.Rows(t))
	for i := range placed {
		r := rowOf(t, &placed[i], scale)
		if r.Start {
			b.Start = r.Middle
		}
		switch {
		case !placed[i].Tied():
		case placed[i].First == i+1:
			r.Tie = "first"
		case placed[i].Last == i+1:
			r.Tie = "last"
		default:
			r.Tie = "middle"
		}
		b.Rows = append(b.Rows, r)
	}
	for i := range t.Keys {
		k := &t.Keys[i]
		words := k.Row.Words
		if k.Row.Symbol != "" {
			words = k.Row.Symbol + ", " + inSentence(words)
		}
		b.Keys = append(b.Keys, web.BoardKey{Key: k.Row.Key, Words: words, Start: infinite(t.Start.Get(k.Row.Key)),
			Takes: k.Allowed()})
	}
	return b
}

// chipsShown is how many settings a row shows before it says how many more there are.
const chipsShown = 3

func rowOf(t *board.Track, p *board.Placed, scale boardScale) web.BoardRow {
	mean, low, high := float64(p.Score.Mean), float64(p.Score.Low), float64(p.Score.High)
	r := web.BoardRow{Rank: p.Rank(), Name: p.Name, Start: len(p.Entry.Settings) == 0,
		Low: scale.at(low), Middle: scale.at(mean), Wide: percent(max(0.6, scale.share(high)-scale.share(low))),
		Score: number.Short(mean), Interval: number.Short(low) + " to " + number.Short(high),
		End: number.Short(float64(p.End.Mean)), Fragment: t.Link(&p.Entry), Command: t.Command(&p.Entry)}
	r.Says = fmt.Sprintf("%s: %s, interval %s", p.Name, r.Score, r.Interval)
	for _, v := range p.Each {
		r.Seeds = append(r.Seeds, scale.at(float64(v)))
	}
	for _, d := range t.Differences(&p.Entry) {
		words := inSentence(d.Words)
		if d.Key == "algo" || d.Key == "correction" { // their values are names that people know
			words = ""
		}
		r.Chips = append(r.Chips, web.BoardChip{Symbol: d.Symbol, Words: words, Tone: d.Tone,
			From: infinite(d.From), To: infinite(d.To)})
	}
	if len(r.Chips) > chipsShown {
		r.Chips, r.More = r.Chips[:chipsShown-1], r.Chips[chipsShown-1:]
	}
	r.Line, r.Band = scale.curve(p.Curve, float64(t.Start.Steps))
	return r
}

// infinite shows a value as people write it.
func infinite(value string) string {
	if value == "inf" {
		return "∞"
	}
	return value
}

// boardScale is what scores are drawn on.
type boardScale struct{ low, high float64 }

// share is the place of a score, from 0 to 100; those beyond the scale stand at its ends.
func (s boardScale) share(v float64) float64 {
	return 100 * math.Min(1, math.Max(0, (v-s.low)/(s.high-s.low)))
}

func (s boardScale) at(v float64) string { return percent(s.share(v)) }

func percent(share float64) string {
	return strconv.FormatFloat(math.Round(share*100)/100, 'f', -1, 64) + "%"
}

// ticks are round figures, four to seven of them.
func (s boardScale) ticks() (ticks []web.BoardTick) {
	rough := (s.high - s.low) / 5
	step := math.Pow(10, math.Floor(math.Log10(rough)))
	for _, times := range []float64{5, 2} {
		if step*times <= rough*1.3 {
			step *= times
			break
		}
	}
	for k := math.Ceil(s.low/step - 1e-9); k*step <= s.high+step*1e-9; k++ {
		text := strconv.FormatFloat(k*step+0, 'g', 6, 64) // + 0: never −0
		tick := web.BoardTick{At: s.at(k * step), Text: strings.Replace(text, "-", number.Minus, 1), Anchor: "middle"}
		switch tick.At {
		case "0%":
			tick.Anchor = "start"
		case "100%":
			tick.Anchor = "end"
		}
		ticks = append(ticks, tick)
	}
	return ticks
}

// curve draws a curve and its interval in a box of 100 by 34.
func (s boardScale) curve(points []board.Point, budget float64) (line, band string) {
	place := func(step float64, v float64) string {
		const high = 34
		return strconv.FormatFloat(100*step/budget, 'f', 1, 64) + " " +
			strconv.FormatFloat(high-high/100.*s.share(v), 'f', 1, 64)
	}
	back := ""
	for i, p := range points {
		to := "L"
		if i == 0 {
			to = "M"
		}
		line += to + place(p.Step, float64(p.Mean))
		band += to + place(p.Step, float64(p.High))
		back = "L" + place(p.Step, float64(p.Low)) + back
	}
	if line != "" {
		band += back + "Z"
	}
	return line, band
}

// rowsOf is a track's rows for programs. The keys never change their meaning.
type rowsOf struct {
	Track  string            `json:"track"`
	Title  string            `json:"title"`
	Preset string            `json:"preset"`
	Fixed  map[string]string `json:"settings"`
	Steps  uint64            `json:"steps"`
	Score  string            `json:"score"`
	Seeds  string            `json:"seeds"`
	Rows   []rankedRow       `json:"rows"` // the best first
}

type rankedRow struct {
	Rank string `json:"rank"`
	board.Row
}

func rowsFile(tracks *board.Tracks, t *board.Track) ([]byte, error) {
	f := rowsOf{Track: t.Name, Title: t.Title, Preset: t.Preset, Fixed: map[string]string{}, Steps: t.Start.Steps,
		Score: board.MeanOverRun, Seeds: t.PublicText, Rows: []rankedRow{}}
	for _, s := range t.Fixed {
		f.Fixed[s.Key] = s.Value
	}
	placed := board.Place(tracks.Rows(t))
	for i := range placed {
		f.Rows = append(f.Rows, rankedRow{placed[i].Rank(), placed[i].Row})
	}
	return json.MarshalIndent(f, "", "\t")
}

// copied are the files that the pages of an exported board ask for, beside the fonts.
var copied = []string{"palette.css", "page.css", "instrument.css", "columns.css", "board.css", "favicon.svg"}

// ExportBoard writes the board into a folder, as pages that any web server can serve and that open from a disk too.
// lab is the address of a Lab to lead to; "": none.
func ExportBoard(folder string, tracks *board.Tracks, assets *static.Assets, build, lab string) error {
	data := web.Data{Build: build, Asset: func(name string) string { return "static/" + name }}
	urls := boardURLs{lab: lab, copy: true,
		page: func(t *board.Track) string { return t.Name + ".html" },
		rows: func(t *board.Track) string { return t.Name + ".json" },
	}
	if err := os.MkdirAll(filepath.Join(folder, "static"), 0o755); err != nil {
		return err
	}
	write := func(name string, text []byte) error {
		return atomicfile.WriteFile(filepath.Join(folder, name), text, 0o644)
	}
	for i, t := range tracks.All {
		var page bytes.Buffer
		if err := web.BoardPage(data, describeTrack(tracks, t, urls)).Render(context.Background(), &page); err != nil {
			return err
		}
		rows, err := rowsFile(tracks, t)
		if err != nil {
			return err
		}
		if err := errors.Join(write(t.Name+".html", page.Bytes()), write(t.Name+".json", rows)); err != nil {
			return err
		}
		if i > 0 {
			continue
		}
		if err := write("index.html", page.Bytes()); err != nil {
			return err
		}
	}
	for _, name := range assets.Names() {
		if !slices.Contains(copied, name) && !strings.HasPrefix(name, "stix-") {
			continue
		}
		if err := write(filepath.Join("static", name), []byte(assets.Text(name))); err != nil {
			return err
		}
	}
	return nil
}

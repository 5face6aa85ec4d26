package site

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"impalab/learner/onnx"
	"impalab/server/errcode"
	"impalab/server/lab"
	"impalab/server/picture"
	"impalab/server/places"
	"impalab/server/site/api"
	"impalab/web/page"
)

// file serves the files of a run: /r/ID/NAME.svg and NAME.png for each chart, episode.gif, policy.onnx, update.py,
// frozen.html, board.html, the Lab's sheet for the board, and last.html, the last picture of an episode.
func (p *runs) file(c echo.Context) error {
	name := c.Param("file")
	switch name {
	case "board.html":
		return p.draw(c, nil, func(r *shown) (component, error) { return page.BoardSheet(p.data, r.Run), nil })
	case "frozen.html":
		return p.frozen(c)
	case "episode.gif":
		return p.episode(c)
	case "last.html":
		return p.last(c)
	case "policy.onnx":
		return p.policy(c)
	case "update.py":
		return p.update(c)
	}
	chart, kind, _ := strings.Cut(name, ".")
	if kind != "svg" && kind != "png" {
		return echo.ErrNotFound
	}
	var blob []byte
	if err := p.with(c.Request().Context(), c, func(r *shown) (err error) {
		for _, one := range r.Charts {
			if one.Name == chart {
				sheet := picture.Sheet{Chart: picture.Chart(one), Caption: r.Caption(), From: "impalab " + r.Build + " · " + r.URL,
					Dark: c.QueryParam("theme") == "dark"}
				if kind == "png" {
					blob, err = sheet.PNG()
				} else {
					blob, err = sheet.SVG()
				}
				return err
			}
		}
		return echo.ErrNotFound
	}); err != nil {
		return pageError(err)
	}
	attach(c, fmt.Sprintf("%.8s-%s", c.Param("id"), name))
	return c.Blob(http.StatusOK, map[string]string{"png": "image/png", "svg": "image/svg+xml"}[kind], blob)
}

// played are the files that a stored agent is played for. Their work has places, and the newest are kept.
type played struct {
	films *places.Places
	quick *places.Places // other files take less time
	kept  *places.Made
}

func newPlayed(memory int64) *played {
	cores := runtime.GOMAXPROCS(0)
	return &played{
		films: places.New(places.Limits{What: "drawing this film", Total: max(2, cores), Each: 1, Within: 25 * time.Second}),
		quick: places.New(places.Limits{What: "playing this agent", Total: 4 * cores, Each: 2, Within: 20 * time.Second}),
		kept:  places.NewMade(int(keptPart * float64(memory))),
	}
}

// keptPart of the server's memory is for files that the next visitor may ask for again.
const keptPart = 1. / 64

// play returns what use writes for the newest snapshot of a run at or before an update.
func (p *runs) play(c echo.Context, at *places.Places, update uint64, memory float64,
	use func(by *lab.Policy, to io.Writer) error) ([]byte, error) {
	ctx, id := c.Request().Context(), c.Param("id")
	update, err := p.lab.NewestSnapshot(ctx, id, update)
	if err != nil {
		return nil, fileError(err)
	}
	unlisted(c)
	made, err := p.played.kept.Get(ctx, fmt.Sprintf("%s/%s/%d", id, c.Param("file"), update),
		func(ctx context.Context) ([]byte, error) {
			var b bytes.Buffer
			err := at.Do(ctx, 0, func(ctx context.Context) error {
				return p.lab.WithPolicy(ctx, id, update, memory, func(by *lab.Policy) error { return use(by, &b) })
			})
			return b.Bytes(), err
		})
	return made, fileError(err)
}

// fileError is pageError with the sentence of a file that does not exist, for programs: the run may exist.
func fileError(err error) error {
	if errcode.Of(err) == errcode.NotFound {
		return echo.NewHTTPError(http.StatusNotFound, err.Error())
	}
	return pageError(err)
}

// episode plays an episode with the newest snapshot at or before ?update=.
func (p *runs) episode(c echo.Context) error {
	update, err := strconv.ParseUint(c.QueryParam("update"), 10, 63)
	if err != nil {
		return echo.NewHTTPError(http.StatusUnprocessableEntity, fmt.Sprintf("update=%.40s: ask for episode.gif?update=N, "+
			"with a whole number from 0", c.QueryParam("update")))
	}
	film, err := p.play(c, p.played.films, update, picture.FilmBytes, func(by *lab.Policy, to io.Writer) error {
		_, err := picture.Episode(to, &by.Config, by.Spec, &by.Policies, by.Going)
		return err
	})
	if err != nil {
		return err
	}
	c.Response().Header().Set("Cache-Control", "private, max-age=60")
	return c.Blob(http.StatusOK, "image/gif", film)
}

// last plays an episode with the newest snapshot and draws its end.
func (p *runs) last(c echo.Context) error {
	drawn, err := p.play(c, p.played.quick, math.MaxInt64, 0, func(by *lab.Policy, to io.Writer) (err error) {
		end := page.Last{Update: by.Update}
		if end.World, end.Frame, err = picture.Ending(&by.Config, by.Spec, &by.Policies, nil, by.Going); err != nil {
			return err
		}
		return page.LastPicture(end).Render(c.Request().Context(), to)
	})
	if err != nil {
		return err
	}
	return c.HTMLBlob(http.StatusOK, drawn)
}

// policy serves π of the newest snapshot, or of the newest at or before ?update=, as an ONNX model.
func (p *runs) policy(c echo.Context) error {
	update := uint64(math.MaxInt64)
	if text := c.QueryParam("update"); text != "" {
		n, err := strconv.ParseUint(text, 10, 63)
		if err != nil {
			return echo.NewHTTPError(http.StatusUnprocessableEntity, "update is not a whole number: ask for "+
				"policy.onnx?update=N, or for policy.onnx to have the newest")
		}
		update = n
	}
	id := c.Param("id")
	model, err := p.play(c, p.played.quick, update, 0, func(by *lab.Policy, to io.Writer) error {
		if err := onnx.Refuse(&by.Spec); err != nil {
			return &errcode.Error{Code: errcode.Conflict, Err: err}
		}
		model, err := onnx.Model(&onnx.Policy{Spec: by.Spec, Theta: by.Target, Scale: by.Scale, Shift: by.Shift,
			Doc: fmt.Sprintf("The policy of an impalab run on %s after %d updates.", by.Config.World, by.Update),
			About: [][2]string{{"run", id}, {"world", by.Config.World}, {"algorithm", string(by.Config.Algo)},
				{"update", strconv.FormatUint(by.Update, 10)}, {"step", strconv.FormatUint(by.Step, 10)},
				{"build", p.data.Build}}})
		if err == nil {
			_, err = to.Write(model)
		}
		return err
	})
	if err != nil {
		return err
	}
	c.Response().Header().Set("Cache-Control", "private, max-age=60")
	attach(c, fmt.Sprintf("%.8s.onnx", id))
	return c.Blob(http.StatusOK, "application/octet-stream", model)
}

// update serves an update of the run as a page of PyTorch.
func (p *runs) update(c echo.Context) error {
	var text string
	err := p.with(c.Request().Context(), c, func(r *shown) (err error) {
		if text, err = r.PyTorch(); err != nil {
			err = &errcode.Error{Code: errcode.Conflict, Err: err}
		}
		return err
	})
	if err != nil {
		return fileError(err)
	}
	attach(c, fmt.Sprintf("%.8s.py", c.Param("id")))
	return c.Blob(http.StatusOK, "text/x-python; charset=utf-8", []byte(text))
}

// fontFace matches the fonts that a style sheet loads. Without them the browser uses the next family.
var fontFace = regexp.MustCompile(`@font-face\s*\{[^}]*\}`)

// frozen serves the page as one file, which needs no server.
func (p *runs) frozen(c echo.Context) error {
	return p.draw(c, map[string]string{
		"Content-Disposition":     fmt.Sprintf("attachment; filename=%q", fmt.Sprintf("%.8s.html", c.Param("id"))),
		"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'",
	}, p.freeze)
}

// freeze returns a run's page as one file.
func (p *runs) freeze(r *shown) (component, error) {
	var styles strings.Builder
	for _, name := range []string{"palette.css", "page.css", "instrument.css", "run.css"} {
		styles.WriteString(fontFace.ReplaceAllString(p.text(name), ""))
	}
	run := api.Run(r.told.Info)
	whole := struct {
		Run  api.Run           `json:"run"`
		Tape []json.RawMessage `json:"tape"`
	}{Run: run}
	for _, line := range r.told.Lines {
		whole.Tape = append(whole.Tape, json.RawMessage(line))
	}
	described, err := json.Marshal(run)
	if err != nil {
		return nil, err
	}
	var curves bytes.Buffer
	if err := api.WriteCurves(&curves, r.told.Curves); err != nil {
		return nil, err
	}
	return page.RunFrozen(r.Run, page.Frozen{
		Styles: styles.String(), Data: whole, Taken: time.Now().UTC().Format("2 January 2006 15:04 UTC"),
		CSV: dataURL("text/csv", curves.Bytes()), JSON: dataURL("application/json", described),
		Tape: dataURL("application/x-ndjson", []byte(strings.Join(r.told.Lines, "\n")+"\n")),
	}), nil
}

func dataURL(kind string, blob []byte) string {
	return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(blob)
}

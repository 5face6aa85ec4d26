package site

// The pages of rooms: made once, and filled by their scripts from the API. Nothing of a room is in them.

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"rsc.io/qr"

	"impalab/learner/hyper"
	"impalab/server/exercise"
	"impalab/web"
	"impalab/web/number"
)

// classPages adds the routes of rooms. keep is how long a room is kept after its last use.
func classPages(at *echo.Group, data web.Data, asks, https bool, keep time.Duration,
	invite string) error {
	if keep == 0 {
		keep = 60 * 24 * time.Hour
	}
	c := web.Class{Days: int(keep / (24 * time.Hour)), Asks: asks}
	for _, p := range exercise.Plans() {
		c.Plans = append(c.Plans, handout(p))
	}
	start, err := newPage(web.ClassStart(data, c))
	if err != nil {
		return err
	}
	room, err := newPage(web.ClassRoom(data, c))
	if err != nil {
		return err
	}
	at.GET("/class", start.serve)
	at.GET("/class/:code", room.serve)
	for _, p := range c.Plans {
		paper, err := newPage(web.ClassHandout(data, p))
		if err != nil {
			return err
		}
		at.GET("/class/plan/"+p.Name, paper.serve)
	}
	at.GET("/class/:code/qr.svg", func(c echo.Context) error {
		address := invite
		if address == "" { // as this browser has it
			scheme := "http://"
			if c.IsTLS() || https {
				scheme = "https://"
			}
			address = scheme + c.Request().Host + data.Base
		}
		picture, err := qrSVG(address + "class/" + strings.ToUpper(c.Param("code")))
		if err != nil {
			return echo.ErrNotFound
		}
		c.Response().Header().Set("Cache-Control", "no-cache")
		return c.Blob(http.StatusOK, "image/svg+xml", picture)
	})
	at.GET("/class/address", func(c echo.Context) error { return c.String(http.StatusOK, invite) })
	return nil
}

// handout is a plan without what only the teacher reads.
func handout(p *exercise.Plan) web.ClassPlan {
	out := web.ClassPlan{Name: p.Name, Title: p.Title, For: p.For, Aim: p.Aim, Minutes: p.Minutes}
	steps := p.Steps
	for _, name := range p.Homework {
		steps = append(steps[:len(steps):len(steps)], exercise.Step{Title: "Homework", Exercise: name})
	}
	for _, s := range steps {
		one := web.ClassStep{Title: s.Title, Say: s.Say, Ask: s.Sentence, Lines: 1}
		if s.Told {
			one.Say = ""
		}
		switch {
		case s.Predict != nil:
			one.Ask = s.Predict.Ask
			for _, o := range s.Predict.Choose {
				one.Choose = append(one.Choose, o.Say)
			}
			if len(one.Choose) == 0 {
				one.From, one.To, one.Unit = number.Short(s.Predict.From), number.Short(s.Predict.To), s.Predict.Unit
			}
		case s.Exercise != "":
			e, err := exercise.Named(s.Exercise)
			if err != nil {
				break // a test reads every plan
			}
			if s.Title == "Homework" {
				one.Title += ": " + e.Title
			}
			one.Ask, one.Lines = e.Ask, 2
			if e.Reach != nil {
				one.Say = "You may change " + settingsOf(e.Reach.Keys) + "."
			}
		}
		out.Steps = append(out.Steps, one)
	}
	return out
}

// settingsOf are settings in words.
func settingsOf(keys []exercise.Key) string {
	var words []string
	for _, k := range keys {
		if row, err := hyper.Lookup(k.Key); err == nil {
			words = append(words, row.Words)
		}
	}
	return strings.Join(words, ", ")
}

// qrSVG is a QR code, dark on light whatever the page's colours are, so that every camera reads it.
func qrSVG(text string) ([]byte, error) {
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		return nil, err
	}
	const margin = 3 // modules
	side := code.Size + 2*margin
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" shape-rendering="crispEdges">`,
		side, side)
	fmt.Fprintf(&b, `<path fill="#fff" d="M0 0h%dv%dH0z"/><path d="`, side, side)
	for y := range code.Size {
		for x := range code.Size {
			if code.Black(x, y) {
				fmt.Fprintf(&b, "M%d %dh1v1h-1z", x+margin, y+margin)
			}
		}
	}
	b.WriteString(`"/></svg>`)
	return b.Bytes(), nil
}

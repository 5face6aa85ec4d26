package site

import (
	"bytes"
	"cmp"
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

// classPages adds the pages of rooms. Their scripts fill them from the API.
func (o *Options) classPages(at *echo.Group, data web.Data) error {
	keep := cmp.Or(o.Keep, 60*24*time.Hour)
	c := web.Class{Days: int(keep / (24 * time.Hour)), Asks: o.Host != ""}
	for _, p := range exercise.Plans() {
		plan := handout(p)
		if err := serve(at, "/class/plan/"+p.Name, web.ClassHandout(data, plan)); err != nil {
			return err
		}
		c.Plans = append(c.Plans, plan)
	}
	if err := serve(at, "/class", web.ClassStart(data, c)); err != nil {
		return err
	}
	at.GET("/class/:code/qr.svg", func(c echo.Context) error {
		address := o.Invite
		if address == "" { // as this browser has it
			scheme := "http://"
			if c.IsTLS() || o.HTTPS {
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
	at.GET("/class/address", func(c echo.Context) error { return c.String(http.StatusOK, o.Invite) })
	return serve(at, "/class/:code", web.ClassRoom(data, c))
}

// handout returns a plan without the parts for the teacher.
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
				break // a test checks every plan
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

// settingsOf names settings in words.
func settingsOf(keys []exercise.Key) string {
	var words []string
	for _, k := range keys {
		if row, err := hyper.Lookup(k.Key); err == nil {
			words = append(words, row.Words)
		}
	}
	return strings.Join(words, ", ")
}

// qrSVG draws a QR code, dark on light in every theme, so that every camera can read it.
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

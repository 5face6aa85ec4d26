package site

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"impalab/learner/hyper"
	"impalab/learner/tape"
	"impalab/server/errcode"
	"impalab/server/site/api"
	"impalab/wasm/run"
	"impalab/web/wire"
)

// Short links: /l/CODE leads to the link that the server stores under the code. Programs and the Lab make them at
// /api/v1/links. The page of a run works without a script, so it has a form.

// follow redirects to the link of a code.
func (p *runs) follow(c echo.Context) error {
	fragment, err := p.lab.Expand(c.Request().Context(), strings.ToLower(c.Param("code")))
	if errcode.Of(err) == errcode.NotFound {
		if strings.Contains(c.Request().Header.Get("Accept"), "text/html") {
			return p.noLink.write(c, http.StatusNotFound)
		}
		return c.String(http.StatusNotFound, err.Error()+"\n")
	}
	if err != nil {
		return pageError(err)
	}
	return c.Redirect(http.StatusFound, p.data.Base+api.Opens(fragment)+"#"+fragment)
}

// makeLink stores the experiment of a run, and shows its short link on the run's page.
func (p *runs) makeLink(c echo.Context) error {
	s, err := p.load(c)
	if err != nil {
		return err
	}
	fragment, err := api.ToKeep(s.Experiment)
	if err != nil {
		return echo.NewHTTPError(http.StatusUnprocessableEntity, err.Error())
	}
	code, err := p.lab.Shorten(c.Request().Context(), fragment)
	if err != nil {
		return pageError(err)
	}
	return c.Redirect(http.StatusSeeOther, p.data.Base+"r/"+s.ID+"?link="+code+"#link")
}

// short returns the address of the code in a page's address. It returns "" for codes of other experiments, so that a
// page shows no link that someone put into its address.
func (p *runs) short(c echo.Context, s *shown) string {
	code := c.QueryParam("link")
	if code == "" || s.Experiment == "" {
		return ""
	}
	if kept, err := p.lab.Expand(c.Request().Context(), code); err != nil || kept != s.Experiment {
		return ""
	}
	return strings.TrimSuffix(s.URL, "r/"+s.ID) + "l/" + code
}

// experiment returns the link of the Lab that trains a run again: its settings and its changes. It returns "" if the
// run's seed is secret.
func experiment(preset string, differ []hyper.Setting, recorded *tape.Tape, planned []hyper.Turn) string {
	if recorded.SeedRef != "" {
		return ""
	}
	link := run.Link{Version: "1", Settings: []wire.Setting{{Key: "preset", Value: preset}}}
	for _, s := range differ {
		if s.Key != "speed" {
			link.Settings = append(link.Settings, wire.Setting{Key: s.Key, Value: s.Value})
		}
	}
	if turns := append(turned(recorded), planned...); len(turns) > 0 {
		link.Settings = append(link.Settings, wire.Setting{Key: hyper.TurnsKey, Value: hyper.FormatTurns(turns)})
	}
	return strings.TrimPrefix(link.String(), "#")
}

// turned returns the changes on a tape as turns. A change of speed changes no byte, so it is left out.
func turned(recorded *tape.Tape) (turns []hyper.Turn) {
	for _, e := range recorded.Events {
		if e.Kind != tape.Changed || e.Key == "speed" {
			continue
		}
		if change, err := hyper.ParseChange(e.Key, e.To); err == nil { // another build may have other settings
			turns = append(turns, hyper.Turn{Step: e.Step, Change: change})
		}
	}
	return turns
}

package site

// Short links: /l/CODE leads to the link that the server keeps under the code. A program asks for one at /api/v1/links,
// and so does the Lab; the page of a run needs no script, so it has a form.

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"impalab/learner/hyper"
	"impalab/learner/tape"
	"impalab/server/errcode"
	"impalab/server/firewall"
	"impalab/server/site/api"
	"impalab/wasm/run"
	"impalab/web/wire"
)

type links struct {
	runs    *runs
	asked   *firewall.Rate
	address func(*http.Request) string
	refused firewall.Refused
	unknown *page // where a code stands for nothing
}

// follow leads to the link that a code stands for.
func (l *links) follow(c echo.Context) error {
	fragment, err := l.runs.lab.Expand(c.Request().Context(), strings.ToLower(c.Param("code")))
	if errcode.Of(err) == errcode.NotFound {
		if strings.Contains(c.Request().Header.Get("Accept"), "text/html") {
			return l.unknown.write(c, http.StatusNotFound)
		}
		return c.String(http.StatusNotFound, err.Error()+"\n")
	}
	if err != nil {
		return pageError(err)
	}
	return c.Redirect(http.StatusFound, l.runs.data.Base+api.Opens(fragment)+"#"+fragment)
}

// make keeps the experiment of a run, and shows its short link on the run's page.
func (l *links) make(c echo.Context) error {
	if !l.asked.Allow(l.address(c.Request())) {
		l.refused(firewall.LinksTooFast)
		c.Response().Header().Set("Retry-After", "1")
		return echo.NewHTTPError(http.StatusTooManyRequests, "short links are asked for too fast from your address: "+
			l.asked.String()+"; wait a second, then try again")
	}
	s, err := l.runs.load(c)
	if err != nil {
		return err
	}
	fragment, err := api.ToKeep(s.Experiment)
	if err != nil {
		return echo.NewHTTPError(http.StatusUnprocessableEntity, err.Error())
	}
	code, err := l.runs.lab.Shorten(c.Request().Context(), fragment)
	if err != nil {
		return pageError(err)
	}
	return c.Redirect(http.StatusSeeOther, l.runs.data.Base+"r/"+s.ID+"?link="+code+"#link")
}

// short is the address of a code, if it stands for this run's experiment: no page shows what somebody else put into its
// address.
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

// experiment is the fragment that trains a run again in the Lab, at a pace to watch: its settings, and what was turned
// at which step; "" where that cannot be told, because its seed is a secret.
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

// turned are the changes on a tape as turns; how fast the run went changes no byte, and is left out.
func turned(recorded *tape.Tape) (turns []hyper.Turn) {
	for _, e := range recorded.Events {
		if e.Kind != tape.Changed || e.Key == "speed" {
			continue
		}
		if change, err := hyper.ParseChange(e.Key, e.To); err == nil { // else of another build: its page opens with the rest
			turns = append(turns, hyper.Turn{Step: e.Step, Change: change})
		}
	}
	return turns
}

package site

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"impalab/server/errcode"
	"impalab/server/site/api"
	"impalab/web/link"
	"impalab/web/page"
)

// Short links: /l/CODE leads to the link that the server stores under the code. Programs and the Lab make them at
// /api/v1/links. The page of a run works without a script, so it has a form.

// follow redirects to the link of a code.
func (p *runs) follow(c echo.Context) error {
	fragment, err := p.lab.Expand(c.Request().Context(), strings.ToLower(c.Param("code")))
	if errcode.Of(err) == errcode.NotFound {
		if strings.Contains(c.Request().Header.Get("Accept"), "text/html") {
			return missing(c, page.NoLink(p.data))
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
	experiment := ""
	if err := p.with(c.Request().Context(), c, func(r *shown) error {
		experiment = r.Experiment()
		return nil
	}); err != nil {
		return pageError(err)
	}
	fragment, err := link.Storable(experiment)
	if err != nil {
		return echo.NewHTTPError(http.StatusUnprocessableEntity, err.Error())
	}
	code, err := p.lab.Shorten(c.Request().Context(), fragment)
	if err != nil {
		return pageError(err)
	}
	return c.Redirect(http.StatusSeeOther, p.data.Base+"r/"+c.Param("id")+"?link="+code+"#link")
}

// short returns the address of the code in a page's address. It returns "" for codes of other experiments, so that a
// page shows no link that someone put into its address.
func (p *runs) short(c echo.Context, r *shown) string {
	code, experiment := c.QueryParam("link"), r.Experiment()
	if code == "" || experiment == "" {
		return ""
	}
	if kept, err := p.lab.Expand(c.Request().Context(), code); err != nil || kept != experiment {
		return ""
	}
	return strings.TrimSuffix(r.URL, "r/"+r.ID) + "l/" + code
}

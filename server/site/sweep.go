package site

import (
	"strconv"

	"github.com/labstack/echo/v4"

	"impalab/server/sweep"
	"impalab/web/page"
)

// sweepPage serves the page of a sweep, /s/ID. While the sweep runs, the page's script asks for the figure again.
func sweepPage(sweeps *sweep.Sweeps, data page.Data, https bool) echo.HandlerFunc {
	return func(c echo.Context) error {
		ctx := c.Request().Context()
		s, err := sweeps.Find(ctx, c.Param("id"))
		if err != nil {
			return pageError(err)
		}
		show := page.Sweep{Info: s.Info(), Spec: &s.Spec,
			CSV: address(c, https, data.Base+"api/v1/sweeps/"+s.ID+"/runs.csv")}
		if n, err := strconv.Atoi(c.QueryParam("cell")); err == nil && n >= 0 && n < len(show.Cells) {
			show.Chosen = n // anything else is the first cell
		}
		show.Curves = s.Curves(ctx, show.Chosen)
		if id := c.QueryParam("beside"); id != "" {
			other, err := sweeps.Find(ctx, id)
			if err != nil {
				return pageError(err)
			}
			show.Beside = &page.Sweep{Info: other.Info(), Spec: &other.Spec, Curves: other.Curves(ctx, 0), Guest: true}
		}
		unlisted(c)
		if c.QueryParam("part") == "figure" {
			return render(c, page.SweepFigure(data, show))
		}
		return render(c, page.SweepPage(data, show))
	}
}

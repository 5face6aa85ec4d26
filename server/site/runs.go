package site

import (
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"

	"impalab/server/lab"
	"impalab/server/picture"
	"impalab/web/page"
)

// The page of a browser's runs asks for small curves of the rows in view, and for one chart of the chosen runs.

// mostSparks limits the small curves of one request.
const mostSparks = 50

// named returns the runs that a request names, from 1 to most.
func named(c echo.Context, most int) ([]string, error) {
	ids := c.QueryParams()["run"]
	if len(ids) < 1 || len(ids) > most {
		return nil, echo.NewHTTPError(http.StatusUnprocessableEntity, fmt.Sprintf("%d runs: name 1 to %d as run=ID", len(ids),
			most))
	}
	return ids, nil
}

// sparks answers with the small curves of runs, as SVG paths by id.
func (p *runs) sparks(c echo.Context) error {
	ids, err := named(c, mostSparks)
	if err != nil {
		return err
	}
	paths := map[string]string{}
	for _, id := range ids {
		points, err := p.lab.Returns(c.Request().Context(), id)
		if err != nil {
			return pageError(err)
		}
		paths[id] = picture.Spark(points)
	}
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.JSON(http.StatusOK, paths)
}

// together answers with one chart of runs of the same world.
func (p *runs) together(c echo.Context) error {
	ids, err := named(c, picture.MostTogether)
	if err != nil {
		return err
	}
	var chosen []picture.Run
	world := ""
	for _, id := range ids {
		if err := p.lab.WithHistory(c.Request().Context(), id, func(told *lab.History) error {
			if of := told.Settings["world"]; world != "" && of != world {
				return echo.NewHTTPError(http.StatusUnprocessableEntity, fmt.Sprintf("one run plays %s and another %s: their "+
					"returns do not compare", world, of))
			} else if world == "" {
				world = of
			}
			chosen = append(chosen, picture.Run{Curves: told.Curves, Tape: told.Tape, Steps: told.Steps})
			return nil
		}); err != nil {
			return pageError(err)
		}
	}
	unlisted(c)
	return render(c, page.RunsTogether(page.Chart(picture.Together(chosen))))
}

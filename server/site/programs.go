package site

import (
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/web/staticsite"
)

// maxProgrammed limits the memory of a run in a browser, in bytes. wasm/trainer has the same limit.
const maxProgrammed = 256e6

// makePrograms answers with the programs of the configuration in a query. A browser that trains a run has no graph to
// make them with. It makes one at a time.
func makePrograms() echo.HandlerFunc {
	slow := make(chan struct{}, 1)
	refuse := func(format string, args ...any) error {
		return echo.NewHTTPError(http.StatusUnprocessableEntity, fmt.Sprintf(format, args...))
	}
	return func(c echo.Context) error {
		var settings []hyper.Setting
		for i := range hyper.Table {
			if key := hyper.Table[i].Key; c.QueryParams().Has(key) {
				settings = append(settings, hyper.Setting{Key: key, Value: c.QueryParam(key)})
			}
		}
		cfg, _, _, err := hyper.FromSettings(settings)
		if err != nil {
			return refuse("%v", err)
		}
		if cfg.Torso != hyper.FlatTorso {
			return refuse("torso=%s: networks that look at pictures are too much for a browser", cfg.Torso)
		}
		switch cost, err := learner.CostOf(&cfg); {
		case err != nil:
			return refuse("%v", err)
		case cost.Bytes > maxProgrammed:
			return refuse("this run would take %.3g MB of memory, most of it for %s; in a browser a run may take %.3g MB: make "+
				"one of these smaller", cost.Bytes/1e6, cost.Largest, maxProgrammed/1e6)
		}
		select {
		case slow <- struct{}{}:
			defer func() { <-slow }()
		case <-c.Request().Context().Done():
			return nil
		}
		made, err := staticsite.Programs(&cfg)
		if err != nil {
			return refuse("%v", err)
		}
		c.Response().Header().Set("Cache-Control", "no-cache")
		return c.Blob(http.StatusOK, "application/octet-stream", made)
	}
}

package site

import (
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"

	"impalab/learner/hyper"
	"impalab/web/runloop"
	"impalab/web/staticsite"
)

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
		if _, err := runloop.Browser.Check(&cfg); err != nil {
			return refuse("%v", err)
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

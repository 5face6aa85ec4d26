package site

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"impalab/learner/hyper"
	"impalab/server/places"
	"impalab/web/runloop"
	"impalab/web/staticsite"
)

// makePrograms answers with the programs of the configuration in a query. A browser that trains a run has no graph to
// make them with.
func makePrograms() echo.HandlerFunc {
	at := places.New(places.Limits{What: "making this network's programs", Total: 2, Each: 1, Within: 10 * time.Second})
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
		var made []byte
		if err := at.Do(c.Request().Context(), 0, func(context.Context) (err error) {
			if made, err = staticsite.Programs(&cfg); err != nil {
				err = refuse("%v", err)
			}
			return err
		}); err != nil {
			return pageError(err)
		}
		c.Response().Header().Set("Cache-Control", "no-cache")
		return c.Blob(http.StatusOK, "application/octet-stream", made)
	}
}

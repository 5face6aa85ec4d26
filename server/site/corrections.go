package site

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"impalab/static"
	"impalab/web/page"
)

// vectors answers with the batches and weights that other implementations can test themselves against. A query may name
// their version.
func vectors() echo.HandlerFunc {
	text := static.Embedded().Text(page.Vectors)
	var head struct{ Version int }
	if err := json.Unmarshal([]byte(text), &head); err != nil {
		panic("site: " + page.Vectors + ": " + err.Error())
	}
	file := static.NewFile(page.Vectors, []byte(text))
	return func(c echo.Context) error {
		if c.QueryParams().Has("version") && c.QueryParam("version") != strconv.Itoa(head.Version) {
			return echo.NewHTTPError(http.StatusNotFound, fmt.Sprintf(
				"there is no version %.40q of the vectors: ask for version=%d, or leave it out", c.QueryParam("version"),
				head.Version))
		}
		c.Response().Header().Set("Access-Control-Allow-Origin", "*")
		c.Response().Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
		file.Serve(c.Response(), c.Request(), "no-cache")
		return nil
	}
}

// weigh answers with what a correction of a query makes of the stored batches.
func weigh(c echo.Context) error {
	made, err := page.Weigh(c.QueryParams())
	if err != nil {
		return echo.NewHTTPError(http.StatusUnprocessableEntity, err.Error())
	}
	c.Response().Header().Set("Cache-Control", "no-cache")
	return c.JSONBlob(http.StatusOK, made)
}

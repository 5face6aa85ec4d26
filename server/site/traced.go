package site

// Each request is a span for whoever collects traces: its route, not its path, which may name a room or a run.

import (
	"cmp"
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"impalab/server/tracing"
)

func traced(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if staysOpen(c.Request()) {
			return next(c)
		}
		ctx, span := tracing.Request(c.Request())
		if !span.On() {
			return next(c)
		}
		span.Route(c.Request().Method, c.Path()) // the API says more exactly which
		c.SetRequest(c.Request().WithContext(ctx))
		err := next(c)

		status := c.Response().Status
		var known *echo.HTTPError
		switch {
		case errors.As(err, &known):
			status = known.Code
		case err != nil:
			status = http.StatusInternalServerError
		}
		span.SetInt("http.response.status_code", status)
		var fault error // of ours, not of what was asked
		if status >= http.StatusInternalServerError {
			fault = cmp.Or(err, errors.New(http.StatusText(status)))
		}
		span.End(fault)
		return err
	}
}

// staysOpen reports whether a request is a page's connection, which lasts as long as the page.
func staysOpen(r *http.Request) bool {
	return r.Header.Get("Upgrade") != "" || strings.Contains(r.Header.Get("Accept"), "text/event-stream")
}

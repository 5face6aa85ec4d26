package main

// The site's middleware: security headers, same-origin checks, recovery from panics, and what a person reads when a
// request fails.

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"runtime/debug"
	"strings"

	"github.com/labstack/echo/v4"
)

// policy allows our own files and nothing else. 'wasm-unsafe-eval' lets WebAssembly compile, and only that; frame-ancestors
// lets our own page, and no other, hold the stage in its frame.
const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; " +
	"object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'"

// securityHeaders sets the headers that every answer carries.
func securityHeaders(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		h := c.Response().Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		return next(c)
	}
}

// sameOrigin refuses requests that a page of another site makes. also is the origin that browsers see behind a proxy,
// or "".
func sameOrigin(also string) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			origin := c.Request().Header.Get("Origin")
			if origin == "" || origin == also {
				return next(c)
			}
			u, err := url.Parse(origin)
			if err != nil || u.Host == "" || !strings.EqualFold(u.Host, c.Request().Host) {
				return echo.NewHTTPError(http.StatusForbidden,
					fmt.Sprintf("a page from %.100s may not connect here; behind a proxy, start the server with --base-url and the URL that browsers see", origin))
			}
			return next(c)
		}
	}
}

// recoverPanics turns a panic in one request into an error of that request.
func recoverPanics(log *slog.Logger) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) (err error) {
			defer func() {
				switch p := recover(); {
				case p == nil:
				case p == http.ErrAbortHandler:
					panic(p) // net/http's own way to drop a connection
				default:
					log.Error("panic in a request", "path", c.Request().URL.Path, "panic", p, "stack", string(debug.Stack()))
					err = echo.ErrInternalServerError
				}
			}()
			return next(c)
		}
	}
}

// errorHandler answers errors: an unknown path gets the page that says where to go, all else one plain sentence.
func errorHandler(notFound *page, log *slog.Logger) echo.HTTPErrorHandler {
	return func(err error, c echo.Context) {
		if c.Response().Committed {
			return
		}
		status, text := http.StatusInternalServerError, "internal error; the server's log has the details"
		var known *echo.HTTPError
		if errors.As(err, &known) {
			status = known.Code
			if status < 500 {
				text = fmt.Sprint(known.Message)
			}
		}
		if status >= 500 {
			log.Error("a request failed", "path", c.Request().URL.Path, "error", err)
		}
		if status == http.StatusNotFound && strings.Contains(c.Request().Header.Get("Accept"), "text/html") {
			err = notFound.write(c, status)
		} else {
			if status == http.StatusNotFound {
				text = "there is nothing here; the Lab is at the root"
			}
			err = c.String(status, text+"\n")
		}
		if err != nil {
			log.Debug("an answer could not be sent", "error", err)
		}
	}
}

package site

// The site's middleware: security headers, recovery from panics, and what a person reads when a request fails. Who may
// call at all is package guard's.

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"impalab/server/firewall"
	"impalab/server/site/api"
)

// policy allows our own files and nothing else. 'wasm-unsafe-eval' lets WebAssembly compile, and only that;
// frame-ancestors lets our own page, and no other, hold the stage in its frame.
const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; " +
	"img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'"

// permissions are the browser features that our scripts do without, denied to all.
const permissions = "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), " +
	"magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()"

// securityHeaders sets the headers that every answer carries. https says that browsers see the pages by https, and
// hsts how long they should remember to use it; 0: no such header.
func securityHeaders(https bool, hsts time.Duration) echo.MiddlewareFunc {
	headers := [][2]string{
		{"Content-Security-Policy", policy},
		{"Permissions-Policy", permissions},
		{"X-Content-Type-Options", "nosniff"},
		{"Referrer-Policy", "same-origin"},
		{"Cross-Origin-Resource-Policy", "same-origin"},
	}
	if hsts > 0 {
		headers = append(headers, [2]string{"Strict-Transport-Security", fmt.Sprintf("max-age=%.0f", hsts.Seconds())})
	}
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			for _, h := range headers {
				c.Response().Header().Set(h[0], h[1])
			}
			if https || firewall.OnThisMachine(c.Request().Host) { // elsewhere browsers ignore it, and complain in the console
				c.Response().Header().Set("Cross-Origin-Opener-Policy", "same-origin")
			}
			return next(c)
		}
	}
}

// recoverPanics turns a panic in one request into an error of that request.
func recoverPanics(log *slog.Logger) echo.MiddlewareFunc {
	return middleware.RecoverWithConfig(middleware.RecoverConfig{
		DisableStackAll: true,
		LogErrorFunc: func(c echo.Context, err error, stack []byte) error {
			log.Error("panic in a request", "path", c.Request().URL.Path, "panic", err, "stack", string(stack))
			return echo.ErrInternalServerError
		},
	})
}

// errorHandler answers errors: an unknown path gets the page that says where to go, all else one plain sentence.
func errorHandler(notFound *page, base string, log *slog.Logger) echo.HTTPErrorHandler {
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
		if status >= 500 && !errors.Is(err, context.Canceled) { // else whoever asked has gone, and nothing is wrong
			log.Error("a request failed", "path", c.Request().URL.Path, "error", err)
		}
		if firewall.OfAPI(c.Request()) {
			api.Write(c.Response(), status, text)
			return
		}
		if status == http.StatusNotFound && strings.Contains(c.Request().Header.Get("Accept"), "text/html") {
			err = notFound.write(c, status)
		} else {
			if status == http.StatusNotFound {
				text = "there is nothing here; the Lab is at " + base + "lab"
			}
			err = c.String(status, text+"\n")
		}
		if err != nil {
			log.Debug("an answer could not be sent", "error", err)
		}
	}
}

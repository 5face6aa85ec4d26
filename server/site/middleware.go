package site

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"impalab/server/firewall"
	"impalab/server/site/api"
	"impalab/web/page"
)

// policy allows only our own files. 'wasm-unsafe-eval' allows WebAssembly to compile and nothing else. frame-ancestors
// allows only our own pages to show the stage in a frame.
const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; " +
	"img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'"

// permissions denies the browser features that our scripts do not use.
const permissions = "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), " +
	"magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()"

// securityHeaders sets the headers of every answer.
func (w *Web) securityHeaders() echo.MiddlewareFunc {
	headers := [][2]string{
		{"Content-Security-Policy", policy},
		{"Permissions-Policy", permissions},
		{"X-Content-Type-Options", "nosniff"},
		{"Referrer-Policy", "same-origin"},
		{"Cross-Origin-Resource-Policy", "same-origin"},
	}
	if w.HSTS > 0 {
		headers = append(headers, [2]string{"Strict-Transport-Security", fmt.Sprintf("max-age=%.0f", w.HSTS.Seconds())})
	}
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			for _, h := range headers {
				c.Response().Header().Set(h[0], h[1])
			}
			if w.HTTPS || firewall.OnThisMachine(c.Request().Host) { // other browsers ignore it and warn in the console
				c.Response().Header().Set("Cross-Origin-Opener-Policy", "same-origin")
			}
			return next(c)
		}
	}
}

// recoverPanics turns a panic in a request into an error of that request.
func recoverPanics(log *slog.Logger) echo.MiddlewareFunc {
	return middleware.RecoverWithConfig(middleware.RecoverConfig{
		DisableStackAll: true,
		LogErrorFunc: func(c echo.Context, err error, stack []byte) error {
			log.Error("panic in a request", "path", c.Request().URL.Path, "panic", err, "stack", string(stack))
			return echo.ErrInternalServerError
		},
	})
}

// errorHandler answers errors: a page for an unknown path, else one sentence.
func errorHandler(data page.Data, log *slog.Logger) echo.HTTPErrorHandler {
	return func(err error, c echo.Context) {
		if c.Response().Committed {
			return
		}
		status, text := http.StatusInternalServerError, "internal error; the server's log has the details"
		var known *echo.HTTPError
		if errors.As(err, &known) {
			status = known.Code
			if status < 500 || status == http.StatusServiceUnavailable {
				text = fmt.Sprint(known.Message)
			}
		}
		fault := status >= 500 && status != http.StatusServiceUnavailable
		if fault && !errors.Is(err, context.Canceled) { // else the client disconnected
			log.Error("a request failed", "path", c.Request().URL.Path, "error", err)
		}
		if status == http.StatusServiceUnavailable {
			c.Response().Header().Set("Retry-After", "10")
		}
		if firewall.OfAPI(c.Request()) {
			if status == http.StatusNotFound && known.Message == echo.ErrNotFound.Message {
				text = "there is no API here; it is at " + data.Base + "api/v1"
			}
			api.Write(c.Response(), status, text)
			return
		}
		if allowed := c.Response().Header().Get("Allow"); status == http.StatusMethodNotAllowed && allowed != "" {
			text = fmt.Sprintf("method %.20s not allowed here; use %s", c.Request().Method, allowed)
		}
		if status == http.StatusNotFound && strings.Contains(c.Request().Header.Get("Accept"), "text/html") {
			err = unknown(c, data)
		} else {
			if status == http.StatusNotFound && known.Message == echo.ErrNotFound.Message {
				text = "there is nothing here; the Lab is at " + data.Base + "lab"
			}
			err = c.String(status, text+"\n")
		}
		if err != nil {
			log.Debug("an answer could not be sent", "error", err)
		}
	}
}

package site

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"impalab/server/firewall"
	"impalab/web/page"
)

// read reports whether a request asks for a page: a program that writes, or calls the API, typed no address.
func read(r *http.Request) bool {
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) && !firewall.OfAPI(r)
}

// withoutSlash returns a middleware that leads from a path with slashes at its end to the path without them.
func withoutSlash(base string) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			r := c.Request()
			typed, below := strings.CutPrefix(r.URL.Path, base)
			bare := strings.Trim(typed, "/") // one that began with a slash would name another server
			if !below || !strings.HasSuffix(typed, "/") || bare == "" || !read(r) {
				return next(c)
			}
			to := url.URL{Path: base + bare, RawQuery: r.URL.RawQuery}
			return c.Redirect(http.StatusFound, to.String())
		}
	}
}

// unknown answers a request for a page that does not exist. The name of a page leads to this page. Of any other path
// the page NotFound says which page is near. A path that is not below the base leads nowhere: a proxy that removes the
// base would ask for it again and again.
func unknown(c echo.Context, data page.Data) error {
	typed, below := strings.CutPrefix(c.Request().URL.Path, data.Base)
	at, exact := page.Meant(typed)
	if below && exact && read(c.Request()) {
		return c.Redirect(http.StatusFound, data.Base+at.Path)
	}
	return missing(c, page.NotFound(data, at))
}

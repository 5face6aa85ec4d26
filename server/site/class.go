package site

import (
	"bytes"
	"cmp"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"rsc.io/qr"

	"impalab/web/exercise"
	"impalab/web/page"
)

// classPages adds the pages of rooms. Their scripts fill them from the API.
func (o *Options) classPages(at counting, data page.Data) {
	keep := cmp.Or(o.Keep, 60*24*time.Hour)
	c := page.Class{Days: int(keep / (24 * time.Hour)), Asks: o.Host != ""}
	for _, p := range exercise.Plans() {
		serve(at.group, "/class/plan/"+p.Name, page.ClassHandout(data, p))
	}
	serve(at.group, "/class", page.ClassStart(data, c))
	at.GET("/class/:code/qr.svg", func(c echo.Context) error {
		address := o.Invite
		if address == "" { // as this browser has it
			scheme := "http://"
			if c.IsTLS() || o.HTTPS {
				scheme = "https://"
			}
			address = scheme + c.Request().Host + data.Base
		}
		picture, err := qrSVG(address + "class/" + strings.ToUpper(c.Param("code")))
		if err != nil {
			return echo.ErrNotFound
		}
		c.Response().Header().Set("Cache-Control", "no-cache")
		return c.Blob(http.StatusOK, "image/svg+xml", picture)
	})
	at.GET("/class/address", func(c echo.Context) error { return c.String(http.StatusOK, o.Invite) })
	serve(at.group, "/class/:code", page.ClassRoom(data, c))
}

// qrSVG draws a QR code, dark on light in every theme, so that every camera can read it.
func qrSVG(text string) ([]byte, error) {
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		return nil, err
	}
	const margin = 3 // modules
	side := code.Size + 2*margin
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" shape-rendering="crispEdges">`,
		side, side)
	fmt.Fprintf(&b, `<path fill="#fff" d="M0 0h%dv%dH0z"/><path d="`, side, side)
	for y := range code.Size {
		for x := range code.Size {
			if code.Black(x, y) {
				fmt.Fprintf(&b, "M%d %dh1v1h-1z", x+margin, y+margin)
			}
		}
	}
	b.WriteString(`"/></svg>`)
	return b.Bytes(), nil
}

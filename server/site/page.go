package site

// Finished pages, and how one is sent: packed where the browser can unpack it, and not again while it has it.

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"

	"github.com/labstack/echo/v4"

	"impalab/static"
)

// component is what web makes pages as.
type component interface {
	Render(ctx context.Context, w io.Writer) error
}

// page is a finished page.
type page struct {
	plain, packed []byte
	tag           string
}

func newPage(c component) (*page, error) {
	var plain, packed bytes.Buffer
	if err := c.Render(context.Background(), &plain); err != nil {
		return nil, err
	}
	w := gzip.NewWriter(&packed)
	w.Write(plain.Bytes())
	w.Close()
	sum := sha256.Sum256(plain.Bytes())
	return &page{plain.Bytes(), packed.Bytes(), `"` + hex.EncodeToString(sum[:8]) + `"`}, nil
}

func (p *page) serve(c echo.Context) error { return p.write(c, http.StatusOK) }

func (p *page) write(c echo.Context, status int) error {
	h := c.Response().Header()
	h.Set("Cache-Control", "no-cache") // ask each time: the page names the files of one build
	h.Add("Vary", "Accept-Encoding")
	if status == http.StatusOK {
		h.Set("ETag", p.tag)
		if c.Request().Header.Get("If-None-Match") == p.tag {
			return c.NoContent(http.StatusNotModified)
		}
	}
	body := p.plain
	if static.Accepts(c.Request().Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		body = p.packed
	}
	return c.HTMLBlob(status, body)
}

// moved leads to where a page is now.
func moved(to string) echo.HandlerFunc {
	return func(c echo.Context) error { return c.Redirect(http.StatusMovedPermanently, to) }
}

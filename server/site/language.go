package site

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"
)

// Whose browser asks for German before English, and who comes from elsewhere, gets the first page in German. Nothing is
// kept of that: ?lang=en and ?lang=de choose, and whoever goes from page to page here gets what the link leads to.

// preferring answers with the page in English, or leads to the one in German.
func preferring(english *page, base string) echo.HandlerFunc {
	return func(c echo.Context) error {
		c.Response().Header().Add("Vary", "Accept-Language, Sec-Fetch-Site")
		asks := c.Request().Header
		chosen := c.QueryParam("lang")
		if chosen == "" && asks.Get("Sec-Fetch-Site") != "same-origin" && prefersGerman(asks.Get("Accept-Language")) {
			chosen = "de"
		}
		if chosen == "de" {
			return c.Redirect(http.StatusSeeOther, base+"de/")
		}
		return english.serve(c)
	}
}

// prefersGerman reads what a browser's user reads, best first: German with a greater weight than English has.
func prefersGerman(accept string) bool {
	weight := map[string]float64{}
	for part := range strings.SplitSeq(accept, ",") {
		tag, rest, _ := strings.Cut(strings.TrimSpace(part), ";")
		language, _, _ := strings.Cut(strings.ToLower(tag), "-")
		q := 1.0
		if text, ok := strings.CutPrefix(strings.TrimSpace(rest), "q="); ok {
			var err error
			if q, err = strconv.ParseFloat(text, 64); err != nil || q < 0 || q > 1 {
				continue
			}
		}
		weight[language] = max(weight[language], q)
	}
	return weight["de"] > weight["en"]
}

package site

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"impalab/web/page"
)

// Who hangs up while a page is made fills no log; a fault of our own is in it.
func TestTheLogHasFaultsAndNotDisconnectedClients(t *testing.T) {
	for cause, logged := range map[error]bool{context.Canceled: false, errors.New("a gap"): true} {
		var log strings.Builder
		handle := errorHandler(page.Data{Base: "/"}, slog.New(slog.NewTextHandler(&log, nil)))
		answer := httptest.NewRecorder()
		handle(cause, echo.New().NewContext(httptest.NewRequest("GET", "/r/x", nil), answer))
		if answer.Code != http.StatusInternalServerError || (log.Len() > 0) != logged {
			t.Errorf("%v is answered with %d and logged as %q", cause, answer.Code, &log)
		}
	}
}

package site

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"impalab/learner/tape"
	"impalab/server/errcode"
	"impalab/server/lab"
	"impalab/web/lesson"
	"impalab/web/page"
)

// learn adds the lessons' routes that are not fixed pages.
func learn(at counting, data page.Data, runs *lab.Lab) {
	at.GET("/errata", moved(data.Base+"learn/errata"))
	for _, l := range lesson.All() {
		at.GET(page.LessonPath(l)+"/check", checker(l, runs))
	}
	at.GET("/learn/:name", func(c echo.Context) error { // an unknown name: the list, with a sentence
		_, err := lesson.Find(c.Param("name"))
		return missing(c, page.Learn(data, sorry(err)))
	})
}

// checker returns a handler that judges an answer to a lesson's check: the id of a run, or a number.
func checker(l *lesson.Lesson, runs *lab.Lab) echo.HandlerFunc {
	return func(c echo.Context) error {
		c.Response().Header().Set("Cache-Control", "no-store")
		if l.Check.Run == nil {
			return c.JSON(http.StatusOK, l.Check.JudgeNumber(c.QueryParam("number")))
		}
		ctx, id := c.Request().Context(), c.QueryParam("run")
		var did lesson.Outcome
		err := runs.WithHistory(ctx, id, func(told *lab.History) error {
			did = outcome(told)
			return nil
		})
		if errcode.Of(err) == errcode.NotFound {
			return c.JSON(http.StatusOK, l.Check.Unknown())
		}
		if err != nil {
			return pageError(err)
		}
		return c.JSON(http.StatusOK, l.Check.Judge(did))
	}
}

// outcome returns the part of a run that a check judges. A change of speed or steps does not count as a change.
func outcome(told *lab.History) lesson.Outcome {
	o := lesson.Outcome{Settings: told.Settings, Steps: told.Steps, Return: float64(told.ReturnMean100)}
	for _, e := range told.Tape.Events {
		o.Turned = o.Turned || e.Kind == tape.Changed && e.Key != "speed" && e.Key != "steps"
	}
	return o
}

// sorry returns an error as a sentence.
func sorry(err error) string {
	text := err.Error()
	text = strings.ToUpper(text[:1]) + text[1:]
	if !strings.HasSuffix(text, "?") {
		text += "."
	}
	return text
}

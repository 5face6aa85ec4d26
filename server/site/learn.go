package site

// The lessons: their pages, made once, and their checks.

import (
	"math"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"impalab/learner/tape"
	"impalab/server/errcode"
	"impalab/server/lab"
	"impalab/web"
	"impalab/web/lesson"
)

// learn adds the lessons' routes.
func learn(at *echo.Group, data web.Data, runs *lab.Lab) error {
	list, err := newPage(web.Learn(data, ""))
	if err != nil {
		return err
	}
	at.GET("/learn", list.serve)
	errata, err := newPage(web.Errata(data))
	if err != nil {
		return err
	}
	at.GET("/learn/errata", errata.serve)
	at.GET("/errata", moved(data.Base+"learn/errata"))
	for _, l := range lesson.All() {
		p, err := newPage(web.Lesson(data, l))
		if err != nil {
			return err
		}
		at.GET(web.LessonPath(l), p.serve)
		at.GET("/learn/de/"+l.Name, moved(data.Base+web.LessonPath(l)[1:])) // lessons in German are gone
		at.GET(web.LessonPath(l)+"/check", checker(l, runs))
	}
	at.GET("/learn/:name", func(c echo.Context) error { // a lesson that there is none of: the list, and a sentence
		_, err := lesson.Find(c.Param("name"))
		p, failed := newPage(web.Learn(data, sorry(err)))
		if failed != nil {
			return failed
		}
		return p.write(c, http.StatusNotFound)
	})
	return nil
}

// checker judges an answer to a lesson's check: a run of this server by its id, or a number.
func checker(l *lesson.Lesson, runs *lab.Lab) echo.HandlerFunc {
	return func(c echo.Context) error {
		c.Response().Header().Set("Cache-Control", "no-store")
		if l.Check.Run == nil {
			return c.JSON(http.StatusOK, l.Check.JudgeNumber(c.QueryParam("number")))
		}
		ctx, id := c.Request().Context(), c.QueryParam("run")
		info, err := runs.Info(ctx, id)
		if errcode.Of(err) == errcode.NotFound {
			return c.JSON(http.StatusOK, l.Check.Unknown())
		}
		if err != nil {
			return pageError(err)
		}
		lines, err := runs.Tape(ctx, id)
		if err != nil {
			return pageError(err)
		}
		recorded, fault := tape.Read(strings.NewReader(strings.Join(lines, "\n")))
		if recorded == nil {
			return fault
		}
		return c.JSON(http.StatusOK, l.Check.Judge(outcome(&info, recorded)))
	}
}

// outcome is a run as far as a check looks at it. A change of pace is no turn.
func outcome(info *lab.Info, recorded *tape.Tape) lesson.Outcome {
	o := lesson.Outcome{Settings: info.Settings, Steps: info.Steps, Return: math.NaN()}
	if info.Episodes > 0 {
		o.Return = info.ReturnMean100
	}
	for _, e := range recorded.Events {
		o.Turned = o.Turned || e.Kind == tape.Changed && e.Key != "speed" && e.Key != "steps"
	}
	return o
}

// sorry is an error as a sentence.
func sorry(err error) string {
	text := err.Error()
	text = strings.ToUpper(text[:1]) + text[1:]
	if !strings.HasSuffix(text, "?") {
		text += "."
	}
	return text
}

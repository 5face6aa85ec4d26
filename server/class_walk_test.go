//go:build slow

package main

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"impalab/server/class"
	"impalab/web/exercise"
)

// A student on a phone answers each step of a plan by keyboard alone. The teacher leads by keyboard on a laptop.
func TestALessonIsWalkedThroughByKeyboard(t *testing.T) {
	for _, plan := range exercise.Plans()[:3] {
		t.Run(plan.Name, func(t *testing.T) {
			t.Parallel()
			url, phone, laptop := serve(t), browser(t), browser(t)
			r := newTaught(t, url, plan.Name)
			resize(t, phone, 390, 844)
			resize(t, laptop, 1366, 650)
			do(t, phone, "join", chromedp.Navigate(url+"class/"+r.code), until(`!document.querySelector("#door").hidden`),
				js(fmt.Sprintf(focusOn, "#join-room input")), chromedp.KeyEvent("Ada\r"), says("Step 1 of"))
			do(t, laptop, "the teacher's view", chromedp.Navigate(url+"class/"+r.code+"#key="+r.key),
				until(`document.querySelectorAll("#teacher .tile").length === 1`))
			for i := range plan.Steps {
				s := &plan.Steps[i]
				do(t, phone, s.Name, says(fmt.Sprintf("Step %d of %d", i+1, len(plan.Steps))),
					until(fmt.Sprintf(`document.querySelector("#student h1").textContent === %q`, titleOf(s))))
				walk(t, phone, s)
				fits(t, phone, 390, s.Name)
				fits(t, laptop, 1366, s.Name)
				if s.Predict != nil {
					do(t, laptop, "show the answer", focusing("Show the answer"), chromedp.KeyEvent("\r"),
						until(`document.querySelector("#teacher .reveal")`))
					do(t, phone, "the truth", until(`document.querySelector("#student .reveal")`))
					fits(t, phone, 390, s.Name+", revealed")
				}
				if i+1 < len(plan.Steps) {
					do(t, laptop, "next", focusing("Next: "+plan.Steps[i+1].Title), chromedp.KeyEvent("\r"))
				}
			}
			for _, name := range plan.Homework {
				e, err := exercise.Named(name)
				if err != nil {
					t.Fatal(err)
				}
				do(t, phone, name, focusing(strings.ReplaceAll(name, "-", " ")), chromedp.KeyEvent("\r"),
					until(fmt.Sprintf(`document.querySelector("#student h1").textContent === %q`, e.Title)))
				fits(t, phone, 390, name)
			}
			var file class.File
			r.send("GET", "/room.json", "", &file)
			if want := asks(plan); len(file.Members[0].Answers) != want {
				t.Errorf("%d answers were taken, not %d", len(file.Members[0].Answers), want)
			}
		})
	}
}

func titleOf(s *exercise.Step) string {
	if e, err := exercise.Named(s.Exercise); err == nil {
		return e.Title
	}
	return s.Title
}

// asks returns the number of steps of a plan that ask for an answer.
func asks(plan *exercise.Plan) (n int) {
	for _, s := range plan.Steps {
		if s.Predict != nil || s.Run != nil || s.Exercise != "" || s.Sentence != "" {
			n++
		}
	}
	return n
}

// walk answers a step by keyboard.
func walk(t *testing.T, phone context.Context, s *exercise.Step) {
	t.Helper()
	sent := until(`document.querySelector("#student .answers li")`)
	switch {
	case s.Predict != nil && len(s.Predict.Choose) > 0:
		do(t, phone, s.Name, js(fmt.Sprintf(focusOn, "#student [type=radio]")),
			chromedp.KeyEvent(kb.ArrowDown+kb.Tab+"\r"), sent)
	case s.Predict != nil:
		do(t, phone, s.Name, js(fmt.Sprintf(focusOn, "#student [type=range]")),
			chromedp.KeyEvent(kb.ArrowRight+kb.ArrowRight), focusing("Send my guess"), chromedp.KeyEvent("\r"), sent)
	case s.Sentence != "":
		do(t, phone, s.Name, js(fmt.Sprintf(focusOn, "#student textarea")),
			chromedp.KeyEvent("the data are of another policy"), focusing("Send it to the wall"), chromedp.KeyEvent("\r"), sent)
	case s.Run != nil:
		do(t, phone, s.Name, focusing("Run it"), chromedp.KeyEvent("\r"), sent)
	case s.Lab != nil:
		do(t, phone, s.Name, focusing("Open the Lab"), chromedp.KeyEvent("\r"), until(labDrawn))
	case s.Exercise != "":
		e, err := exercise.Named(s.Exercise)
		if err != nil {
			t.Fatal(err)
		}
		fields := 1
		if e.Numbers != nil {
			fields = len(e.Numbers.Are)
		}
		do(t, phone, s.Name, js(fmt.Sprintf(focusOn, "#student .task input")),
			chromedp.KeyEvent(strings.Repeat("1"+kb.Tab, fields)), focusing("Hand in"), chromedp.KeyEvent("\r"),
			focusing("Hand it in"), chromedp.KeyEvent("\r"), sent)
	}
}

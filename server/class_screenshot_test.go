package main

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"impalab/server/class"
)

// The pictures of a room with a class of twelve, as its teacher and its students see it.
func TestScreenshotsOfAClass(t *testing.T) {
	if *screenshots == "" {
		t.Skip("only with -screenshots DIR")
	}
	for _, shot := range []struct {
		name, plan    string
		open          func(*testing.T, context.Context, *taught)
		width, height int64
		phone         bool
	}{
		{"class-make-light.png", "", making, 1366, 650, false},
		{"class-make-phone-dark.png", "", making, 390, 844, true},
		{"class-handout-light.png", "", onPaper, 1366, 900, false},
		{"class-teacher-light.png", "first-contact", teaching, 1366, 650, false},
		{"class-teacher-dark.png", "first-contact", teaching, 1366, 650, false},
		{"class-teacher-phone-light.png", "first-contact", teaching, 390, 844, true},
		{"class-projector-light.png", "first-contact", projecting, 1366, 650, false},
		{"class-guess-phone-light.png", "first-contact", guessing, 390, 844, true},
		{"class-guess-dark.png", "first-contact", guessing, 1366, 650, false},
		{"class-lab-light.png", "exercises", inTheLab, 1366, 650, false},
		{"class-lab-dark.png", "exercises", inTheLab, 1024, 700, false},
		{"class-lab-phone-light.png", "exercises", inTheLab, 390, 844, true},
		{"class-lab-phone-dark.png", "exercises", inTheLab, 390, 844, true},
		{"class-program-light.png", "exercises", writing, 1366, 650, false},
		{"class-program-phone-dark.png", "exercises", writing, 390, 844, true},
	} {
		t.Run(shot.name, func(t *testing.T) {
			r, ctx := &taught{t: t, url: serve(t)}, browser(t)
			if shot.plan != "" {
				r = newTaught(t, r.url, shot.plan)
				twelve(t, r, shot.plan == "first-contact")
			}
			frame(t, ctx, shot.width, shot.height, shot.phone)
			theme := "light"
			if strings.Contains(shot.name, "dark") {
				theme = "dark"
			}
			do(t, ctx, "theme", chromedp.Navigate(r.url+"class"),
				js(fmt.Sprintf(`localStorage.setItem("theme", %q)`, theme)))
			shot.open(t, ctx, r)
			do(t, ctx, "settle", chromedp.Sleep(time.Second))
			photograph(t, ctx, shot.name)
		})
	}
}

// twelve students join. In a lesson most run the task, one calls for help, and all have sent a guess.
func twelve(t *testing.T, r *taught, lesson bool) {
	t.Helper()
	r.send("PATCH", "", `{"step": 4}`, nil)
	for i, name := range []string{"Ada", "Bo", "Chiara", "Dmitri", "Elif", "Femi", "Grace", "Hiro", "Inês", "Jakub",
		"Kwame", "Lea and Maximilian"} {
		var seat class.Joined
		r.send("POST", "/members", fmt.Sprintf(`{"nickname": %q}`, name), &seat)
		if !lesson {
			continue
		}
		s := &taught{t: t, url: r.url, code: r.code, key: seat.Secret}
		if i < 8 {
			s.send("POST", "/answers", `{"kind": "try", "task": "run-it-late"}`, nil)
		}
		if i == 3 {
			s.send("PATCH", "/me", `{"help": true}`, nil)
		}
		guess := fmt.Sprintf(`{"kind": "guess", "task": "where-will-it-end", "choice": %d}`, i*i%4)
		s.send("POST", "/answers", guess, nil)
	}
}

func making(t *testing.T, ctx context.Context, r *taught) {
	do(t, ctx, "make a room", chromedp.Navigate(r.url+"class"))
}

func onPaper(t *testing.T, ctx context.Context, r *taught) {
	do(t, ctx, "a handout", chromedp.Navigate(r.url+"class/plan/first-contact"))
}

func teaching(t *testing.T, ctx context.Context, r *taught) {
	do(t, ctx, "the teacher's", chromedp.Navigate(r.url+"class/"+r.code+"#key="+r.key),
		until(`document.querySelectorAll("#teacher .tile").length === 12`), chromedp.Sleep(4*time.Second))
	r.send("PATCH", "", `{"step": 3}`, nil)
	do(t, ctx, "the guesses", until(`document.querySelector("#teacher .guesses")`))
}

func projecting(t *testing.T, ctx context.Context, r *taught) {
	teaching(t, ctx, r)
	r.send("PATCH", "", `{"revealed": true}`, nil)
	do(t, ctx, "on the wall", focusing("Projector view"), chromedp.KeyEvent("\r"),
		until(`document.querySelector("#teacher .reveal")`))
}

// joining is a student at a step.
func joining(t *testing.T, ctx context.Context, r *taught, step int) {
	r.send("PATCH", "", fmt.Sprintf(`{"step": %d, "follow": true}`, step), nil)
	do(t, ctx, "join", chromedp.Navigate(r.url+"class/"+r.code), until(`!document.querySelector("#door").hidden`),
		js(fmt.Sprintf(focusOn, "#join-room input")), chromedp.KeyEvent("Mina\r"), says("Step"))
}

func guessing(t *testing.T, ctx context.Context, r *taught) {
	joining(t, ctx, r, 3)
	do(t, ctx, "a guess", js(fmt.Sprintf(focusOn, "#student [type=radio]")),
		chromedp.KeyEvent(kb.ArrowDown+kb.Tab+"\r"), says("Your guess"))
	r.send("PATCH", "", `{"revealed": true}`, nil)
	do(t, ctx, "the truth", until(`document.querySelector("#student .reveal")`))
}

// inTheLab is a student after a failed try, with the Lab open.
func inTheLab(t *testing.T, ctx context.Context, r *taught) {
	joining(t, ctx, r, 0)
	do(t, ctx, "a try", focusing("Try it"), chromedp.KeyEvent("\r"), says("on average"))
	do(t, ctx, "the Lab", focusing("Open the Lab"), chromedp.KeyEvent("\r"), until(labDrawn),
		chromedp.Sleep(10*time.Second))
}

func writing(t *testing.T, ctx context.Context, r *taught) {
	joining(t, ctx, r, 13)
	do(t, ctx, "a program", says("Write V-trace"), focusing("Check"), chromedp.KeyEvent("\r"), says("is wrong first"))
}

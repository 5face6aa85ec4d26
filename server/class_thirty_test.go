//go:build slow

package main

// The figures of a class of thirty. On a quiet machine:
//
//	go test -tags slow ./server -count=1 -timeout 10m -v -run TestThirtyStudentsAndEightPages

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"impalab/server/class"
	"impalab/server/site/api"
)

var (
	lessonLasts = flag.Duration("lesson", 2*time.Minute, "how long the class of thirty works")
	anyPace     = flag.Bool("any-pace", false, "log the timings of the class of thirty, and demand none")
)

const (
	students   = 30
	pages      = 8
	pause      = 2 * time.Second        // per student: all share one address with 60 requests a second
	confirmed  = 300 * time.Millisecond // p95 of requests
	behindMost = 2 * time.Second        // of the teacher's tiles
	backWithin = 5 * time.Second        // all, once the server listens again
	unfairMost = .2
	wholeOnes  = 2 // answers in shared places: two of them may belong to others, one before the kill and one after it
)

// lesson is the test's record of a lesson.
type lesson struct {
	t       *testing.T
	ctx     context.Context
	teacher *pupil

	mu     sync.Mutex
	took   []time.Duration     // from request to answer, while no server was killed
	sent   map[string]int      // confirmed answers, by nickname
	marks  map[string]mark     // newest confirmed try, by nickname
	behind time.Duration       // the most of any tile
	titles map[string][]string // shown to each pupil, by nickname
	killed bool
}

// mark is the number in a student's newest run, and the time of its confirmation.
type mark struct {
	number int
	at     time.Time
}

// confirm sends until it gets an answer, and records the delay.
func (l *lesson) confirm(p *pupil, method, path, body string) bool {
	for l.ctx.Err() == nil {
		began := time.Now()
		err := p.send(method, path, body, nil)
		l.mu.Lock()
		if err == nil && !l.killed {
			l.took = append(l.took, time.Since(began))
		}
		l.mu.Unlock()
		if err == nil {
			return true
		}
		if strings.Contains(err.Error(), "409") { // two of its answers are being judged already
			return false
		}
		if !strings.Contains(err.Error(), "connect") && !strings.Contains(err.Error(), "EOF") && !strings.Contains(
			err.Error(), "reset") {
			l.t.Error(err)
			return false
		}
		time.Sleep(50 * time.Millisecond)
	}
	return false
}

// study is a student who starts runs as often as allowed, each with its own number, and checks a sum between them.
func (l *lesson) study(p *pupil, name string) {
	for n := 1; l.ctx.Err() == nil; n++ {
		if l.confirm(p, "POST", "/answers", fmt.Sprintf(
			`{"kind": "try", "task": "five-times-fewer", "settings": {"replay-size": %d}}`, 1000+n)) {
			l.mu.Lock()
			l.sent[name]++
			l.marks[name] = mark{1000 + n, time.Now()}
			l.mu.Unlock()
		}
		if l.confirm(p, "PATCH", "/me", fmt.Sprintf(`{"help": %v}`, n%2 == 0)) {
			select {
			case <-l.ctx.Done():
			case <-time.After(pause):
			}
		}
	}
}

// tiles compares the teacher's view with the confirmed answers.
func (l *lesson) tiles(v *api.View) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, tile := range v.Teacher.Tiles {
		m, is := l.marks[tile.Nickname]
		shown := 0
		for _, d := range tile.Differs {
			fmt.Sscan(d.Value, &shown)
		}
		if late := time.Since(m.at); is && shown < m.number && !l.killed {
			l.behind = max(l.behind, late)
		}
	}
}

// saw records the room's titles as one pupil sees them.
func (l *lesson) saw(v *api.View) {
	l.mu.Lock()
	defer l.mu.Unlock()
	name := v.Student.Nickname
	if seen := l.titles[name]; len(seen) == 0 || seen[len(seen)-1] != v.Student.Title {
		l.titles[name] = append(seen, v.Student.Title)
	}
}

func TestThirtyStudentsAndEightPagesLoseNothingWhileTheServerIsKilled(t *testing.T) {
	data := t.TempDir()
	server := launch(t, "127.0.0.1:0", data)
	windows := make([]context.Context, pages)
	for i := range windows {
		windows[i] = unwatched(t)
	}
	all := &pupil{url: server.url + "api/v1/rooms"}
	var made api.Made
	if err := all.send("POST", "", `{"plan": "exercises", "title": "0"}`, &made); err != nil {
		t.Fatal(err)
	}
	follows, unfollow := context.WithCancel(t.Context())
	ctx, stop := context.WithCancel(follows)
	l := &lesson{t: t, ctx: ctx, sent: map[string]int{}, marks: map[string]mark{}, titles: map[string][]string{}}
	l.teacher = &pupil{url: all.url + "/" + made.Code, key: made.Key, heard: l.tiles}
	var streams, work sync.WaitGroup
	defer streams.Wait()
	defer unfollow()
	streams.Go(func() { l.teacher.follow(follows) })
	for i := range students {
		p := &pupil{url: l.teacher.url, heard: l.saw}
		name := fmt.Sprintf("Student %d", i)
		var seat class.Joined
		if err := p.send("POST", "/members", fmt.Sprintf(`{"nickname": %q}`, name), &seat); err != nil {
			t.Fatal(err)
		}
		p.key = seat.Secret
		streams.Go(func() { p.follow(follows) })
		for !p.sees(func(v *api.View) bool { return v.Student != nil }) {
			time.Sleep(5 * time.Millisecond)
		}
		work.Go(func() { l.study(p, name) })
	}
	l.confirm(l.teacher, "PATCH", "", `{"step": 8, "follow": true}`)
	for i, w := range windows {
		name := fmt.Sprintf("Page %d", i)
		do(t, w, "join", chromedp.Navigate(server.url+"class/"+made.Code), until(`!document.querySelector("#door").hidden`),
			js(fmt.Sprintf(`document.querySelector("#join-room input").value = %q; document.querySelector("#join-room button").click()`, name)),
			says("γ = .9"))
		work.Go(func() { l.turnPage(w, name) })
	}

	// Half of the lesson, a kill, and the other half. The teacher changes something every two seconds.
	changes, kill := 0, time.Now().Add(*lessonLasts/2)
	over := time.Now().Add(*lessonLasts)
	for time.Now().Before(over) {
		changes++
		body := fmt.Sprintf(`{"title": "%d", "spotlight": %d, "timer": %d}`, changes, 1+changes%students, 60+changes)
		if !l.confirm(l.teacher, "PATCH", "", body) {
			break
		}
		if !kill.IsZero() && time.Now().After(kill) {
			server = l.kill(server, data, windows)
			kill = time.Time{}
		}
		time.Sleep(2 * time.Second)
	}
	stop()
	work.Wait()
	l.judge(changes)
}

// turnPage computes a sum in a page and checks it, again and again.
func (l *lesson) turnPage(w context.Context, name string) {
	script := `(() => { const of = [...document.querySelectorAll("#student .numbers input")];
		if (document.querySelector("#said:not([hidden])")) return false;
		of.forEach((f, i) => f.value = %d + i); document.querySelector("#announce").textContent = "";
		[...document.querySelectorAll("#student .task button")].find(b => b.textContent === "Check").click(); return true; })()`
	for n := 0; l.ctx.Err() == nil; n++ {
		asked, err := chromedp.Run(w, chromedp.Evaluate[bool](fmt.Sprintf(script, n)))
		if err != nil {
			l.t.Errorf("%s: %v", name, err)
			return
		}
		time.Sleep(pause / 4)
		if !asked { // the page reports the lost connection
			continue
		}
		for until := time.Now().Add(3 * time.Second); time.Now().Before(until); time.Sleep(100 * time.Millisecond) {
			said, err := chromedp.Run(w, chromedp.Evaluate[string](`document.querySelector("#announce").textContent`))
			if err != nil {
				l.t.Errorf("%s: %v", name, err)
				return
			}
			if said == "Sent" {
				l.mu.Lock()
				l.sent[name]++
				l.mu.Unlock()
				break
			}
		}
	}
}

// kill ends the server as a power cut does, starts it again, and waits until all pupils are back.
func (l *lesson) kill(server *process, data string, windows []context.Context) *process {
	l.t.Helper()
	l.mu.Lock()
	l.killed = true
	clear(l.titles) // the server tells each pupil the state of the room again
	l.mu.Unlock()
	began := time.Now()
	server.Process.Kill()
	server.Wait()
	again := launch(l.t, strings.TrimSuffix(strings.TrimPrefix(server.url, "http://"), "/"), data)
	listens := time.Now()
	back := func() bool {
		l.mu.Lock()
		n := len(l.titles)
		l.mu.Unlock()
		if n < students {
			return false
		}
		for i, w := range windows {
			there, err := chromedp.Run(w, chromedp.Evaluate[bool](fmt.Sprintf(`document.querySelector("#said").hidden &&
				document.querySelector(".masthead strong")?.textContent === "Page %d" && %s.includes("γ = .9")`, i, studentSays)))
			if err != nil || !there {
				return false
			}
		}
		return true
	}
	for !back() {
		if time.Since(listens) > patience {
			l.t.Fatal("not all came back")
		}
		time.Sleep(20 * time.Millisecond)
	}
	l.t.Logf("the server listened %v after the kill, and all were back %v after that", listens.Sub(began),
		time.Since(listens))
	if d := time.Since(listens); d > backWithin && !*anyPace {
		l.t.Errorf("all were back after %v; want %v", d, backWithin)
	}
	l.mu.Lock()
	l.killed = false
	for name, m := range l.marks { // downtime of the server is not a delay of a pupil
		l.marks[name] = mark{m.number, time.Now()}
	}
	l.mu.Unlock()
	return again
}

// judge compares the lesson with the promises.
func (l *lesson) judge(changes int) {
	time.Sleep(2 * time.Second) // for messages on their way
	var file class.File
	if err := l.teacher.send("GET", "/room.json", "", &file); err != nil {
		l.t.Fatal(err)
	}
	shares := map[string]float64{}
	sum := 0.
	for _, m := range file.Members {
		kept := 0
		for _, a := range m.Answers {
			if a.Kind == class.Try {
				kept++
			}
			if a.Task == "five-times-fewer" && !a.Open {
				shares[m.Nickname]++
				sum++
			}
		}
		// An answer may be stored although the kill lost its confirmation, so more answers are allowed.
		if kept < l.sent[m.Nickname] || kept > l.sent[m.Nickname]+2 {
			l.t.Errorf("%s sent %d answers, and the room has %d", m.Nickname, l.sent[m.Nickname], kept)
		}
		if l.sent[m.Nickname] == 0 {
			l.t.Errorf("%s sent nothing", m.Nickname)
		}
	}
	for name, seen := range l.titles {
		for i, title := range seen {
			if first, n := 0, 0; i > 0 {
				fmt.Sscan(seen[0], &first)
				if fmt.Sscan(title, &n); n != first+i {
					l.t.Errorf("%s was shown the changes %v: one is missing", name, seen)
					break
				}
			}
		}
		if last := seen[len(seen)-1]; last != fmt.Sprint(changes) {
			l.t.Errorf("%s was last shown change %s of %d", name, last, changes)
		}
	}
	mean := sum / students
	worst := 0.
	for i := range students {
		worst = max(worst, max(shares[fmt.Sprintf("Student %d", i)]-mean, mean-shares[fmt.Sprintf("Student %d", i)]))
	}
	slices.Sort(l.took)
	p95 := l.took[len(l.took)*95/100]
	l.t.Logf("%d were sent and confirmed: median %v, p95 %v, most %v", len(l.took), l.took[len(l.took)/2], p95,
		l.took[len(l.took)-1])
	l.t.Logf("a tile was at most %v behind; %d changes of the teacher's came to all", l.behind, changes)
	values := slices.Sorted(maps.Values(shares))
	l.t.Logf("%.0f answers were trained, %.1f for each student: %v; the farthest from the mean by %.0f %%", sum, mean,
		values, 100*worst/mean)
	if *anyPace {
		return
	}
	if p95 >= confirmed {
		l.t.Errorf("p95 of a confirmed change is %v; want less than %v", p95, confirmed)
	}
	if l.behind > behindMost {
		l.t.Errorf("a tile was %v behind; want %v", l.behind, behindMost)
	}
	if worst > max(unfairMost*mean, wholeOnes) {
		l.t.Errorf("a student had a share %.0f %% from the mean; want %.0f %%, or %d answers", 100*worst/mean,
			100*unfairMost, wholeOnes)
	}
}

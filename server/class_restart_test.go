package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"impalab/server/site/api"
)

// pupil is a scripted student, or the teacher, of a room.
type pupil struct {
	url, key string

	heard func(*api.View) // each view of the stream; may be nil

	mu   sync.Mutex
	view api.View // the newest view of the stream
}

// send returns an error instead of failing the test, so thirty pupils can send at once.
func (p *pupil) send(method, path, body string, into any) error {
	request, err := http.NewRequest(method, p.url+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+p.key)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode >= 300 {
		return fmt.Errorf("%s %s: %s %s, %w", method, path, answer.Status, text, err)
	}
	if into != nil {
		return json.Unmarshal(text, into)
	}
	return nil
}

// follow keeps the newest view, and joins a broken stream again, until ctx ends.
func (p *pupil) follow(ctx context.Context) {
	for ctx.Err() == nil {
		request, _ := http.NewRequestWithContext(ctx, "GET", p.url+"/events", nil)
		request.Header.Set("Authorization", "Bearer "+p.key)
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			time.Sleep(100 * time.Millisecond)
			continue
		}
		for rest, buf := []byte(nil), make([]byte, 64<<10); ; {
			n, err := answer.Body.Read(buf)
			rest = append(rest, buf[:n]...)
			for {
				event, after, whole := bytes.Cut(rest, []byte("\n\n"))
				if !whole {
					break
				}
				rest = after
				if _, data, found := bytes.Cut(event, []byte("data: ")); found {
					var v api.View
					if json.Unmarshal(data, &v) == nil {
						p.mu.Lock()
						p.view = v
						p.mu.Unlock()
						if p.heard != nil {
							p.heard(&v)
						}
					}
				}
			}
			if err != nil {
				break
			}
		}
		answer.Body.Close()
	}
}

func (p *pupil) sees(ok func(*api.View) bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return ok(&p.view)
}

// Thirty students and a teacher follow a room, and the server is killed in the middle. After its restart all are back
// in the room with their answers.
func TestAClassOfThirtyIsBackAfterAKill(t *testing.T) {
	data, n := t.TempDir(), 30
	server := launch(t, "127.0.0.1:0", data)
	all := &pupil{url: server.url + "api/v1/rooms"}
	var made api.Made
	if err := all.send("POST", "", `{"plan": "first-contact"}`, &made); err != nil {
		t.Fatal(err)
	}
	teacher := &pupil{url: all.url + "/" + made.Code, key: made.Key}
	ctx, stop := context.WithCancel(t.Context())
	var streams sync.WaitGroup
	defer streams.Wait()
	defer stop()
	streams.Go(func() { teacher.follow(ctx) })
	class := make([]*pupil, n)
	each := func(do func(i int, p *pupil) error) {
		t.Helper()
		errs, wait := make([]error, n), sync.WaitGroup{}
		for i := range n {
			wait.Go(func() { errs[i] = do(i, class[i]) })
		}
		wait.Wait()
		for _, err := range errs {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	each(func(i int, _ *pupil) error {
		class[i] = &pupil{url: teacher.url}
		var seat struct{ Secret string }
		err := class[i].send("POST", "/members", fmt.Sprintf(`{"nickname": "Student %d"}`, i), &seat)
		class[i].key = seat.Secret
		return err
	})
	for _, p := range class {
		streams.Go(func() { p.follow(ctx) })
	}
	await := func(what string, within time.Duration, ok func() bool) time.Duration {
		t.Helper()
		began := time.Now()
		for !ok() {
			if time.Since(began) > within {
				t.Fatal(what, ": not within ", within)
			}
			time.Sleep(5 * time.Millisecond)
		}
		return time.Since(began)
	}
	atStep := func(name string) func() bool {
		return func() bool {
			return !slices.ContainsFunc(class, func(p *pupil) bool {
				return !p.sees(func(v *api.View) bool { return v.Student != nil && v.Student.Task.Name == name })
			})
		}
	}
	sent := func(want int) func() bool {
		return func() bool {
			return teacher.sees(func(v *api.View) bool {
				return v.Teacher != nil && v.Teacher.Guesses != nil && v.Teacher.Guesses.Sent == want
			})
		}
	}
	guess := func(choice func(i int) int) {
		t.Helper()
		took := make([]time.Duration, n)
		each(func(i int, p *pupil) error {
			began := time.Now()
			err := p.send("POST", "/answers", fmt.Sprintf(`{"kind": "guess", "task": "where-will-it-end", "choice": %d}`,
				choice(i)), nil)
			took[i] = time.Since(began)
			return err
		})
		slices.Sort(took)
		t.Logf("thirty guesses at once: median %v, p95 %v", took[n/2], took[n*95/100])
	}
	if err := teacher.send("PATCH", "", `{"step": 3}`, nil); err != nil {
		t.Fatal(err)
	}
	t.Log("the step came to all after ", await("the step", 10*time.Second, atStep("where-will-it-end")))
	guess(func(i int) int { return i % 4 })
	t.Log("the teacher saw all guesses after ", await("the guesses", 2*time.Second, sent(n)))

	server.Process.Kill()
	server.Wait()
	again := launch(t, strings.TrimSuffix(strings.TrimPrefix(server.url, "http://"), "/"), data)
	if again.url != server.url {
		t.Fatal("another address: ", again.url)
	}
	each(func(i int, p *pupil) error {
		var v api.View
		if err := p.send("GET", "/view", "", &v); err != nil {
			return err
		}
		s := v.Student
		if s.Nickname != fmt.Sprintf("Student %d", i) || s.Task.Name != "where-will-it-end" || len(s.Answers) != 1 ||
			*s.Answers[0].Said.Choice != i%4 {
			return fmt.Errorf("student %d came back as %+v", i, s)
		}
		return nil
	})
	guess(func(int) int { return 3 })
	t.Log("the teacher's stream was back and right after ", await("the stream", 5*time.Second, func() bool {
		return teacher.sees(func(v *api.View) bool {
			g := v.Teacher.Guesses
			return g != nil && g.Columns[3] == n && v.Teacher.Tiles[n-1].State != "gone"
		})
	}))
}

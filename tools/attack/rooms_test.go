package attack

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// caller calls the API from one loopback address.
type caller struct {
	t      *target
	client http.Client
}

func (t *target) caller(n int) *caller {
	return &caller{t, http.Client{Timeout: time.Minute, Transport: &http.Transport{DialContext: from(n),
		MaxIdleConnsPerHost: 200}}}
}

// call sends a body as JSON, reads the answer into got, and returns the status. An error has the server's words.
func (c *caller) call(ctx context.Context, method, path, key string, send, got any) (int, error) {
	text, err := json.Marshal(send)
	if err != nil {
		return 0, err
	}
	r, err := http.NewRequestWithContext(ctx, method, "http://"+c.t.host+"/api/v1"+path, bytes.NewReader(text))
	if err != nil {
		return 0, err
	}
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	answer, err := c.client.Do(r)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(answer.Body)
	switch {
	case err != nil:
		return answer.StatusCode, err
	case answer.StatusCode >= 300:
		return answer.StatusCode, fmt.Errorf("%s %s is answered %s: %.300s", method, path, answer.Status, said)
	case got == nil:
		return answer.StatusCode, nil
	}
	return answer.StatusCode, json.Unmarshal(said, got)
}

// classRoom is a room and the keys of its teacher and of one student.
type classRoom struct{ Code, Key, student string }

func (c *caller) room(ctx context.Context) (r classRoom, err error) {
	if _, err = c.call(ctx, "POST", "/rooms", "", map[string]string{"plan": "exercises"}, &r); err == nil {
		r.student, err = c.join(ctx, &r, "Ada")
	}
	return r, err
}

func (c *caller) join(ctx context.Context, r *classRoom, nickname string) (secret string, err error) {
	var seated struct{ Secret string }
	_, err = c.call(ctx, "POST", "/rooms/"+r.Code+"/members", "", map[string]string{"nickname": nickname}, &seated)
	return seated.Secret, err
}

// fatAnswer has a field that its task does not have.
var fatAnswer = map[string]any{"kind": "try", "task": "by-hand-with-an-end", "numbers": []int{1, 1, 1, 1},
	"text": string(bytes.Repeat([]byte("A"), 60_000))}

// otherRooms is one student of one room with two hundred requests at a time, against the teacher of another.
func otherRooms(ctx context.Context, t *target) error {
	evil, good := t.caller(attacker), t.caller(stranger)
	theirs, err := evil.room(ctx)
	if err != nil {
		return err
	}
	ours, err := good.room(ctx)
	if err != nil {
		return err
	}
	during, stop := context.WithCancel(ctx)
	var senders sync.WaitGroup
	var taken atomic.Int64
	for range 200 {
		senders.Go(func() { // ends with during
			for during.Err() == nil {
				_, err := evil.call(during, "POST", "/rooms/"+theirs.Code+"/answers", theirs.student,
					fatAnswer, nil)
				if err == nil {
					taken.Add(1)
				}
			}
		})
	}
	sleep(ctx, time.Second)
	var waits []time.Duration
	until := time.Now().Add(15 * time.Second)
	for ; err == nil && time.Now().Before(until); sleep(ctx, 50*time.Millisecond) {
		began := time.Now()
		_, err = good.call(ctx, "PATCH", "/rooms/"+ours.Code, ours.Key, map[string]bool{"frozen": false}, nil)
		waits = append(waits, time.Since(began))
	}
	stop()
	senders.Wait()
	if err != nil {
		return err
	}
	slices.Sort(waits)
	if taken.Load() == 0 {
		return errors.New("no answer was taken, so this shows nothing")
	}
	fmt.Printf("      %d answers of one student; another room's teacher waited %s, and %s at the 95th percentile of %d\n",
		taken.Load(), quantile(waits, .5), quantile(waits, .95), len(waits))
	if p95 := quantile(waits, .95); p95 > otherWaits {
		return fmt.Errorf("another room's teacher waited %s at the 95th percentile", p95)
	}
	return nil
}

// fillDisk sends answers with unknown fields as fast as it can, from as many students as possible.
func fillDisk(ctx context.Context, t *target) error {
	const memory, disk, own = 300e6, 2e6, 8e6 // the size of an empty folder, and the log before the database
	t.close()
	t.more = []string{"--max-memory", "300", "--max-data", "2"}
	defer func() { t.more = nil }()
	if err := t.start(ctx); err != nil {
		return err
	}
	evil := t.caller(attacker)
	room, err := evil.room(ctx)
	if err != nil {
		return err
	}
	during, stop := context.WithTimeout(ctx, 20*time.Second)
	defer stop()
	var senders sync.WaitGroup
	var taken atomic.Int64
	for i := range 8 {
		senders.Go(func() { // ends with during
			for n := 0; during.Err() == nil; n++ {
				secret, err := evil.join(during, &room, fmt.Sprintf("w%dx%d", i, n))
				for err == nil {
					if _, err = evil.call(during, "POST", "/rooms/"+room.Code+"/answers", secret, fatAnswer, nil); err == nil {
						taken.Add(1)
					}
				}
				sleep(during, 300*time.Millisecond)
			}
		})
	}
	senders.Wait()
	size := 0.
	err = filepath.Walk(t.data, func(_ string, info os.FileInfo, err error) error {
		if err == nil && info.Mode().IsRegular() {
			size += float64(info.Size())
		}
		return err
	})
	u, failed := t.usage()
	fmt.Printf("      %d answers of 60 kB; the folder has %.1f MB, the server takes %.0f MB\n", taken.Load(), size/1e6,
		u.rss/1e6)
	switch {
	case err != nil || failed != nil:
		return errors.Join(err, failed)
	case taken.Load() < 100:
		return errors.New("hardly any answer was taken, so this shows nothing")
	case size > disk+own || u.rss > memory:
		return fmt.Errorf("the folder has %.1f MB of %.0f, the server takes %.0f of %.0f MB", size/1e6, disk/1e6, u.rss/1e6,
			memory/1e6)
	}
	return nil
}

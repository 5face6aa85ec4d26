// Package client is a client of a server's API, for notebooks and other programs: docs/api.md describes it.
//
//	lab := client.Client{URL: "http://127.0.0.1:8080/"}
//	run, err := lab.Start(ctx, client.Spec{Preset: "catch", Settings: client.Settings{"lag": 8}, Seed: 3, Steps: 40000})
//	state, err := run.Wait(ctx)
package client

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Client is a server and the key to use there.
type Client struct {
	URL  string       // of the Lab's page, like http://127.0.0.1:8080/
	Key  string       // for all runs that it starts, 16 to 64 characters; "": each run gets its own
	HTTP *http.Client // nil: net/http's
}

// Settings are values by key: numbers or texts. GET /api/v1/settings lists them.
type Settings map[string]any

// Spec describes a new run. The zero value of a field means the preset's or the server's value.
type Spec struct {
	Preset   string   `json:"preset,omitempty"`
	Settings Settings `json:"settings,omitempty"`
	Seed     uint64   `json:"seed,omitempty"`
	Steps    uint64   `json:"steps,omitempty"` // after which it is done
	Speed    float64  `json:"speed,omitempty"` // environment steps a second; 0: as fast as it goes
}

// Run is a run on the server.
type Run struct {
	ID, Key string
	client  *Client
}

// State is the state of a run.
type State struct {
	ID            string            `json:"id"`
	State         string            `json:"state"` // queued, running, paused, resting, done or diverged
	Reason        string            `json:"reason"`
	Steps         uint64            `json:"steps"`
	Updates       uint64            `json:"updates"`
	Episodes      uint64            `json:"episodes"`
	ReturnMean100 *float64          `json:"return_mean_100"` // nil before the first episode
	ParamsSHA256  string            `json:"params_sha256"`
	Preset        string            `json:"preset"`
	Settings      map[string]string `json:"settings"`
	Parent        *Parent           `json:"parent"`
	Build         string            `json:"build"`
	Arithmetic    string            `json:"arithmetic"`
	Created       time.Time         `json:"created"`
}

// Parent is the run and the update that a fork began from.
type Parent struct {
	Run    string `json:"run"`
	Update uint64 `json:"update"`
}

// Over reports whether the run has ended.
func (s *State) Over() bool { return s.State == "done" || s.State == "diverged" }

// Error is a refusal of the server.
type Error struct {
	Status  int    `json:"-"`
	Code    string `json:"code"` // not_found, refused, conflict, full, …
	Message string `json:"message"`
}

// Error returns the sentence that the page would show.
func (e *Error) Error() string { return e.Message }

// Start starts a run.
func (c *Client) Start(ctx context.Context, spec Spec) (*Run, error) {
	return c.begin(ctx, c.Key, "/runs", spec)
}

// Run returns an existing run. Without its key it can be read and forked only.
func (c *Client) Run(id, key string) *Run { return &Run{id, key, c} }

func (c *Client) begin(ctx context.Context, key, path string, body any) (*Run, error) {
	r := &Run{client: c}
	return r, c.json(ctx, "POST", path, key, body, r)
}

// Read returns the state of the run.
func (r *Run) Read(ctx context.Context) (s State, err error) {
	return s, r.client.json(ctx, "GET", "/runs/"+r.ID, "", nil, &s)
}

// Wait reads the run until it is over.
func (r *Run) Wait(ctx context.Context) (State, error) {
	return poll(ctx, r.Read, func(s State) bool { return s.Over() })
}

// poll reads until over reports true.
func poll[S any](ctx context.Context, read func(context.Context) (S, error), over func(S) bool) (S, error) {
	for {
		s, err := read(ctx)
		if err != nil || over(s) {
			return s, err
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-ctx.Done():
			return s, ctx.Err()
		}
	}
}

// Patch changes settings, all of them or none. It returns the update from which they are in force.
func (r *Run) Patch(ctx context.Context, settings Settings) (fromUpdate uint64, err error) {
	var answer struct {
		FromUpdate uint64 `json:"from_update"`
	}
	err = r.client.json(ctx, "PATCH", "/runs/"+r.ID, r.Key, map[string]any{"settings": settings}, &answer)
	return answer.FromUpdate, err
}

// Fork starts a run that equals this one up to an update and continues with other settings.
func (r *Run) Fork(ctx context.Context, update uint64, settings Settings) (*Run, error) {
	body := map[string]any{"update": update}
	if len(settings) > 0 {
		body["settings"] = settings
	}
	return r.client.begin(ctx, r.client.Key, "/runs/"+r.ID+"/fork", body)
}

// Stop ends the run at its present update.
func (r *Run) Stop(ctx context.Context) error {
	return r.client.json(ctx, "POST", "/runs/"+r.ID+"/stop", r.Key, nil, nil)
}

// Delete deletes the run; its forks stay.
func (r *Run) Delete(ctx context.Context) error {
	return r.client.json(ctx, "DELETE", "/runs/"+r.ID, r.Key, nil, nil)
}

// Tape returns the log of the run for impalab replay: docs/tape.md describes it.
func (r *Run) Tape(ctx context.Context) ([]byte, error) {
	return r.client.bytes(ctx, "/api/v1/runs/"+r.ID+"/tape")
}

// Curves returns the measured series by name: "step" and the others, of equal length. NaN is a missing value.
func (r *Run) Curves(ctx context.Context) (map[string][]float64, error) {
	text, err := r.client.bytes(ctx, "/api/v1/runs/"+r.ID+"/curves.csv")
	if err != nil {
		return nil, err
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("the curves of run %s: %w", r.ID, err)
	}
	curves := map[string][]float64{}
	for _, row := range rows[1:] {
		for i, cell := range row {
			v := math.NaN()
			if cell != "" {
				if v, err = strconv.ParseFloat(cell, 64); err != nil {
					return nil, fmt.Errorf("the curves of run %s: %w", r.ID, err)
				}
			}
			curves[rows[0][i]] = append(curves[rows[0][i]], v)
		}
	}
	return curves, nil
}

// Event is an event of a run: Name is state, changed, point or value_error, Data its JSON.
type Event struct {
	ID, Name string
	Data     json.RawMessage
}

// Events calls each with every event of the run, from its beginning or from after an event's id, until the run is over.
// It returns the first error of each.
func (r *Run) Events(ctx context.Context, after string, each func(Event) error) error {
	answer, err := r.client.ask(ctx, "GET", "/api/v1/runs/"+r.ID+"/events", "", nil, "Last-Event-ID", after)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	var e Event
	lines := bufio.NewReader(answer.Body)
	for {
		line, err := lines.ReadString('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch name {
		case "id":
			e.ID = value
		case "event":
			e.Name = value
		case "data":
			e.Data = json.RawMessage(value)
		case "":
			if e.Name != "" {
				if err := each(e); err != nil {
					return err
				}
			}
			e = Event{}
		}
	}
}

// bytes reads a file.
func (c *Client) bytes(ctx context.Context, path string) ([]byte, error) {
	answer, err := c.ask(ctx, "GET", path, "", nil)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	return io.ReadAll(answer.Body)
}

// json sends body, unless it is nil, and reads the answer into into, unless it is nil.
func (c *Client) json(ctx context.Context, method, path, key string, body, into any) error {
	answer, err := c.ask(ctx, method, "/api/v1"+path, key, body)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if into == nil {
		return nil
	}
	return json.NewDecoder(answer.Body).Decode(into)
}

// ask sends a request. A refusal of the server is an *Error.
func (c *Client) ask(ctx context.Context, method, path, key string, body any, header ...string) (*http.Response,
	error) {
	var text io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		text = bytes.NewReader(raw)
	}
	request, err := http.NewRequestWithContext(ctx, method, strings.TrimRight(c.URL, "/")+path, text)
	if err != nil {
		return nil, err
	}
	if key != "" {
		request.Header.Set("Authorization", "Bearer "+key)
	}
	for i := 0; i+1 < len(header); i += 2 {
		if header[i+1] != "" {
			request.Header.Set(header[i], header[i+1])
		}
	}
	by := c.HTTP
	if by == nil {
		by = http.DefaultClient
	}
	answer, err := by.Do(request)
	if err != nil {
		return nil, fmt.Errorf("no answer from %s: start it with impalab serve: %w", c.URL, err)
	}
	if answer.StatusCode < 300 {
		return answer, nil
	}
	defer answer.Body.Close()
	said, _ := io.ReadAll(io.LimitReader(answer.Body, 64<<10)) // the error shows the body
	var problem struct {
		Error *Error `json:"error"`
	}
	if json.Unmarshal(said, &problem) != nil || problem.Error == nil {
		problem.Error = &Error{Message: strings.TrimSpace(string(said))}
	}
	problem.Error.Status = answer.StatusCode
	return nil, problem.Error
}

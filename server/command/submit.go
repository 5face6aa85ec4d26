package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Submit sends a configuration to a server's board.
type Submit struct {
	Track string `arg:"" help:"Track to enter; see board tracks." placeholder:"TRACK"`
	setFlag
	To       string `default:"http://127.0.0.1:8080/" help:"Address of the server's pages." placeholder:"URL"`
	Nickname string `help:"Name that the board shows to everybody, up to 24 letters." placeholder:"NAME"`
	Key      string `secret:"whole" help:"Your own key, of 16 to 64 characters; with it you can change the nickname later." placeholder:"KEY"`
	Wait     bool   `help:"Wait until it is ranked."`
}

func (Submit) Help() string {
	return `Examples:

  impalab submit late-pole --set "rho=2 unroll=8 lr=0.003" --nickname ada --to https://lab.example.org/
  impalab submit catch-in-a-hurry --set mix=0.75 --wait

Sends settings to a server's board. The server trains them from zero: first on the track's public seeds, then on secret
seeds for the rank. impalab board try does the first part on this machine. The board has one row for equal settings.`
}

// submitted is the part of the server's answers that submit uses.
type submitted struct {
	ID, State, Reason, Rank, Page, Key string
	Tried                              int
	Left                               []string `json:"left_out"`
	Secret                             *struct {
		Score struct{ IQM, Low, High *float64 } `json:"return_mean_run"`
	}
	Error struct{ Message string }
}

// Run submits, and waits with --wait.
func (c *Submit) Run(ctx context.Context, prog *Program) error {
	to, err := pageURL("--to", c.To, "https://lab.example.org/")
	if err != nil {
		return UsageError{err}
	}
	list, err := c.pairs()
	if err != nil {
		return UsageError{err}
	}
	settings := map[string]string{}
	for _, s := range list {
		settings[s.Key] = s.Value
	}
	text, err := json.Marshal(map[string]any{"settings": settings, "nickname": c.Nickname})
	if err != nil {
		return err
	}
	path := "api/v1/board/" + url.PathEscape(c.Track) + "/entries"
	e, status, err := c.ask(ctx, to, http.MethodPost, path, bytes.NewReader(text))
	switch {
	case err != nil:
		return err
	case status == http.StatusNotFound:
		return missing(errors.New(e.Error.Message))
	case status == http.StatusUnprocessableEntity:
		return UsageError{errors.New(e.Error.Message)}
	case status >= 300:
		return fmt.Errorf("%s answers %d: %s", to.Host, status, e.Error.Message)
	}
	for _, key := range e.Left {
		fmt.Fprintf(prog.Stderr, "%s has no effect with the other settings, and is left out\n", key)
	}
	if e.Tried > 1 {
		fmt.Fprintf(prog.Stderr, "the board has these settings already; submitted %d times\n", e.Tried)
	}
	if e.Key != "" {
		fmt.Fprintf(prog.Stderr, "key to change the nickname: %s\n", e.Key)
	}
	page := url.URL{Scheme: to.Scheme, Host: to.Host, Path: e.Page}
	fmt.Fprintln(prog.Stdout, page.String())
	for c.Wait && e.State != "done" && e.State != "failed" {
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return ErrInterrupted
		}
		if e, status, err = c.ask(ctx, to, http.MethodGet, path+"/"+e.ID, nil); err == nil && status != http.StatusOK {
			err = errors.New(e.Error.Message)
		}
		if err != nil {
			return err
		}
	}
	switch {
	case e.State == "failed":
		return errors.New("the server could not train it: " + e.Reason)
	case e.Secret != nil && e.Secret.Score.IQM != nil:
		s := e.Secret.Score
		fmt.Fprintf(prog.Stdout, "rank %s: %.4g [%.4g, %.4g]\n", e.Rank, *s.IQM, *s.Low, *s.High)
	default:
		fmt.Fprintf(prog.Stdout, "it is %s; the server trains it\n", e.State)
	}
	return nil
}

// ask sends a request to the board's API.
func (c *Submit) ask(ctx context.Context, to *url.URL, method, path string, body io.Reader) (e submitted, status int,
	err error) {
	request, err := http.NewRequestWithContext(ctx, method, strings.TrimRight(to.String(), "/")+"/"+path, body)
	if err != nil {
		return e, 0, err
	}
	if c.Key != "" {
		request.Header.Set("Authorization", "Bearer "+c.Key)
	}
	answer, text, err := fetch(http.DefaultClient, request, "start impalab serve there, or name another address with --to")
	if err != nil {
		return e, 0, err
	}
	if json.Unmarshal(text, &e) != nil {
		return e, 0, fmt.Errorf("%s answers %s, but not like a board of impalab; check --to", request.URL, answer.Status)
	}
	return e, answer.StatusCode, nil
}

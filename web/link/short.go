package link

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"impalab/learner/hyper"
	"impalab/web/wire"
)

// A short link is a code under which the server stores a link. It stores an experiment that opens and nothing else: no
// free text, and no run's id, which a guessed code would reveal.

// maxShort is how many bytes a stored link may have: it is one line of a response's header.
const maxShort = 16 << 10

// Storable returns a link of the Lab or of the first page as the server stores it, without its '#', or the reason why
// it does not.
func Storable(fragment string) (string, error) {
	if IsFirst(fragment) {
		return storableFirst(fragment)
	}
	return storable(fragment)
}

func storable(fragment string) (string, error) {
	fragment = strings.TrimPrefix(fragment, "#")
	if err := sendable(fragment); err != nil {
		return "", err
	}
	first := Parse(fragment)
	if len(first.Settings) == 0 {
		return "", errors.New("the link names no settings; send the part after the # of the Lab's address, like " +
			"v=1&p=catch")
	}
	if err := plain(fragment); err != nil {
		return "", err
	}
	for _, s := range first.View {
		if s.Key != columnKey {
			if err := checkView(s); err != nil {
				return "", err
			}
			continue
		}
		beside := Parse(s.Value)
		if err := plain(s.Value); err != nil {
			return "", err
		}
		if beside.From.Run != "" {
			return "", errHoldsRun
		}
		if len(beside.View) > 0 {
			return "", fmt.Errorf("%.40q: only the first column's part of a link has %s; move it before b=", s.Value,
				beside.View[0].Key)
		}
	}
	links, problem := Columns(fragment)
	if problem != "" {
		return "", errors.New(problem)
	}
	for _, one := range links {
		l := Parse(one)
		if err := l.sharable(); err != nil {
			return "", err
		}
	}
	return fragment, nil
}

// sendable refuses a fragment that does not fit into the header of a response.
func sendable(fragment string) error {
	if n := len(fragment); n > maxShort {
		return fmt.Errorf("the link has %d bytes; a short link stands for at most %d: it has too many changes: share "+
			"a run with fewer", n, maxShort)
	}
	if strings.ContainsFunc(fragment, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return errors.New("the link holds characters that no address has; copy it as the page shows it")
	}
	return nil
}

// plain refuses a part of a link that is not KEY=VALUE. Pages ignore it, and it could be any text.
func plain(fragment string) error {
	for pair := range strings.SplitSeq(fragment, "&") {
		if key, _, assigned := strings.Cut(pair, "="); pair != "" && (key == "" || !assigned) {
			return fmt.Errorf("%.40q: each part of a link must be KEY=VALUE, like lag=8; leave it out", pair)
		}
	}
	return nil
}

// checkView refuses a view key whose value no page understands.
func checkView(s wire.Setting) error {
	must, fits := "", false
	switch s.Key {
	case AtKey:
		_, err := strconv.ParseUint(s.Value, 10, 63)
		must, fits = "the number of an update, like 120", err == nil
	case "embed":
		must, fits = "0 or 1", s.Value == "0" || s.Value == "1"
	case "theme":
		must, fits = "light or dark", s.Value == "light" || s.Value == "dark"
	case "lesson":
		// not a regular expression: the client would have 400 kB more
		must = "the name of a lesson"
		fits = s.Value != "" && len(s.Value) <= 40 && strings.Trim(s.Value, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
	case "hide", "lock":
		must, fits = "keys of settings joined by commas, like lag,rho", true
		for key := range strings.SplitSeq(s.Value, ",") {
			_, err := hyper.Lookup(key)
			fits = fits && err == nil
		}
	}
	if !fits {
		return fmt.Errorf("%s=%.40q: must be %s; or leave it out", s.Key, s.Value, must)
	}
	return nil
}

var errHoldsRun = errors.New("a link that forks a run holds the run's id, which a short link would give away; " +
	"open it, then share the new run")

// sharable refuses the link of a column that would not open as it is written.
func (l *Link) sharable() error {
	if l.From.Run != "" {
		return errHoldsRun
	}
	config, _, problems := l.Config()
	if len(problems) > 0 {
		return errors.New(problems[0])
	}
	for _, s := range l.Settings {
		var err error
		switch s.Key {
		case "preset":
		case hyper.PlanKey:
			var turns []hyper.PlannedChange
			if turns, err = hyper.ParsePlan(s.Value); err == nil {
				err = config.CheckPlan(turns, 0)
			}
		default:
			_, err = hyper.Lookup(s.Key)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

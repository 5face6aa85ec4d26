package link

import (
	"errors"
	"fmt"
	"strings"

	"impalab/learner/hyper"
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
	for _, s := range first.View {
		if beside := Parse(s.Value); s.Key == columnKey && beside.From.Run != "" {
			return "", errHoldsRun
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

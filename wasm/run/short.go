package run

import (
	"errors"
	"fmt"
	"strings"

	"impalab/learner/hyper"
)

// A short link is a code that the server keeps a link under. What it keeps is an experiment that opens, and nothing
// else: no text of somebody's own, and no run's id, which whoever guesses a code would get with it.

// maxShort is how many bytes a link may have: it travels in one line of an answer's head.
const maxShort = 16 << 10

// ToKeep is a fragment as it may be kept behind a code, without its '#', or the sentence that says why it may not.
func ToKeep(fragment string) (string, error) {
	fragment = strings.TrimPrefix(fragment, "#")
	if err := Sendable(fragment); err != nil {
		return "", err
	}
	first := ParseLink(fragment)
	if len(first.Settings) == 0 {
		return "", errors.New("the link names no settings; send what stands behind the # of the Lab's address, like " +
			"v=1&p=catch")
	}
	for _, s := range first.View {
		if beside := ParseLink(s.Value); s.Key == columnKey && beside.From.Run != "" {
			return "", errHoldsRun
		}
	}
	links, problem := Columns(fragment)
	if problem != "" {
		return "", errors.New(problem)
	}
	for _, one := range links {
		l := ParseLink(one)
		if err := l.sharable(); err != nil {
			return "", err
		}
	}
	return fragment, nil
}

// Sendable says why a fragment does not fit into the head of an answer.
func Sendable(fragment string) error {
	if n := len(fragment); n > maxShort {
		return fmt.Errorf("the link has %d bytes; a short link stands for at most %d: it holds too many turns, so share "+
			"a run that was turned less often", n, maxShort)
	}
	if strings.ContainsFunc(fragment, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return errors.New("the link holds characters that no address has; copy it as the page shows it")
	}
	return nil
}

var errHoldsRun = errors.New("a link that forks a run holds the run's id, which a short link would give away; " +
	"open it, then share what it became")

// sharable says why a link of one column would not open as it is written.
func (l *Link) sharable() error {
	if l.From.Run != "" {
		return errHoldsRun
	}
	config, _, problems := l.Config()
	if len(problems) > 0 {
		return errors.New(problems[0])
	}
	for _, s := range l.Settings {
		if s.Key == "preset" {
			continue
		}
		if s.Key != hyper.TurnsKey {
			if _, err := hyper.Lookup(s.Key); err != nil {
				return err
			}
			continue
		}
		turns, err := hyper.ParseTurns(s.Value)
		if err == nil {
			err = config.CheckTurns(turns, 0)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

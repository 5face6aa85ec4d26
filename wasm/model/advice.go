package model

import (
	"math"
	"strings"
	"unicode/utf8"

	"impalab/learner/correct"
	"impalab/web/wire"
)

// What the page says of its own accord: which guarantee the settings in force give up, and what to do when a run will not
// recover by itself. It never stands in the way.

// warnings are sentences of the settings in force, one a line.
func (m *Model) warnings() string {
	var lines []string
	for _, w := range m.force.Warnings() {
		lines = append(lines, sentence(w))
	}
	return strings.Join(lines, "\n")
}

// A policy has collapsed when it has been all but certain for a while and earns far less than it did.
const (
	certain      = 0.01 // nats of entropy
	certainSteps = 5000 // environment steps
	fewEpisodes  = 20   // whose mean is no record yet
)

// follow notes since when the policy has been certain. What a page that came late has not seen does not count.
func (m *Model) follow(x *wire.XRay) {
	if m.XRay == nil || !(x.Entropy < certain) {
		m.undecided = x.Step
	}
	m.XRay = x
}

// rate notes the best and the worst mean return.
func (m *Model) rate(p *wire.Point) {
	if p.Episodes >= fewEpisodes {
		m.rated.add(p.Return)
	}
}

// collapsed tells whether the policy has. Entropy has no floor for real numbers, and is not known of old data alone.
func (m *Model) collapsed() bool {
	if m.XRay == nil || m.rated.Empty() || m.force.Policy != "softmax" || m.force.Mix == 1 {
		return false
	}
	far := m.rated.Last < (m.rated.Low+m.rated.High)/2
	return far && m.XRay.Step-m.undecided >= certainSteps
}

// hint is what to do about a run that will not recover by itself.
func (m *Model) hint() string {
	if !m.collapsed() {
		return ""
	}
	return "The policy has collapsed: it is all but certain of every action and earns far less than its best, " + score(float64(m.rated.High)) +
		". A saturated policy gives no gradient any more, so turning the correction back on will not mend it. “Same seed” begins the run again."
}

// remedy names the setting to lower after a run diverged.
func (m *Model) remedy() string {
	c := &m.force
	correction, err := correct.LookupCorrection(c.Correction)
	old := c.Lag > 0 || c.Mix > 0
	key, why := "lr", ""
	switch {
	case err == nil && correction.Leak == correct.LeakFull && old:
		return "Next: choose a correction that clips the ratios, then “Same seed”."
	case old && c.RhoBar > 10:
		key, why = "rho", ": ratios that nothing clips have no bound"
	case c.Clip > 100 && c.Reduce == "mean" || math.IsInf(c.Clip, 1):
		key, why = "clip", ", so that no one batch decides"
	}
	row := m.Control(key).Row
	name := "the " + strings.ToLower(row.Words[:1]) + row.Words[1:]
	if row.Symbol != "" {
		name = row.Symbol
	}
	return "Next: lower " + name + ", " + m.Pretty(row, c.Get(key)) + " now" + why + "; then “Same seed”."
}

// sentence begins large and ends with a full stop.
func sentence(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if r < utf8.RuneSelf {
		s = strings.ToUpper(s[:n]) + s[n:]
	}
	if !strings.HasSuffix(s, ".") {
		s += "."
	}
	return s
}

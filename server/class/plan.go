package class

// What an answer is judged by: which runs, and how. It follows from the answer and from what never changes of its room,
// so that whoever has the store can judge it, and comes to the same.

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"impalab/learner/hyper"
	"impalab/server/exercise"
)

// identity is what never changes of a room.
type identity struct {
	code   string
	secret []byte
}

// plan is an answer's runs.
type plan struct {
	config hyper.Config
	seeds  []uint64
	judge  func(*exercise.Measured) (exercise.Verdict, error)
}

// seeds that everybody may know: four or fewer for public checks, and one for each member's own runs.
const (
	publicSeed = 11
	ownSeed    = 3000
)

// hidden are seeds that follow from the room's secret. They are two thousand million numbers that no page names, and
// that a run can go on with: a setting's seed has 32 bits.
func (r *identity) hidden(name string, n int) (seeds []uint64) {
	for i := range n {
		seeds = append(seeds, 1<<31|binary.BigEndian.Uint64(draw(r.secret, "seed", name, i))>>33)
	}
	return seeds
}

// unsaid is a text that names no hidden seed of an answer.
func (r *identity) unsaid(a *answer, text string) string {
	p, err := r.plan(a)
	if err != nil || a.Kind != HandIn {
		return text
	}
	for i, seed := range p.seeds {
		text = strings.ReplaceAll(text, strconv.FormatUint(seed, 10), fmt.Sprintf("hidden:%d", i))
	}
	return text
}

// plan is what an answer is judged by; an error where this build knows no such task.
func (r *identity) plan(a *answer) (p plan, err error) {
	e, unknown := exercise.Named(a.Task)
	if unknown == nil && e.Reach != nil {
		p.config, err = e.Reach.Config(&a.said)
		if a.Kind == HandIn {
			p.seeds = r.hidden(e.Name, e.Reach.Hidden.Seeds)
			p.judge = func(m *exercise.Measured) (exercise.Verdict, error) {
				return e.Judge(&a.said, exercise.Hidden{Runs: m})
			}
			return p, err
		}
		for i := range e.Reach.Public.Seeds {
			p.seeds = append(p.seeds, publicSeed+uint64(i))
		}
		p.judge = func(m *exercise.Measured) (exercise.Verdict, error) { return e.Public(&a.said, m) }
		return p, err
	}
	start := runOf(a.Task)
	if start == nil {
		return p, errNoTask
	}
	p.config, err = start.Config(a.said.Settings)
	p.seeds, p.judge = []uint64{ownSeed + uint64(a.Member)}, ran
	return p, err
}

// runOf is what a step trains, of any plan: the room's may have changed meanwhile.
func runOf(name string) *exercise.Start {
	for _, p := range exercise.Plans() {
		for i := range p.Steps {
			if p.Steps[i].Name == name && p.Steps[i].Run != nil {
				return p.Steps[i].Run
			}
		}
	}
	return nil
}

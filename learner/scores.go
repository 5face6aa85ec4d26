package learner

import (
	"fmt"
	"math"

	"impalab/envs"
)

// scores keeps the returns of the last hundred episodes of each task, the best mean over full hundreds, and the mean of
// the marked means. The mean of a single world is the mean of its returns. The worlds of a suite pay differently, so
// its mean is the mean capped normalised score of its tasks (IMPALA §5.3 and appendix B).
type scores struct {
	tasks []envs.Task
	each  []hundred // [tasks]
	best  float64   // −Inf before the first hundreds
	area  float64   // sum of the marks
	marks int
}

func newScores(tasks []envs.Task) scores {
	return scores{tasks: tasks, each: make([]hundred, len(tasks)), best: math.Inf(-1)}
}

// mark adds the current mean to the mean over the run, if it is known.
func (s *scores) mark() {
	if m := s.mean(); !math.IsNaN(m) {
		s.area += m
		s.marks++
	}
}

func (s *scores) meanOverRun() float64 {
	if s.marks == 0 {
		return math.NaN()
	}
	return s.area / float64(s.marks)
}

func (s *scores) add(task int32, v float64) {
	s.each[task].add(v)
	if s.full() {
		s.best = math.Max(s.best, s.mean())
	}
}

// mean returns NaN before every task has had an episode.
func (s *scores) mean() float64 {
	if len(s.tasks) > 1 {
		return s.score()
	}
	return s.each[0].mean()
}

// score returns Σ_k min(1, (mean_k − random_k)/(reference_k − random_k)) / tasks (IMPALA table G.1).
func (s *scores) score() float64 {
	sum := 0.0
	for k := range s.each {
		sum += s.tasks[k].Score(s.each[k].mean())
	}
	return sum / float64(len(s.each))
}

// recent returns the mean over the last ten episodes of each task.
func (s *scores) recent() float64 {
	const ten = 10
	if len(s.tasks) == 1 {
		return s.each[0].recent(ten)
	}
	sum := 0.0
	for k := range s.each {
		sum += s.tasks[k].Score(s.each[k].recent(ten))
	}
	return sum / float64(len(s.each))
}

// full reports whether a hundred episodes of every task have ended.
func (s *scores) full() bool {
	for k := range s.each {
		if s.each[k].count < len(s.each[k].last) {
			return false
		}
	}
	return true
}

func (s *scores) bestMean() float64 {
	if !s.full() {
		return math.NaN()
	}
	return s.best
}

// TaskResult is a run's result on one task of its suite.
type TaskResult struct {
	World         string
	Episodes      int
	ReturnMean100 float64 // NaN before the first episode
	Score         float64 // of that mean, capped and normalised
}

// results returns a suite's results by task; nil for a single world.
func (s *scores) results() []TaskResult {
	if len(s.tasks) == 1 {
		return nil
	}
	out := make([]TaskResult, len(s.each))
	for k := range out {
		mean := s.each[k].mean()
		out[k] = TaskResult{s.tasks[k].World, s.each[k].count, mean, s.tasks[k].Score(mean)}
	}
	return out
}

// list returns each task's returns, by place in the ring, and the number of its episodes, for a snapshot.
func (s *scores) list() (last [][]float64, counts []int) {
	for k := range s.each {
		h := &s.each[k]
		last, counts = append(last, h.last[:min(h.count, len(h.last))]), append(counts, h.count)
	}
	return last, counts
}

func (s *scores) restore(last [][]float64, counts []int, best, area float64, marks int) error {
	if len(last) != len(s.each) || len(counts) != len(s.each) {
		return fmt.Errorf("it holds the returns of %d tasks where its world has %d", len(last), len(s.each))
	}
	for k := range s.each {
		if counts[k] < 0 || len(last[k]) != min(counts[k], len(s.each[k].last)) {
			return fmt.Errorf("it holds %d returns of %d episodes", len(last[k]), counts[k])
		}
		h := hundred{count: counts[k]}
		copy(h.last[:], last[k])
		h.sumUp()
		s.each[k] = h
	}
	if marks < 0 {
		return fmt.Errorf("it holds the mean of %d means", marks)
	}
	s.best, s.area, s.marks = best, area, marks
	return nil
}

// hundred holds the returns of the last hundred episodes of one task.
type hundred struct {
	last  [100]float64
	count int // episodes so far
	sum   float64
}

func (h *hundred) add(v float64) {
	h.last[h.count%len(h.last)] = v
	h.count++
	h.sumUp() // recomputed, so that rounding errors never add up
}

func (h *hundred) sumUp() {
	h.sum = 0
	for _, v := range h.last[:min(h.count, len(h.last))] {
		h.sum += v
	}
}

// recent returns the mean of the last n episodes, or of all if there are fewer.
func (h *hundred) recent(n int) float64 {
	n = min(n, h.count)
	sum := 0.0
	for i := h.count - n; i < h.count; i++ {
		sum += h.last[i%len(h.last)]
	}
	return sum / float64(n) // NaN before the first
}

func (h *hundred) mean() float64 {
	if h.count == 0 {
		return math.NaN()
	}
	return h.sum / float64(min(h.count, len(h.last)))
}

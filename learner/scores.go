package learner

import (
	"fmt"
	"math"
)

// scores keeps the returns of the last hundred episodes, the best mean a full hundred ever had, and the mean of the
// means that were marked.
type scores struct {
	last  [100]float64
	count int // episodes so far
	sum   float64
	best  float64
	area  float64 // sum of the marks
	marks int
}

// mark takes the present mean into the mean over the run, once there is one.
func (s *scores) mark() {
	if s.count > 0 {
		s.area += s.mean()
		s.marks++
	}
}

func (s *scores) meanOverRun() float64 {
	if s.marks == 0 {
		return math.NaN()
	}
	return s.area / float64(s.marks)
}

func (s *scores) add(v float64) {
	i := s.count % len(s.last)
	s.last[i] = v
	s.count++
	s.sum = 0 // summed anew, so that rounding never adds up; a hundred additions an episode are nothing
	for _, v := range s.last[:min(s.count, len(s.last))] {
		s.sum += v
	}
	if s.count >= len(s.last) && (s.count == len(s.last) || s.mean() > s.best) {
		s.best = s.mean()
	}
}

func (s *scores) mean() float64 {
	if s.count == 0 {
		return math.NaN()
	}
	return s.sum / float64(min(s.count, len(s.last)))
}

// full tells whether a hundred episodes have ended.
func (s *scores) full() bool { return s.count >= len(s.last) }

func (s *scores) bestMean() float64 {
	if !s.full() {
		return math.NaN()
	}
	return s.best
}

// list is the returns held, by place in the ring, for a snapshot.
func (s *scores) list() []float64 { return s.last[:min(s.count, len(s.last))] }

func (s *scores) restore(last []float64, count int, best, area float64, marks int) error {
	if count < 0 || marks < 0 || len(last) != min(count, len(s.last)) {
		return fmt.Errorf("it holds %d returns of %d episodes", len(last), count)
	}
	*s = scores{count: count, best: best, area: area, marks: marks}
	copy(s.last[:], last)
	for _, v := range last {
		s.sum += v
	}
	return nil
}

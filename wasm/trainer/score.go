package trainer

import (
	"context"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/schedule"
)

// poseCount is how many poses of its policy a scored run has.
const poseCount = 24

// Scored is the result of a run that no page has watched.
type Scored struct {
	Mean  float64   `json:"mean"`  // return of the last hundred episodes; NaN: none ended
	Curve []float64 `json:"curve"` // such means at equal distances of its budget; NaN before the first episode
	Poses []int16   `json:"poses"` // as learner.Poses returns them
}

// Score trains a run of settings to its end. The curve of the result has so many points, and repeats its last mean
// after the run has diverged. Between two updates Score calls reached with the steps so far.
func (t *Trainer) Score(settings []hyper.Setting, points int, reached func(steps uint64)) (s Scored, err error) {
	asked, err := hyper.ReadLink(settings)
	if err == nil {
		err = admit(&asked.Config)
	}
	if err == nil {
		err = t.opts.Prepare(&asked.Config)
	}
	if err != nil {
		return s, err
	}
	err = schedule.Catch(func() (err error) { s, err = t.score(&asked.Config, points, reached); return err })
	return s, err
}

func (t *Trainer) score(cfg *hyper.Config, points int, reached func(steps uint64)) (s Scored, err error) {
	l, err := learner.Engine{Lower: t.opts.Lower}.New(*cfg)
	if err != nil {
		return s, err
	}
	defer l.Close()
	draw := func(steps uint64) {
		for len(s.Curve) < points && steps >= cfg.Steps*uint64(len(s.Curve)+1)/uint64(points) {
			s.Curve = append(s.Curve, l.Return100())
		}
	}
	result, err := l.Run(context.Background(), learner.Hooks{Between: func(*learner.Learner) error {
		draw(l.Steps())
		reached(l.Steps())
		t.opts.Breathe()
		return nil
	}})
	draw(cfg.Steps)
	s.Mean, s.Poses = result.ReturnMean100, l.Poses(poseCount)
	return s, err
}

package runloop

import (
	"fmt"

	"impalab/learner"
	"impalab/learner/tape"
	"impalab/learner/telemetry"
	"impalab/web/watch"
	"impalab/web/wire"
)

// maxMoments is how many updates are recomputed at once.
const maxMoments = 64

// CheckMoments refuses a range of updates that is empty or too long to be recomputed at once.
func CheckMoments(from, to uint64) error {
	switch {
	case from == 0 || to < from:
		return fmt.Errorf("updates %d to %d: from must be 1 or more, and to must be from or more", from, to)
	case to-from >= maxMoments:
		return fmt.Errorf("updates %d to %d: at most %d are recomputed at once; ask for fewer", from, to, maxMoments)
	}
	return nil
}

// Moments returns the pages' view of a range of updates: for each its x-ray, on a finite world the gauge, the
// parameters if they are wanted, and the watched world, which takes one step with each update from the start of an
// episode. Again recomputes the range. A live page of the same update had the same x-ray and gauge, byte for byte,
// except for the speed. The range ends early if a frame is full.
func Moments(parameters bool, again func(described func(*telemetry.Update), seen func(*learner.Learner) error) error) (
	[]wire.Message, error) {
	made := watch.Moments{Parameters: parameters}
	err := again(func(u *telemetry.Update) { made.Newest = *u }, func(l *learner.Learner) error {
		full, err := made.Add(l)
		if full {
			return tape.ErrEnough
		}
		return err
	})
	return made.Made, err
}

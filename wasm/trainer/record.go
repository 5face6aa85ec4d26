package trainer

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/tape"
	"impalab/learner/telemetry"
	"impalab/web/hub"
	"impalab/web/watch"
	"impalab/web/wire"
)

// record is what is known of a run's past: where it stands, its tape, what it has told, and some snapshots to come back
// to.
type record struct {
	mu             sync.Mutex
	tape           tape.Tape
	steps, updates uint64 // where it stands
	points         []*wire.Point
	judged         []*wire.Judged
	snapshots      []snapshot // in the order of their updates
}

// snapshot is a learner as it stood.
type snapshot struct {
	update  uint64
	changes int // that had been made until then
	blob    []byte
	told    watch.Reported // how far the points of its curves had come
}

const (
	maxTaped     = 20_000 // events of a tape for a setting still to change
	maxPoints    = 20_000 // that are kept of each curve
	maxSnapshots = 24     // of a run…
	maxKept      = 24e6   // …and their bytes
)

func newRecord(build string, cfg *hyper.Config) *record {
	c := &record{}
	c.tape.Header = tape.HeaderOf(cfg, build)
	return c
}

// cut is the record of a fork: what this one says up to the moment at which it leaves.
func (c *record) cut(from wire.Origin, begun *hyper.Config) (*record, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if from.Update > c.updates {
		return nil, fmt.Errorf("update %d: the run has come to update %d", from.Update, c.updates)
	}
	child := &record{tape: *c.tape.Before(from.Update), updates: from.Update}
	child.tape.Parent = &tape.Parent{Run: from.Run, Update: from.Update}
	child.steps = child.tape.StepsAt(*begun, from.Update)
	for _, p := range c.points {
		if p.Update <= from.Update {
			child.points = append(child.points, copied(p))
		}
	}
	for _, j := range c.judged {
		if j.Update <= from.Update {
			child.judged = append(child.judged, copied(j))
		}
	}
	changes := child.tape.Changes()
	for _, s := range c.snapshots {
		if s.update <= from.Update && s.changes <= changes { // else it is of another future
			child.snapshots = append(child.snapshots, s)
		}
	}
	return child, nil
}

// copied is a copy, whose number in a topic is its own.
func copied[T any](of *T) *T {
	c := *of
	return &c
}

// retell tells a topic what the run has told before, in the order of its steps.
func (c *record) retell(topic *hub.Topic) {
	points, judged := c.points, c.judged
	tell := func(step uint64) {
		for ; len(points) > 0 && points[0].Step <= step; points = points[1:] {
			topic.Publish(points[0], 0)
		}
		for ; len(judged) > 0 && judged[0].Step <= step; judged = judged[1:] {
			topic.Publish(judged[0], 0)
		}
	}
	for _, e := range c.tape.Events {
		if e.Kind == tape.Changed {
			tell(e.Step)
			topic.Publish(&wire.Changed{Step: e.Step, Update: e.Update, Key: e.Key, From: e.From, To: e.To}, 0)
		}
	}
	tell(math.MaxUint64)
}

// stand says how far the run has come.
func (c *record) stand(l *learner.Learner) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if l.Updates() >= c.updates { // else it is on its way back there
		c.steps, c.updates = l.Steps(), l.Updates()
	}
}

// stands is how far it has come.
func (c *record) stands() (updates uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.updates
}

// turnsToCome are those of the planned turns that are not on the tape yet.
func (c *record) turnsToCome(planned []hyper.Turn) []hyper.Turn {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.tape.TurnsToCome(planned)
}

// changedHere is a change where the run stands.
func (c *record) changedHere(key, from, to string) telemetry.Changed {
	c.mu.Lock()
	defer c.mu.Unlock()
	return telemetry.Changed{Step: c.steps, Update: c.updates, Key: key, From: from, To: to}
}

// change puts a change on the tape.
func (c *record) change(changed telemetry.Changed, by string) {
	c.append(tape.ChangeBy(changed, by))
}

func (c *record) append(e tape.Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tape.Events = append(c.tape.Events, e)
}

// full reports whether the tape takes no more changes.
func (c *record) full() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.tape.Events) >= maxTaped
}

// past is what a learner that stands at one of the run's updates has to go through.
func (c *record) past(from uint64) tape.Past {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.tape.Past(from, c.updates)
}

// newest is the newest snapshot; false where there is none.
func (c *record) newest() (snapshot, bool) { return c.newestBefore(math.MaxUint64) }

// newestBefore is the newest snapshot from before an update.
func (c *record) newestBefore(update uint64) (newest snapshot, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.snapshots {
		if s.update < update {
			newest, ok = s, true
		}
	}
	return newest, ok
}

// take takes a snapshot, and lets every second of the others go when there are many: the past thins out.
func (c *record) take(l *learner.Learner, told watch.Reported) error {
	c.mu.Lock()
	n := len(c.snapshots)
	same := n > 0 && c.snapshots[n-1].update == l.Updates()
	c.mu.Unlock()
	if same {
		return nil
	}
	blob, err := l.Snapshot()
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.snapshots = append(c.snapshots, snapshot{l.Updates(), c.tape.Changes(), blob, told})
	for c.tooMany() {
		behind := len(c.snapshots) // the newest
		c.snapshots = slices.DeleteFunc(c.snapshots, func(snapshot) bool { behind--; return behind%2 == 1 })
	}
	return nil
}

func (c *record) tooMany() bool {
	bytes := 0
	for _, s := range c.snapshots {
		bytes += len(s.blob)
	}
	return len(c.snapshots) > maxSnapshots || bytes > maxKept && len(c.snapshots) > 1
}

// LastPoint, Point and Judge are web/show's: what was told already is not told again.
func (c *record) LastPoint() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.points); n > 0 {
		return c.points[n-1].Step
	}
	return 0
}

func (c *record) Point(p *wire.Point) (first bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.points); n > 0 && p.Step <= c.points[n-1].Step {
		return false
	}
	if c.points = append(c.points, p); len(c.points) > maxPoints {
		c.points = c.points[1:]
	}
	return true
}

func (c *record) Judge(j *wire.Judged) (first bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.judged); n > 0 && j.Step <= c.judged[n-1].Step {
		return false
	}
	if c.judged = append(c.judged, j); len(c.judged) > maxPoints {
		c.judged = c.judged[1:]
	}
	return true
}

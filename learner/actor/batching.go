package actor

import (
	"runtime"

	"impalab/learner/net"
	"impalab/learner/schedule"
)

// Batching is dynamic batching (IMPALA §5.1, after GA3C's queues): actors send their observations to one goroutine,
// which runs one forward pass for all waiting actors. It never waits for more: it answers the first at once, together
// with all that arrived meanwhile.
type Batching struct {
	cores   *schedule.Share
	latest  func(theta []float32) uint64 // brings θ up to date before a pass
	theta   []float32
	forward Forward
	inputs  int // values of one
	states  int
	input   []float32
	state   []float32
	asked   chan *question
	round   []*question // answered together
	gone    chan struct{}
	fault   error // the error that ended the goroutine; nil after Close
}

// Forward runs the policy's network on rows, as net.Forward does on a core. An implementation on a device may have an
// Err. After an error, do not use its outputs.
type Forward interface {
	Run(theta, input, state []float32, rows int) (logits, values []float32)
}

// question is an actor's request. An actor has at most one unanswered request.
type question struct {
	input, state, raw []float32 // state: of a recurrent network, which moves on
	rows              int
	answered          chan struct{}
}

// NewBatching makes and starts one for actors of copies worlds each, which computes on cores, or with forward where
// that is not nil. Close must come after all of them have stopped.
func NewBatching(spec net.Spec, actors, copies int, cores *schedule.Share, forward Forward,
	latest func(theta []float32) uint64) *Batching {
	if forward == nil {
		forward = net.NewForward(spec, actors*copies)
	}
	b := newBatching(spec, actors, copies, forward, latest)
	b.cores = cores
	go b.serve() // ends when Close closes asked
	return b
}

func newBatching(spec net.Spec, actors, copies int, forward Forward, latest func(theta []float32) uint64) *Batching {
	return &Batching{
		latest: latest, theta: make([]float32, spec.Params()), forward: forward,
		inputs: spec.Inputs(), input: make([]float32, actors*copies*spec.Inputs()),
		states: spec.States(), state: make([]float32, actors*copies*spec.States()),
		asked: make(chan *question, actors), gone: make(chan struct{}),
	}
}

// Join makes a ask b for its policy from now on. The constructor bounds the number of actors. When b ends before
// Close, by a panic or because its device fails, every answer is the reason.
func (b *Batching) Join(a *Actor) {
	q := &question{input: a.input, state: a.state, rows: a.n, raw: make([]float32, a.n*a.actions),
		answered: make(chan struct{}, 1)}
	a.ask = func() ([]float32, error) {
		b.asked <- q // never waits: there is a place for each actor
		a.Cores.Release()
		select {
		case <-q.answered:
			a.Cores.Acquire()
			return q.raw, nil
		case <-b.gone:
			a.Cores.Acquire() // the caller releases a core
			return nil, b.fault
		}
	}
}

// Close stops it.
func (b *Batching) Close() {
	close(b.asked)
	<-b.gone
}

func (b *Batching) serve() {
	defer close(b.gone)
	b.fault = schedule.Catch(func() error {
		for first := range b.asked {
			runtime.Gosched() // let waiting actors ask first: larger batches
			if err := b.onCore(first); err != nil {
				return err
			}
		}
		return nil
	})
}

// onCore answers on a core, which is given back even after a panic.
func (b *Batching) onCore(first *question) error {
	b.cores.Acquire()
	defer b.cores.Release()
	return b.answer(first)
}

// answer runs one pass for first and all others that have asked.
func (b *Batching) answer(first *question) error {
	b.round = append(b.round[:0], first)
	for there := true; there; {
		select {
		case q, open := <-b.asked:
			if there = open; open {
				b.round = append(b.round, q)
			}
		default:
			there = false
		}
	}
	rows := 0
	for _, q := range b.round {
		copy(b.input[rows*b.inputs:], q.input)
		copy(b.state[rows*b.states:], q.state)
		rows += q.rows
	}
	b.latest(b.theta)
	raw, _ := b.forward.Run(b.theta, b.input, b.state, rows)
	if f, ok := b.forward.(interface{ Err() error }); ok && f.Err() != nil {
		return f.Err()
	}
	state := b.state
	for _, q := range b.round {
		raw = raw[copy(q.raw, raw):]
		state = state[copy(q.state, state):]
		q.answered <- struct{}{}
	}
	return nil
}

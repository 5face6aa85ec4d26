package algo

import (
	"math"

	"impalab/learner/net"
	"impalab/learner/optim"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// popArt stands between the value head, which works at unit scale, and the algorithms, which use real values (V-MPO
// §4.1): a value for each task, with statistics of its own. Its zero value changes nothing.
type popArt struct {
	stats *optim.PopArt[float32]
	fixed bool      // the statistics stay at 0 and 1
	layer net.Layer // its last columns are the values
	first int       // of them

	batch   *traj.Batch // of the last real
	values  []float32   // [T·B] real
	back    []float32   // [T·B, tasks] cotangents
	task    []int32     // [T·B]
	targets []float32   // [T·B] the targets that count

	// gather returns the samples of every learner, in their order, or nil if one has left. A nil gather: this learner is
	// alone.
	gather  func(samples []float32) [][]float32
	samples []float32   // [T·B, sample] of this learner
	alone   [][]float32 // samples alone
}

// sample is the numbers of one target for the statistics: the target, whether it counts, and its task.
const sample = 3

// As V-MPO has them: step of the moments, limits of the scale.
const (
	popRate = 1e-4
	popLow  = 1e-2
	popHigh = 1e6
)

func newPopArt(spec *net.Spec, rows int, fixed bool) popArt {
	tasks := max(1, spec.Values)
	p := popArt{
		stats: optim.NewPopArt[float32](tasks, popRate, popLow, popHigh), fixed: fixed, first: spec.Actions,
		values: make([]float32, rows), back: make([]float32, rows*tasks), task: make([]int32, rows),
		targets: make([]float32, rows), samples: make([]float32, rows*sample), alone: make([][]float32, 1),
	}
	layers := spec.Layers()
	p.layer = layers[len(layers)-1]
	if p.layer.Kind == net.Join { // of a policy and a value that are layers of their own
		p.layer, p.first = layers[p.layer.From[len(p.layer.From)-1]], 0
	}
	return p
}

// report tells the first task's statistics.
func (p *popArt) report(out *telemetry.Update) {
	if p.stats != nil {
		out.AlgoValues.Add(telemetry.PopScale, float64(p.stats.Scale[0]), math.Inf(1))
		out.AlgoValues.Add(telemetry.PopShift, float64(p.stats.Shift[0]), math.Inf(1))
	}
}

// real is σ·n + m of each row's own task.
func (p *popArt) real(normal []float32, b *traj.Batch) []float32 {
	if p.stats == nil {
		return normal
	}
	p.batch = b
	tasks := len(p.stats.Shift)
	for i := range p.values {
		k := b.Task[i%b.B]
		p.values[i] = p.stats.Scale[k]*normal[i*tasks+int(k)] + p.stats.Shift[k]
	}
	return p.values
}

// realTail is real for the rows of b's Tail from row from on.
func (p *popArt) realTail(dst, normal []float32, b *traj.Batch, from int) {
	if p.stats == nil {
		copy(dst, normal)
		return
	}
	tasks := len(p.stats.Shift)
	for i := range len(normal) / tasks {
		at := from + i
		if at >= b.B {
			at = b.Cuts[at-b.B] % b.B
		}
		k := b.Task[at]
		dst[i] = p.stats.Scale[k]*normal[i*tasks+int(k)] + p.stats.Shift[k]
	}
}

// cotangent converts the derivative of a loss in the real values to the derivative at unit scale: the squared error is
// divided by σ², and the real value moves σ times as fast as the head.
func (p *popArt) cotangent(dValues []float32) []float32 {
	if p.stats == nil {
		return dValues
	}
	clear(p.back)
	tasks := len(p.stats.Shift)
	for i, d := range dValues {
		k := p.batch.Task[i%p.batch.B]
		p.back[i*tasks+int(k)] = d / p.stats.Scale[k]
	}
	return p.back
}

// unitScale divides numbers in units of reward, one for each row or trajectory, by their task's σ, so that no task's
// rewards outweigh another's (PopArt-IMPALA, Hessel et al. 2018; V-MPO §4.1 does not say).
func (p *popArt) unitScale(x []float32, b *traj.Batch) {
	if p.stats == nil {
		return
	}
	for i := range x {
		x[i] /= p.stats.Scale[b.Task[i%b.B]]
	}
}

// observe updates the statistics with a batch's targets, without the rows of mask 0 (nil: all count), and rescales the
// head, so that no value changes. It may run between Forward and Backward: only the head changes, and no activation
// depends on it. It ignores targets that are not all finite: their loss stops the run.
//
// Several learners each take the targets of the whole batch, in its order, so that their statistics stay the same and
// are one learner's. If a learner has left, the sum of the gradients returns its error.
func (p *popArt) observe(theta, targets, mask []float32, b *traj.Batch) {
	if p.stats == nil || p.fixed {
		return
	}
	for i, g := range targets {
		counts := float32(1)
		if mask != nil {
			counts = mask[i]
		}
		copy(p.samples[i*sample:], []float32{g, counts, float32(b.Task[i%b.B])})
	}
	p.alone[0] = p.samples
	all := p.alone
	if p.gather != nil {
		all = p.gather(p.samples)
	}
	p.targets, p.task = p.targets[:0], p.task[:0]
	for at := 0; at < len(p.samples); at += sample { // a row of a share is n rows of the batch, one of each learner
		for _, samples := range all {
			if g, counts := samples[at], samples[at+1]; counts != 0 {
				if g-g != 0 {
					return
				}
				p.targets, p.task = append(p.targets, g), append(p.task, int32(samples[at+2]))
			}
		}
	}
	p.stats.Observe(p.layer.Weights(theta), p.layer.Bias(theta), p.layer.Out, p.first, p.targets, p.task)
}

// fold makes the head of theta compute σ·n + m in place of n.
func (p *popArt) fold(theta []float32) {
	w, b := p.layer.Weights(theta), p.layer.Bias(theta)
	for k, scale := range p.stats.Scale {
		for at := p.first + k; at < len(w); at += p.layer.Out {
			w[at] *= scale
		}
		b[p.first+k] = scale*b[p.first+k] + p.stats.Shift[k]
	}
}

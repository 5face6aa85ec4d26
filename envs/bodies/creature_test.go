package bodies

import (
	"fmt"
	"hash/fnv"
	"math"
	"strings"
	"testing"

	"impalab/envs/world"
)

// made is a copy of a task's world with some options, and with the body of a draw at a level of perturbation.
func made(task *Task, speed, fall float64, terrain, perturb int) *creature {
	_, fresh := task.Sized([]float64{speed, fall, float64(terrain)})
	w := fresh().(*creature)
	if perturb > 0 {
		luck := world.NewLuck(.25, &w.Levels()[perturb-1])
		w.Perturb(&luck)
	}
	return w
}

// drawn fills the controls: uniform, at their ends, or held at their ends, in turn.
func drawn(u []float32, kind, step int, r *world.Rand) {
	for i := range u {
		switch {
		case kind%3 == 0:
			u[i] = 2*r.Float32() - 1
		case kind%3 == 1 || step%10 == 0:
			u[i] = float32(1 - 2*r.IntN(2))
		}
	}
}

// Random controls on every ground and at every level: nothing is infinite, rewards keep within 0 and 1, no episode
// leaves the bounds, and no point goes deep.
func TestRandomControlsKeepABodyWhole(t *testing.T) {
	for _, task := range tasks {
		for terrain := range 3 {
			for perturb := range 4 {
				if perturb%3 != 0 && terrain != flat {
					continue
				}
				w := made(task, task.speed, 0, terrain, perturb)
				r, policy := world.NewRand(1, 0), world.NewRand(1, 1)
				w.Reset(&r)
				u, obs := make([]float32, w.body.driven), make([]float32, w.spec.Size())
				var deepest, fastest, spun float64
				var left, deep, total int
				steps := randomSteps
				if terrain != flat || perturb != 0 {
					steps = max(steps/10, 10_000)
				}
				for step := range steps {
					drawn(u, total, step, &policy)
					out := w.Drive(&r, u)
					w.Observe(obs)
					for _, x := range obs {
						if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
							t.Fatalf("%s: step %d observes %v", task.name, step, obs)
						}
					}
					if !(out.Reward >= 0 && out.Reward <= 1) {
						t.Fatalf("%s: step %d pays %v", task.name, step, out.Reward)
					}
					low := clearance(w)
					deepest = min(deepest, low)
					if low < -.02 {
						deep++
					}
					fastest = max(fastest, math.Abs(w.m.vx), math.Abs(w.m.vz))
					for i := range w.body.n {
						spun = max(spun, math.Abs(w.m.spin[i]))
					}
					if out.End != world.Running {
						total++
						if out.End == world.Terminated {
							left++
						}
						w.Reset(&r)
					}
				}
				t.Logf("%-8s terrain=%d perturb=%d: fastest %.1f m/s, %.0f rad/s; deepest %.0f mm, %.2f %% of steps deeper "+
					"than 20 mm", task.name, terrain, perturb, fastest, spun, -1000*deepest, 100*float64(deep)/float64(steps))
				if left > 0 || deepest < -.15 {
					t.Errorf("%s: %d episodes left the bounds, deepest %v m", task.name, left, deepest)
				}
			}
		}
	}
}

// clearance is how far the lowest point is above the ground.
func clearance(w *creature) float64 {
	low := math.Inf(1)
	for _, c := range w.body.points[:w.body.touching] {
		x, z := w.body.position(&w.m, &w.fs, c.link, c.at)
		d, _, _ := w.land.above(x, z, c.radius)
		low = min(low, d)
	}
	return low
}

// Left alone, a body collapses and then lies still, a few millimetres deep.
func TestALimpBodyComesToRest(t *testing.T) {
	for _, task := range tasks {
		w, r := made(task, task.speed, 0, flat, 0), world.NewRand(1, 0)
		w.Reset(&r)
		none := make([]float32, w.body.driven)
		for range 1000 {
			w.Drive(&r, none)
		}
		fastest, from := 0.0, w.m.x
		for range 1000 {
			w.Drive(&r, none)
			fastest = max(fastest, math.Abs(w.m.vx), math.Abs(w.m.vz))
		}
		low := w.body.lowest(&w.m, &w.fs)
		t.Logf("%-8s %.1f kg: at rest %.2f mm deep, fastest %.1g m/s, crept %.1g m in %.0f s", task.name, w.body.mass,
			-1000*low, fastest, w.m.x-from, 1000*float64(task.substeps)*w.body.h)
		if low < -.006 || fastest > .01 || math.Abs(w.m.x-from) > .05 {
			t.Errorf("%s: lowest %v m, fastest %v m/s, crept %v m", task.name, low, fastest, w.m.x-from)
		}
	}
}

// A state out of its bounds ends the episode without pay, and observations stay finite.
func TestAStateOutOfItsBoundsEndsTheEpisode(t *testing.T) {
	for _, task := range tasks {
		for _, break_ := range []func(w *creature){
			func(w *creature) { w.m.spin[1] = math.NaN() },
			func(w *creature) { w.m.vx = fastest * 1.5 },
			func(w *creature) { w.m.x = math.Inf(1) },
		} {
			w, r := made(task, task.speed, 0, flat, 0), world.NewRand(1, 0)
			w.Reset(&r)
			break_(w)
			if out := w.Drive(&r, make([]float32, w.body.driven)); out.End != world.Terminated || out.Reward != 0 {
				t.Errorf("%s: gave %v", task.name, out)
			}
		}
		w, r := made(task, task.speed, 0, flat, 0), world.NewRand(1, 0)
		w.Reset(&r)
		w.m.z, w.m.vz = -40, 49 // far below the ground: it would be thrown out
		ended := false
		for range 100 {
			ended = ended || w.Drive(&r, make([]float32, w.body.driven)).End == world.Terminated
			state := w.State(nil)
			if err := w.SetState(state); err != nil {
				t.Fatalf("%s: %v", task.name, err)
			}
		}
		if !ended {
			t.Errorf("%s: it stayed within its bounds", task.name)
		}
	}
}

func TestABodyThatWouldBlowUpIsRefusedWithItsBound(t *testing.T) {
	for want, change := range map[string]func(p *plan){
		"right hip has a motor of 1e+06 N·m: choose 0 to 1000": func(p *plan) { p.links[1].motor = 1e6 },
		"right knee has a mass of 0 kg: choose 0.01 to 1000":   func(p *plan) { p.links[2].bones = nil },
		"torso has a mass of NaN kg":                           func(p *plan) { p.links[0].bones[0].radius = math.NaN() },
		"walker has a step of 0.5 s":                           func(p *plan) { p.step = .5 },
		"walker has a friction of -1":                          func(p *plan) { p.ground.friction = -1 },
		"walker has a creep speed of 0 m/s":                    func(p *plan) { p.ground.creep = 0 },
		"right ankle has a spring of 1e+09 N·m/rad":            func(p *plan) { p.links[3].spring = 1e9 },
		"left hip has a lower end of 200°":                     func(p *plan) { p.links[4].low = 200 },
		"walker has 0 links: choose 1 to 16":                   func(p *plan) { p.links = nil },
		"left hip hangs on link 6":                             func(p *plan) { p.links[4].parent = 6 },
		"number of points that touch of 21":                    func(p *plan) { p.links[4].bones = spheres(14) },
	} {
		p := walkerPlan
		p.links = append([]link{}, p.links...)
		for i := range p.links {
			p.links[i].bones = append([]bone{}, p.links[i].bones...)
		}
		change(&p)
		if b, err := build(&p); b != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want a refusal with %q", err, want)
		}
	}
}

func spheres(n int) []bone {
	bones := make([]bone, n)
	for i := range bones {
		bones[i] = bone{radius: .1, touches: near}
	}
	return bones
}

// trajectories is a fingerprint of thousands of steps of every body on every ground. Processors and compilers agree.
func TestEveryProcessorComputesTheSameBits(t *testing.T) {
	sum := fnv.New64a()
	var state []byte
	for _, task := range tasks {
		for terrain := range 3 {
			w := made(task, task.speed, task.fall, terrain, terrain)
			r, policy := world.NewRand(9, 0), world.NewRand(9, 1)
			w.Reset(&r)
			u := make([]float32, w.body.driven)
			obs := make([]float32, w.spec.Size())
			for step := range 1500 {
				drawn(u, step/500, step, &policy)
				out := w.Drive(&r, u)
				w.Observe(obs)
				state = world.AppendFloats(append(state[:0], byte(out.End)), obs)
				state = world.AppendFloats(state, []float32{out.Reward})
				sum.Write(w.State(state))
				if out.End != world.Running {
					w.Reset(&r)
				}
			}
		}
	}
	if got := fmt.Sprintf("%x", sum.Sum64()); got != trajectories {
		t.Errorf("the trajectories have the fingerprint %s, kept is %s", got, trajectories)
	}
}

const trajectories = "6c1793df8ab4edac"

func BenchmarkDrive(b *testing.B) {
	for _, task := range tasks {
		for terrain := range 2 {
			b.Run(fmt.Sprintf("%s/terrain=%d", task.name, terrain), func(b *testing.B) {
				w, r := made(task, task.speed, 0, terrain, 0), world.NewRand(1, 0)
				w.Reset(&r)
				u, obs := make([]float32, w.body.driven), make([]float32, w.spec.Size())
				b.ReportAllocs()
				for b.Loop() {
					for i := range u {
						u[i] = 2*r.Float32() - 1
					}
					if w.Drive(&r, u).End != world.Running {
						w.Reset(&r)
					}
					w.Observe(obs)
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "steps/s")
			})
		}
	}
}

// The uniform policy over the named actions returns the figures in each task's table.
func TestTheFiguresAreTheMeasured(t *testing.T) {
	for _, task := range tasks {
		for _, f := range task.figures {
			w, r, policy := made(task, f.speed, f.fall, flat, 0), world.NewRand(1, 0), world.NewRand(1, 1)
			var sum, squares, one float64
			n := 0.
			w.Reset(&r)
			for steps := 0; steps < 60_000 || n < 60; steps++ {
				out := w.Step(&r, policy.IntN(len(w.spec.Actions)))
				one += float64(out.Reward)
				if out.End != world.Running {
					sum += one
					squares += one * one
					n++
					one = 0
					w.Reset(&r)
				}
			}
			mean := sum / n
			spread := math.Sqrt((squares/n - mean*mean) / n)
			if math.Abs(mean-float64(f.random)) > 5*spread+.02*mean {
				t.Errorf("%s at speed %g, fall %g: the uniform policy returns %.3g ± %.2g, the table says %v", task.name, f.speed,
					f.fall, mean, spread, f.random)
			}
		}
	}
}

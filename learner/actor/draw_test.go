package actor

import (
	"math"
	"slices"
	"testing"

	"impalab/envs"
	"impalab/learner/correct"
	"impalab/learner/kernel"
	"impalab/learner/net"
	"impalab/learner/traj"
)

// driven is an actor of n pendulums with a Gaussian policy.
func driven(t *testing.T, policy net.Policy, n, feedback int) (*Actor, net.Spec, []float32) {
	t.Helper()
	spec := net.Spec{Obs: 3, Hidden: []int{8}, Activation: kernel.Tanh, Policy: policy, Actions: 2, Feedback: feedback,
		HeadScale: 1}
	theta := make([]float32, spec.Params())
	spec.Init(theta, 1)
	a, err := New("pendulum", spec, n, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	return a, spec, theta
}

func driveUnrolls(n, t int, spec net.Spec) []*traj.Unroll {
	out := make([]*traj.Unroll, n)
	for i := range out {
		out[i] = traj.NewUnroll(t, traj.Shape{Size: spec.Inputs(), Actions: spec.Actions, Reals: spec.Reals()})
	}
	return out
}

func TestDrawsFollowTheGaussianTheyAreStoredWith(t *testing.T) {
	for _, policy := range []net.Policy{net.Gaussian, net.Tanh} {
		a, spec, theta := driven(t, policy, 50, 0)
		forward := net.NewForward(spec, 1)
		us := driveUnrolls(50, 200, spec)
		a.Play(theta, 0, us, ignore)
		n, sum, square := 0.0, 0.0, 0.0
		for _, u := range us {
			for step := range u.T {
				raw, _ := forward.Run(theta, u.Obs[step*3:(step+1)*3], nil, 1)
				want := make([]float32, 2)
				correct.Gaussian(want, nil, raw, 1, policy.Spread())
				mu := u.Mu[2*step : 2*step+2]
				if math.Abs(float64(mu[0]-want[0])) > 1e-5 || math.Abs(float64(mu[1]-want[1])) > 1e-5 {
					t.Fatalf("%s: μ is %v, want %v", policy, mu, want)
				}
				z := float64((u.Real[step] - mu[0]) / mu[1])
				n, sum, square = n+1, sum+z, square+z*z
			}
		}
		// Four standard deviations of the mean, and of the mean square, of n standard normals.
		if mean, deviation := sum/n, square/n; math.Abs(mean) > 4/math.Sqrt(n) || math.Abs(deviation-1) > 4*math.Sqrt(2/n) {
			t.Errorf("%s: standardised draws have mean %v and mean square %v", policy, mean, deviation)
		}
	}
}

// The world is told the draw, squashed or not, in units of its range: a world stepped with that pays the same.
func TestTheWorldGetsWhatWasDrawn(t *testing.T) {
	for _, policy := range []net.Policy{net.Gaussian, net.Tanh} {
		a, spec, theta := driven(t, policy, 3, 2)
		us := driveUnrolls(3, 100, spec)
		a.Play(theta, 0, us, ignore)
		for n := range 3 * 99 {
			u, step := us[n%3], n/3
			obs := u.Obs[step*5:][:5]
			scaled := float64(u.Real[step])
			if policy == net.Tanh {
				scaled = math.Tanh(scaled)
			}
			scaled = min(1, max(-1, scaled))
			angle, speed := math.Atan2(float64(obs[1]), float64(obs[0])), float64(obs[2])
			if want := -(angle*angle + 0.1*speed*speed + 0.001*4*scaled*scaled); math.Abs(float64(u.Reward[step])-want) > 1e-4 {
				t.Errorf("%s, step %d: reward %v, a torque of %v would pay %v", policy, step, u.Reward[step], 2*scaled, want)
			}
			if shown := u.Obs[(step+1)*5+3]; u.End[step] == uint8(envs.Running) && math.Abs(float64(shown)-scaled) > 1e-6 {
				t.Errorf("%s, step %d: the network is shown %v for an action of %v", policy, step, shown, scaled)
			}
		}
	}
}

// In a world with two controls a copy's network is shown both of its own.
func TestEveryCopyIsShownAllItsControls(t *testing.T) {
	spec := net.Spec{Obs: 8, Policy: net.Gaussian, Actions: 4, Feedback: 3, HeadScale: 1}
	theta := make([]float32, spec.Params())
	spec.Init(theta, 1)
	a, err := New("reacher", spec, 3, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	us, want := driveUnrolls(3, 20, spec), make([]float32, 3)
	a.Play(theta, 0, us, ignore)
	for i, u := range us {
		for step := range u.T {
			net.WriteControls(want, u.Real[2*step:2*step+2], u.Reward[step])
			if shown := u.Obs[(step+1)*11+8:][:3]; !slices.Equal(shown, want) {
				t.Fatalf("copy %d, step %d: shown %v, want %v", i, step, shown, want)
			}
		}
	}
}

func TestDrivingAllocatesNothing(t *testing.T) {
	a, spec, theta := driven(t, net.Tanh, 4, 0)
	us := driveUnrolls(4, 20, spec)
	if n := testing.AllocsPerRun(20, func() { a.Play(theta, 0, us, ignore) }); n != 0 {
		t.Errorf("%v allocations a play", n)
	}
}

func TestAGaussianPolicyNeedsControls(t *testing.T) {
	spec := net.Spec{Obs: 4, Policy: net.Gaussian, Actions: 2}
	if _, err := New("cartpole", spec, 1, 1, 0); err == nil {
		t.Error("CartPole was driven")
	}
}

func TestAGreedyActorTakesTheMean(t *testing.T) {
	for _, policy := range []net.Policy{net.Gaussian, net.Tanh} {
		a, spec, theta := driven(t, policy, 5, 0)
		a.Greedy = true
		us := driveUnrolls(5, 20, spec)
		a.Play(theta, 0, us, ignore)
		for i, u := range us {
			for step := range u.T {
				if u.Real[step] != u.Mu[2*step] || !(u.Mu[2*step+1] > 0) {
					t.Fatalf("%s, copy %d, step %d: took %v of mean %v, spread %v", policy, i, step, u.Real[step], u.Mu[2*step],
						u.Mu[2*step+1])
				}
			}
		}
	}
}

// If the parameters are finite and the network's outputs are not, the actor does not act, and no world gets NaN. A
// tanh-squashed Gaussian bounds infinity, and only NaN stops it.
func TestAPolicyThatIsNotFiniteIsNotPlayed(t *testing.T) {
	soft, softSpec, softTheta := newActor(t, "cartpole", 2, 8)
	gauss, gaussSpec, gaussTheta := driven(t, net.Gaussian, 2, 0)
	tanh, tanhSpec, tanhTheta := driven(t, net.Tanh, 2, 0)
	const huge = 3e38 // the sum of two is infinite
	for _, c := range []struct {
		name   string
		actor  *Actor
		theta  []float32
		unroll []*traj.Unroll
		value  float32 // of the parameters
		want   error
	}{
		{"softmax", soft, softTheta, unrolls(2, 5, softSpec), huge, ErrNotFinite},
		{"gaussian", gauss, gaussTheta, driveUnrolls(2, 5, gaussSpec), huge, ErrNotFinite},
		{"tanh-gaussian", tanh, tanhTheta, driveUnrolls(2, 5, tanhSpec), huge, nil},
		{"tanh-gaussian", tanh, tanhTheta, driveUnrolls(2, 5, tanhSpec), float32(math.NaN()), ErrNotFinite},
	} {
		if err := c.actor.Play(c.theta, 0, c.unroll, ignore); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		for i := range c.theta {
			c.theta[i] = c.value
		}
		if err := c.actor.Play(c.theta, 0, c.unroll, ignore); err != c.want {
			t.Errorf("%s with parameters of %g: %v, want %v", c.name, c.value, err, c.want)
		}
	}
}

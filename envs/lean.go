package envs

import "math"

// Leaning is a world whose agent can be drawn as a stick.
type Leaning interface {
	// Lean reads the stick's angle from an observation, in radians, clockwise from upright.
	Lean(obs []float32) float32
}

// Balancing is a world in which a cart holds a stick up.
type Balancing interface {
	Leaning
	Stick() Stick
}

// Stick is a stick on a cart.
type Stick struct {
	X, Track   float32 // place of the cart, and the track's end: m from its middle
	Lean, Turn float32 // rad clockwise from upright, rad/s
	Long       float32 // m
	Bound      float32 // the lean that ends an episode
}

// Lean is the angle of a world's agent in an observation; NaN where the world has no stick, or hides a part of it.
func Lean(w World, obs []float32) float32 {
	if leaning, ok := bare(w).(Leaning); ok && len(obs) == w.Spec().Size() && len(obs) == bare(w).Spec().Size() {
		return leaning.Lean(obs)
	}
	return float32(math.NaN())
}

// StickOf returns a world's stick as it stands; false where it has none.
func StickOf(w World) (s Stick, ok bool) {
	if balancing, is := bare(w).(Balancing); is {
		return balancing.Stick(), true
	}
	return s, false
}

// Pushing is a world whose agent a viewer may push.
type Pushing interface {
	Push(along, up float32) // changes the agent's speed, in m/s
}

// PushOf returns a world whose agent can be pushed; nil: another world.
func PushOf(w World) Pushing {
	pushed, _ := bare(w).(Pushing)
	return pushed
}

// bare is a world without the layers around it.
func bare(w World) World {
	for {
		layers, ok := w.(interface{ Within() World })
		if !ok {
			return w
		}
		w = layers.Within()
	}
}

func (w *cartPole) Lean(obs []float32) float32 { return obs[2] }

func (w *cartPole) Stick() Stick {
	return Stick{float32(w.x), trackEnd, float32(w.angle), float32(w.omega), float32(2 * (halfPole + w.longer)), poleEnd}
}

// Push turns the pole on its hinge. The speed of its middle changes by a quarter of along: a trained agent can stop it.
func (w *cartPole) Push(along, _ float32) {
	w.omega += float64(along) / 4 / (halfPole + w.longer)
}

func (w *pendulum) Lean(obs []float32) float32 {
	return float32(math.Atan2(float64(obs[1]), float64(obs[0])))
}

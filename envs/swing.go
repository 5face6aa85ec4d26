package envs

import "math"

// The common parts of swinging worlds: angles, a step of their motion, and their curved lines.

// wrapAngle removes whole turns from an angle until it is in [−π, π]; such an angle it does not change.
func wrapAngle(angle float64) float64 { return angle - 2*math.Pi*math.Floor(angle/(2*math.Pi)+.5) }

// rungeKutta is one classical fourth-order step of a motion with the given time derivative.
func rungeKutta(m [4]float64, tick float64, derivative func([4]float64) [4]float64) [4]float64 {
	ahead := func(k [4]float64, by float64) [4]float64 {
		next := m
		for i := range next {
			next[i] += by * k[i]
		}
		return derivative(next)
	}
	k1 := derivative(m)
	k2 := ahead(k1, tick/2)
	k3 := ahead(k2, tick/2)
	k4 := ahead(k3, tick)
	for i := range m {
		m[i] += tick / 6 * (k1[i] + 2*k2[i] + 2*k3[i] + k4[i])
	}
	return m
}

// compassPoint is the point at a distance from (x, y) in the direction of an angle, clockwise from up.
func compassPoint(x, y, distance float32, angle float64) (float32, float32) {
	sin, cos := math.Sincos(angle)
	return x + distance*float32(sin), y - distance*float32(cos)
}

// drawRod is a line with round ends.
func drawRod(c Canvas, x0, y0, x1, y1, width float32, ink Ink) {
	c.Line(x0, y0, x1, y1, width, ink)
	c.Circle(x0, y0, width/2, ink)
	c.Circle(x1, y1, width/2, ink)
}

// drawArc is part of a circle, its angles clockwise from up.
func drawArc(c Canvas, x, y, radius float32, from, to float64, width float32, ink Ink) {
	n := int(math.Ceil(math.Abs(to-from) / .1))
	px, py := compassPoint(x, y, radius, from)
	for i := range n {
		qx, qy := compassPoint(x, y, radius, from+(to-from)*float64(i+1)/float64(n))
		c.Line(px, py, qx, qy, width, ink)
		px, py = qx, qy
	}
}

// drawTurn is a torque: an arc over (x, y) as wide as the turn, with a head where it turns to.
func drawTurn(c Canvas, x, y, radius float32, turn float64, width float32, ink Ink) {
	if turn == 0 {
		return
	}
	drawArc(c, x, y, radius, -turn/2, turn/2, width, ink)
	back := turn/2 - math.Copysign(float64(4*width/radius), turn)
	tx, ty := compassPoint(x, y, radius, turn/2)
	for _, side := range [...]float32{-3 * width, 3 * width} {
		bx, by := compassPoint(x, y, radius+side, back)
		drawRod(c, tx, ty, bx, by, width, ink)
	}
}

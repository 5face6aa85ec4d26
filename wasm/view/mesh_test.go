package view

import (
	"image/color"
	"math"
	"testing"

	"pgregory.net/rapid"
)

var ink = color.RGBA{255, 0, 0, 255}

// cover is the area of a mesh, each triangle weighted with the mean of its corners' alpha.
func (m *mesh) cover() (sum float64) {
	for i := 0; i < len(m.indices); i += 3 {
		a, b, c := m.vertices[m.indices[i]], m.vertices[m.indices[i+1]], m.vertices[m.indices[i+2]]
		size := math.Abs(float64((b.x-a.x)*(c.y-a.y)-(c.x-a.x)*(b.y-a.y))) / 2
		sum += size * float64(a.a+b.a+c.a) / 3
	}
	return sum
}

func TestSoftEdgesKeepTheArea(t *testing.T) {
	for _, r := range []float32{3, 10, 80} {
		var m mesh
		m.circle(100, 100, r, ink, 1)
		want := math.Pi * float64(r*r)
		if got := m.cover(); math.Abs(got-want) > 0.03*want {
			t.Errorf("a circle of radius %v covers %.1f pixels, want %.1f", r, got, want)
		}
	}
	var m mesh
	m.line(0, 0, 30, 40, 4, ink, 1)
	if got := m.cover(); math.Abs(got-200) > 8 {
		t.Errorf("a stroke of 50 by 4 covers %.1f", got)
	}
}

func TestDirectionDoesNotMatter(t *testing.T) {
	var a, b mesh
	a.convex([]float32{0, 0, 10, 0, 10, 10, 0, 10}, ink, 1)
	b.convex([]float32{0, 10, 10, 10, 10, 0, 0, 0}, ink, 1)
	if math.Abs(a.cover()-b.cover()) > 1e-4 || math.Abs(a.cover()-100) > 5 {
		t.Errorf("covers %v and %v, want 100", a.cover(), b.cover())
	}
}

func TestAHairlineIsFainterNotWider(t *testing.T) {
	var thin, one mesh
	thin.line(0, 0, 100, 0, 0.5, ink, 1)
	one.line(0, 0, 100, 0, 1, ink, 1)
	if ratio := thin.cover() / one.cover(); math.Abs(ratio-0.5) > 0.01 {
		t.Errorf("half a pixel covers %.2f of a pixel", ratio)
	}
}

func TestRectanglesMeetWithoutSeams(t *testing.T) {
	var m mesh
	for i := range 7 {
		m.rect(float32(i)*10.3, 0, 10.3, 5, ink, 1)
	}
	if got := m.cover(); got != 72*5 {
		t.Errorf("seven tiles cover %v, want 360", got)
	}
}

func TestNoShapeBreaksTheMesh(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		coordinate := rapid.Float32Range(-50, 50)
		var m mesh
		m.convex(rapid.SliceOfN(coordinate, 0, 12).Draw(t, "outline"), ink, 1)
		m.circle(0, 0, coordinate.Draw(t, "r"), ink, 1)
		m.line(coordinate.Draw(t, "x"), 0, coordinate.Draw(t, "x'"), 0, coordinate.Draw(t, "w"), ink, 1)
		for _, v := range m.vertices {
			if v.x-v.x != 0 || v.y-v.y != 0 || v.a < 0 || v.a > 1 {
				t.Fatalf("vertex %+v", v)
			}
		}
		for _, i := range m.indices {
			if int(i) >= len(m.vertices) {
				t.Fatalf("index %d of %d", i, len(m.vertices))
			}
		}
	})
}

func TestAFrameAllocatesNothing(t *testing.T) {
	var m mesh
	draw := func() {
		m.clear()
		m.rect(0, 0, 10, 10, ink, 1)
		m.line(0, 0, 10, 10, 2, ink, 1)
		m.circle(5, 5, 5, ink, 1)
	}
	draw()
	if n := testing.AllocsPerRun(100, draw); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

package page

import (
	"math"
	"os"
	"strconv"
	"testing"

	"impalab/web/lesson"
)

// The line of a product passes through the middle of each cell with this product.
func TestTheBorderPassesThroughTheCellsOfItsProduct(t *testing.T) {
	m, err := fallenOf("none")
	if err != nil {
		t.Fatal(err)
	}
	for j, rate := range m.Rates {
		for i, lag := range m.Lags {
			a, err := strconv.ParseFloat(rate, 64)
			if err != nil {
				t.Fatal(err)
			}
			b, err := strconv.ParseFloat(lag, 64)
			if err != nil {
				t.Fatal(err)
			}
			top, bottom := m.line(a * b)
			down := 1 - (float64(j)+.5)/float64(len(m.Rates))
			if x := top + down*(bottom-top); math.Abs(x-mapCell*(float64(i)+.5)) > 1e-6 {
				t.Errorf("rate %s, lag %s: the line is at %v, want %v", rate, lag, x, mapCell*(float64(i)+.5))
			}
		}
	}
	if !(m.Border[1] < m.Border[0] && m.Border[0] < m.Border[2]) {
		t.Errorf("the border without a correction is %v", m.Border)
	}
}

// Each picture of a lesson can be drawn, and a ratio of π to itself is one bar, at 1.
func TestEveryPictureOfALessonIsDrawn(t *testing.T) {
	maps, hills, curves := 0, 0, 0
	for _, l := range lesson.All() {
		for _, s := range l.Steps {
			if s.Plot == nil {
				continue
			}
			for choice, name := range s.Plot.Pictures {
				drawn, err := pictureOf(s.Plot, choice)
				if err != nil {
					t.Fatalf("%s, %s: %v", l.Name, s.Title, err)
				}
				if drawn.Map != nil {
					maps++
					continue
				}
				if drawn.Curves != "" {
					curves++
					if _, err := os.Stat("../../static/plots/" + drawn.Curves + ".svg"); err != nil {
						t.Errorf("%s, %s: %v", l.Name, s.Title, err)
					}
					continue
				}
				hills++
				high := 0
				for _, bar := range drawn.Bars {
					if bar.High > 0 {
						high++
					}
				}
				if again := name == "ratios computed again"; again != (high == 1) {
					t.Errorf("%s has %d bars", name, high)
				}
			}
		}
	}
	if maps != 3 || hills != 2 || curves != 2 {
		t.Errorf("%d maps, %d histograms and %d files of curves, want 3, 2 and 2", maps, hills, curves)
	}
	for _, name := range []string{"map nonsense", "nonsense"} {
		if _, err := pictureOf(&lesson.Plot{Pictures: []string{name}}, 0); err == nil {
			t.Errorf("%q was drawn", name)
		}
	}
}

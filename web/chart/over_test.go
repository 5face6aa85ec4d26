package chart

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"impalab/learner/hyper"
)

// over returns a chart of a setting with one result of eight seeds for each value.
func over(t *testing.T, key string, values ...string) *Over {
	t.Helper()
	row, err := hyper.Lookup(key)
	if err != nil {
		t.Fatal(err)
	}
	o := &Over{Row: row, Preset: "1", Chosen: -1}
	for i, v := range values {
		r := Result{Value: v, Level: Level{float64(100 * (i + 1)), float64(80 * (i + 1)), float64(120 * (i + 1))}, Asked: 8,
			Ended: 8}
		for k := range 8 {
			r.Seeds = append(r.Seeds, SeedReturn{Return: float64((60 + 10*k) * (i + 1))})
		}
		o.At = append(o.At, r)
	}
	return o
}

func TestAColumnStandsWhereItsValueDoes(t *testing.T) {
	o := over(t, "rho", "4", "1", "2", "inf")
	a := o.axis(720)
	if !a.log || a.apart {
		t.Fatalf("%+v", a)
	}
	one, two, four, inf := a.x[1], a.x[2], a.x[0], a.x[3]
	if one != overLeft || inf != 720-overRight || math.Abs((two-one)-(four-two)) > 1e-9 || !(four < inf) {
		t.Errorf("1, 2, 4 and ∞ are at %v, %v, %v and %v", one, two, four, inf)
	}
	if a := over(t, "rho", "1", "1.001", "4").axis(720); a.log || a.x[1]-a.x[0] != a.x[2]-a.x[1] {
		t.Errorf("values too close to be read: %+v", a)
	}
	if a := over(t, "lag", "0", "1", "64").axis(720); !a.log || a.x[1]-a.x[0] >= a.x[2]-a.x[1] {
		t.Errorf("a scale with 0: %+v", a)
	}
	if a := over(t, "correction", "vtrace", "none").axis(720); !a.apart || a.order[0] != 0 {
		t.Errorf("names: %+v", a)
	}
	if a := over(t, "c", "same", "1", "2").axis(720); !a.apart {
		t.Errorf("a value that is no number: %+v", a)
	}
	if a := over(t, "rho", "2").axis(720); a.x[0] < 300 || a.x[0] > 400 {
		t.Errorf("one value: %+v", a)
	}
}

func TestAColumnShowsWhatItsSeedsAllow(t *testing.T) {
	diverged := func(r *Result) {
		for i := range r.Seeds {
			r.Seeds[i].Diverged = true
		}
	}
	for name, c := range map[string]struct {
		change               func(r *Result)
		rings, crosses, bars int
		says, interval       string
	}{
		"whole":        {func(*Result) {}, 8, 0, 1, "100.0", "80.0 – 120"},
		"one seed":     {func(r *Result) { r.Seeds, r.Asked, r.Ended = r.Seeds[:1], 1, 1 }, 1, 0, 0, "60.0", "one seed"},
		"two of eight": {func(r *Result) { r.Seeds, r.Ended = r.Seeds[:2], 2 }, 2, 0, 0, "", "2 of 8"},
		"three of 8":   {func(r *Result) { r.Seeds, r.Ended = r.Seeds[:3], 3 }, 3, 0, 1, "100.0", "80.0 – 120, n 3"},
		"waiting":      {func(r *Result) { r.Seeds, r.Ended = nil, 0 }, 1, 0, 0, "", "waits"},
		"stopped":      {func(r *Result) { r.Seeds = nil }, 0, 0, 0, "–", "no return"},
		"all diverged": {diverged, 0, 9, 0, "–", "8 diverged"},
		"one diverged": {func(r *Result) { r.Seeds[0].Diverged = true }, 7, 1, 1, "100.0", "80.0 – 120"},
	} {
		o := over(t, "rho", "1", "4")
		c.change(&o.At[0])
		o.At = o.At[:1]
		drawn := DrawOver(o, 720, 320)
		rings, crosses := strings.Count(drawn, `class="ring`), strings.Count(drawn, `class="cross"`)/2
		bars := strings.Count(drawn, `class="interval`)
		mean, interval := o.At[0].Says()
		if rings != c.rings || crosses != c.crosses || bars != c.bars || mean != c.says || interval != c.interval {
			t.Errorf("%s: %d rings, %d crosses, %d intervals, %q, %q; want %d, %d, %d, %q, %q", name, rings, crosses, bars,
				mean, interval, c.rings, c.crosses, c.bars, c.says, c.interval)
		}
		for _, words := range []string{">" + interval + "<", ">the preset<"} {
			if !strings.Contains(drawn, words) {
				t.Errorf("%s: it does not say %s", name, words)
			}
		}
		if strings.Contains(drawn, "NaN") {
			t.Errorf("%s: %s", name, drawn)
		}
	}
}

func TestNoLineJoinsNamesOrGaps(t *testing.T) {
	joined := func(o *Over) bool {
		_, path, found := strings.Cut(DrawOver(o, 720, 320), `<path class="line seed pi" d="`)
		path, _, _ = strings.Cut(path, `"`)
		return found && strings.Contains(path, "L")
	}
	if !joined(over(t, "rho", "1", "4")) {
		t.Error("no line joins two values")
	}
	if joined(over(t, "correction", "vtrace", "none")) || joined(over(t, "rho", "1", "inf")) {
		t.Error("a line joins names, or leads to infinity")
	}
	o := over(t, "rho", "1", "2", "4")
	o.At[1].Ended, o.At[1].Seeds = 0, nil
	if joined(o) {
		t.Error("a line crosses a value that waits")
	}
}

// Rings of one column neither cover each other nor the bar.
func TestEverySeedIsSeen(t *testing.T) {
	o := over(t, "rho", "1", "4")
	for k := range o.At[0].Seeds {
		o.At[0].Seeds[k].Return = 100 + float64(k%3)
	}
	bar, seen := o.axis(720).x[0]+overBar/2, map[string]bool{}
	for _, circle := range strings.Split(DrawOver(o, 720, 320), "<circle ")[1:] {
		var x, y, r float64
		if n, _ := fmt.Sscanf(circle, `class="ring pi" cx="%g" cy="%g" r="%g"`, &x, &y, &r); n == 3 {
			seen[fmt.Sprint(x, y)] = true
			if x-r <= bar {
				t.Errorf("a ring at %v, %v covers the bar", x, y)
			}
		}
	}
	if len(seen) < 12 {
		t.Errorf("%d rings of 16 are seen", len(seen))
	}
}

func TestAColumnTakesItsPartOfTheWidth(t *testing.T) {
	for _, w := range []float64{320, 540, 720} {
		o := over(t, "rho", "0.1", "0.5", "1", "2", "4", "10")
		last := 0.
		for i, ends := range o.Columns(w) {
			if x := o.axis(w).x[i]; !(ends[0] >= last && ends[0] < x && x < ends[1] && ends[1] <= w) {
				t.Errorf("at %v column %d at %v is from %v to %v", w, i, x, ends[0], ends[1])
			}
			last = ends[1]
		}
	}
}

// On a phone the rings of a column end before the next bar.
func TestRingsEndBeforeTheNextColumn(t *testing.T) {
	o := over(t, "rho", "1", "1.7", "3")
	for i := range o.At {
		for k := range o.At[i].Seeds {
			o.At[i].Seeds[k].Return = 100
		}
	}
	o.At = o.At[:2]
	o.At = append(o.At, over(t, "rho", "10").At...)
	a := o.axis(320)
	for _, circle := range strings.Split(DrawOver(o, 320, 300), "<circle ")[1:] {
		var x, y, r float64
		if n, _ := fmt.Sscanf(circle, `class="ring pi" cx="%g" cy="%g" r="%g"`, &x, &y, &r); n == 3 &&
			x > a.x[0] && x < a.x[1] && x+r > a.x[1]-overBar {
			t.Errorf("a ring at %v covers the column at %v", x, a.x[1])
		}
	}
}

// No name of a value leaves its column, and no name of the setting covers one.
func TestNamesStayInTheirColumns(t *testing.T) {
	row, _ := hyper.Lookup("correction")
	for _, n := range []int{3, 9} {
		for _, w := range []float64{320, 720} {
			o := over(t, "correction", row.Choices[:n]...)
			a := o.axis(w)
			for i := range o.At {
				if name := valueLabel(&o.At[i], row, a.least); wide(name) > a.least || a.x[i]+wide(name)/2 > w+2 {
					t.Errorf("%d names at %v: %q at %v is wider than %v", n, w, name, a.x[i], a.least)
				}
			}
		}
	}
	for key, values := range map[string][]string{"correction": {"one-step", "vtrace"}, "lag": {"0", "16"}} {
		if row, err := hyper.Lookup(key); err == nil {
			drawn := DrawOver(over(t, key, values...), 720, 320)
			name := regexp.MustCompile(`x="-56" y="[\d.]+"><tspan class="symbol">(.*?)</tspan>(.*?)<`).FindStringSubmatch(drawn)
			first := valueLabel(&Result{Value: values[0]}, row, 600)
			if name == nil || -56+wide(name[1]+name[2]) > overLeft-wide(first)/2 {
				t.Errorf("%s: its name %q covers %q", key, name, first)
			}
		}
	}
}

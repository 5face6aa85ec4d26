package chart

import (
	"encoding/xml"
	"math"
	"strconv"
	"strings"
	"testing"

	"impalab/web/chart/charttest"
	"impalab/web/wire"
)

// waitingOn is a belt with two lanes of 65 known poses, whose weights fall with age, faster on the second lane.
func waitingOn(lag int) *Belt {
	b := &Belt{Lag: lag, Lanes: []BeltLane{{Class: "pi"}, {Class: "strong", Whole: true}}}
	for i := range b.Lanes {
		for k := range wire.MaxBelt {
			weight := 1 - float32(k)/wire.MaxBelt/float32(2-i)
			b.Lanes[i].Poses = append(b.Lanes[i].Poses, wire.Pose{Lean: .1, Weight: weight})
		}
	}
	return b
}

// outlines returns the x of each pose's foot that waits on a lane, and of the lens.
func outlines(t *testing.T, b *Belt, w float64, class string) (feet []float64, lens float64) {
	t.Helper()
	in := ""
	charttest.Elements(t, "belt", DrawBelt(b, w), func(e xml.StartElement) {
		name := charttest.Attribute(e, "class")
		switch {
		case e.Name.Local == "g":
			in = name
		case name == "lens":
			x, _ := strconv.ParseFloat(charttest.Attribute(e, "x"), 64)
			wide, _ := strconv.ParseFloat(charttest.Attribute(e, "width"), 64)
			lens = x + wide/2
		case in == "waiting "+class && (name == "pose" || name == "pose faint"):
			for _, piece := range strings.Split(charttest.Attribute(e, "d"), "M")[1:] {
				x, err := strconv.ParseFloat(piece[:strings.IndexByte(piece, ' ')], 64)
				if err != nil {
					t.Fatal(err)
				}
				feet = append(feet, x)
			}
		}
	})
	return feet, lens
}

func TestAsManyPosesWaitAsTheLagSays(t *testing.T) {
	for _, w := range []float64{366, 720, 966, 1272} {
		before := 0.0
		for _, lag := range Lags {
			for _, class := range []string{"pi", "strong"} {
				feet, lens := outlines(t, waitingOn(lag), w, class)
				if len(feet) != lag {
					t.Errorf("%v wide, lag %d: %d poses wait on %s", w, lag, len(feet), class)
				}
				for _, x := range feet {
					if x < 58 || x > lens {
						t.Errorf("%v wide, lag %d: a pose at %v is not between the actor and the lens at %v", w, lag, x, lens)
					}
				}
				if class == "strong" {
					if lens <= before {
						t.Errorf("%v wide: the lens of lag %d is at %v, the one before at %v", w, lag, lens, before)
					}
					before = lens
				}
			}
		}
		if each := BeltEach(8, w); each < 12 {
			t.Errorf("%v wide: eight poses have %v pixels each, too few to count", w, each)
		}
	}
}

// In the corrected lane an outline shrinks to its pose's weight. In the other lane outlines keep their size, and the
// weight sets how much is filled.
func TestAPoseIsFilledByTheWeightItShouldHave(t *testing.T) {
	for _, whole := range []bool{false, true} {
		q := queue{lane: &BeltLane{Whole: whole}, width: 5, each: 26, long: 24}
		q.pose(&wire.Pose{Weight: .25}, 100, 40)
		switch {
		case whole:
			if q.outline.widths[0] != 5 || len(q.hollow.pens) != 1 || len(q.fill.pens) != 1 ||
				!strings.HasPrefix(q.fill.pens[0].String(), "M100 40L100 34") {
				t.Errorf("outline %v, filled %s", q.outline.widths, q.fill.pens[0].String())
			}
		case q.outline.widths[0] != 3 || len(q.hollow.pens) > 0: // 5·(.4+.6·.25) = 2.75, to half a pixel
			t.Errorf("on the corrected lane the outline is %v wide", q.outline.widths)
		}
	}
	q := queue{lane: &BeltLane{Whole: true}, width: 5, each: 26, long: 24}
	q.pose(&wire.Pose{Weight: float32(math.NaN())}, 100, 40)
	if len(q.hollow.pens) > 0 || q.outline.widths[0] != 5 {
		t.Error("a pose without a figure is not whole")
	}
}

func TestPlacesThatNothingFillsYetAreDotted(t *testing.T) {
	b := waitingOn(64)
	for i := range b.Lanes {
		b.Lanes[i].Poses = b.Lanes[i].Poses[:10]
	}
	drawn := DrawBelt(b, 966)
	feet, _ := outlines(t, b, 966, "pi")
	if len(feet) != 10 || !strings.Contains(drawn, "pose empty") {
		t.Errorf("%d poses are drawn, and empty places: %v", len(feet), strings.Contains(drawn, "pose empty"))
	}
}

// A pole that lies is drawn on the floor's side of the horizon, whatever the last lean was.
func TestAFallenActorLiesOnTheBelt(t *testing.T) {
	b := waitingOn(0)
	b.Lanes[1].Lies, b.Lanes[1].Lean = true, -.3
	found := false
	charttest.Elements(t, "belt", DrawBelt(b, 966), func(e xml.StartElement) {
		if charttest.Attribute(e, "class") == "pole lies" {
			y1, _ := strconv.ParseFloat(charttest.Attribute(e, "y1"), 64)
			y2, _ := strconv.ParseFloat(charttest.Attribute(e, "y2"), 64)
			x1, _ := strconv.ParseFloat(charttest.Attribute(e, "x1"), 64)
			x2, _ := strconv.ParseFloat(charttest.Attribute(e, "x2"), 64)
			found = y2 > y1 && x2 < x1
		}
	})
	if !found {
		t.Error("it stands")
	}
}

func TestOnlyAStickHasACartOnTheBelt(t *testing.T) {
	for _, figure := range []Figure{OnCart, Trunk, Tile} {
		lane := BeltLane{Class: "pi", Figure: figure, Poses: make([]wire.Pose, 3)}
		drawn := DrawBelt(&Belt{Lag: 2, Lanes: []BeltLane{lane}}, 1000)
		if carts := strings.Contains(drawn, "wheel") || strings.Contains(drawn, "cart"); carts != (figure == OnCart) {
			t.Errorf("figure %v: carts are drawn: %v", figure, carts)
		}
		if !strings.Contains(drawn, `class="pose`) {
			t.Errorf("figure %v: no pose waits", figure)
		}
	}
}

func TestTheKeySaysHowMuchAStepStillCounts(t *testing.T) {
	b := &Belt{Lag: 4, Lanes: []BeltLane{{Poses: []wire.Pose{{Weight: 1}, {Weight: .3}, {Weight: .75}, {Weight: .1}}}}}
	key := DrawKey(b)
	for _, want := range []string{"× 1<", "still would", "× .75", "less likely", "× .1<", "no longer"} {
		if !strings.Contains(key, want) {
			t.Errorf("no %q in %s", want, key)
		}
	}
	b.Lag = 2
	if key := DrawKey(b); strings.Count(key, "× 1<") != 3 || strings.Count(key, "still would") != 3 {
		t.Errorf("with two known weights the key is %s", key)
	}
}

// A body of any slant, and a stick of any lean, stays in its third of the key and off its number.
func TestNoPoseOfTheKeyRunsOverItsNumber(t *testing.T) {
	for _, figure := range []Figure{OnCart, Trunk, Tile} {
		for lean := float32(-3.2); lean < 3.2; lean += .1 {
			b := &Belt{Lag: 3, Lanes: []BeltLane{{Figure: figure, Poses: []wire.Pose{
				{Lean: lean, Weight: 1}, {Lean: lean, Weight: .5}, {Lean: lean}}}}}
			number := -1.
			charttest.Elements(t, "key", DrawKey(b), func(e xml.StartElement) {
				switch class := charttest.Attribute(e, "class"); {
				case e.Name.Local == "path" && figure == OnCart: // a stick leans over the room behind the number before it
				case e.Name.Local == "path":
					ends := strings.NewReplacer("M", ",", "L", ",", "Z", "").Replace(charttest.Attribute(e, "d"))
					for _, at := range strings.Split(ends, ",")[1:] {
						x, err := strconv.ParseFloat(strings.Fields(at)[0], 64)
						if in := math.Mod(x, keyWide); err != nil || in < 0 || in > 38 {
							t.Errorf("lean %.1f: at %v in its third, of %s", lean, in, at)
						}
					}
				case class == "count":
					x, _ := strconv.ParseFloat(charttest.Attribute(e, "x"), 64)
					if number >= 0 && x != number+keyWide {
						t.Errorf("numbers at %v and %v", number, x)
					}
					number = x
				}
			})
		}
	}
}

// A trunk that is more than a right angle off lies on the ground, and stands on no legs.
func TestABodyThatIsOverLies(t *testing.T) {
	for lean, lies := range map[float32]bool{0: false, .4: false, -1.2: false, 2: true, -3.1: true, 6.2: false} {
		b := stood(100, 50, 30, lean, true)
		if flat := b.y0 == b.y1 && b.y0 > 45 && len(b.legs) == 0; flat != lies {
			t.Errorf("lean %v: it lies: %v, %+v", lean, flat, b)
		}
	}
}

// A tile is filled from below by the weight of its step, on either lane and however little room it has. The actor's
// tile has the symbol that it wrote.
func TestATileIsFilledFromBelow(t *testing.T) {
	for _, whole := range []bool{false, true} {
		for _, each := range []float64{4, 30} {
			q := queue{lane: &BeltLane{Whole: whole, Figure: Tile}, each: each, long: 24}
			q.pose(&wire.Pose{Weight: .25}, 100, 40)
			side := math.Min(tileSide, .8*each)
			var outline, full pen
			outline.box(100-side/2, 40-tileSide, side, tileSide)
			full.box(100-side/2, 40-tileSide/4, side, tileSide/4)
			if q.tiles.String() != outline.String() || q.full.String() != full.String() {
				t.Errorf("in %v pixels it is %s, filled %s", each, q.tiles.String(), q.full.String())
			}
		}
	}
	lane := BeltLane{Class: "pi", Figure: Tile, Symbol: "c", Poses: make([]wire.Pose, 3)}
	if n := strings.Count(DrawBelt(&Belt{Lag: 2, Lanes: []BeltLane{lane}}, 1000), ">c<"); n != 1 {
		t.Errorf("at a lag of 2 the symbol is drawn %d times, want once", n)
	}
	if n := strings.Count(DrawBelt(&Belt{Lanes: []BeltLane{lane}}, 1000), ">c<"); n != 2 {
		t.Errorf("without a lag it is drawn %d times: the lens has it too", n)
	}
}

package play

import (
	"math"
	"testing"
	"time"

	"impalab/envs"
	"impalab/envs/bodies"
	"impalab/web/wire"
)

// fallen is a CartPole that has just left its bound, after some steps.
func fallen(t *testing.T) (envs.World, *wire.Frame) {
	t.Helper()
	w, err := envs.New("cartpole")
	if err != nil {
		t.Fatal(err)
	}
	chance := envs.NewRand(1, 1)
	w.Reset(&chance)
	f := &wire.Frame{World: "cartpole"}
	for f.End == uint8(envs.Running) {
		f.Length++
		f.End = uint8(w.Step(&chance, 1).End)
	}
	return w, f
}

// stands is a learner that has stood once.
func stands(t *testing.T, w envs.World) *Tumble {
	t.Helper()
	var one Tumble
	one.See(&wire.Frame{Length: 200}, w, false, false, 0)
	return &one
}

func TestAFallReachesTheFloorAndIsHeldAndTheWorldRestartsSlowly(t *testing.T) {
	w, f := fallen(t)
	one := stands(t, w)
	one.See(f, w, false, false, 0)
	frame := 16 * time.Millisecond
	floor, up := time.Duration(-1), time.Duration(-1)
	before := float32(0)
	for now := time.Duration(0); now < 4*time.Second && up < 0; now += frame {
		holds := one.Play(now, false)
		switch {
		case !holds:
			up = now
		case abs(one.Lean()) < before:
			t.Fatalf("at %v it rises from %v to %v", now, before, one.Lean())
		case one.Lies() && !one.Down():
			t.Fatalf("at %v the words say that it lies, and it does not", now)
		case one.Down() && floor < 0:
			floor = now
		}
		before = abs(one.Lean())
	}
	if floor < 300*time.Millisecond || floor > 1500*time.Millisecond {
		t.Errorf("it meets the floor after %v", floor)
	}
	if held := up - floor; held < 600*time.Millisecond {
		t.Errorf("it lies for %v, want at least 600 ms", held)
	}
	if math.Abs(float64(before)-Lying) > 1e-6 || one.Length != f.Length {
		t.Errorf("it lies at %v after %d steps", before, one.Length)
	}
	if want := int(floor / fallImage); len(one.Fan) < want || len(one.Fan) > want+2 {
		t.Errorf("the fan has %d images of a fall of %v", len(one.Fan), floor)
	}
	next := &wire.Frame{Length: 1}
	for i := range 20 {
		if one.Pace(500) != .25 {
			t.Fatalf("step %d after the fall is at %v of the speed", i, one.Pace(500))
		}
		one.See(next, w, false, false, up)
	}
	if one.Pace(28) != .5 || one.Pace(60) != 1 || one.Pace(28) != 1 {
		t.Error("it plays at half its speed until the mean of ten is 60, and no longer")
	}
}

// A rod at rest at angle θ₀ loses height L/2·(cos θ₀ − cos θ) of its middle, and its spin has energy ⅙·m·L²·ω².
func TestTheFallKeepsTheEnergyOfAFreeRod(t *testing.T) {
	one := Tumble{stick: envs.Stick{Lean: .21, Long: 1}}
	for !one.drop(fallStep) {
		spin := float64(one.stick.Turn) * float64(one.stick.Turn) / 6
		height := 9.8 / 2 * (math.Cos(.21) - math.Cos(float64(one.stick.Lean)))
		if math.Abs(spin-height) > .02*9.8/2 {
			t.Fatalf("at %v rad it spins with %v, and has lost %v", one.stick.Lean, spin, height)
		}
	}
}

func TestWithoutMotionThePoleLiesAtOnceWithItsImages(t *testing.T) {
	w, f := fallen(t)
	one := stands(t, w)
	one.See(f, w, false, true, time.Second)
	if !one.Down() || len(one.Fan) < 9 || !one.Play(time.Second+899*time.Millisecond, true) {
		t.Errorf("down %v with %d images", one.Down(), len(one.Fan))
	}
	if one.Play(time.Second+900*time.Millisecond, true) {
		t.Error("it fades")
	}
}

func TestOnlyAFallFromStandingIsPlayed(t *testing.T) {
	w, f := fallen(t)
	var young Tumble
	if young.See(f, w, false, false, 0); young.Falls() {
		t.Error("a beginner's fall is played")
	}
	if young.See(f, w, true, false, 0); !young.Falls() {
		t.Error("while both hold, a fall is not played")
	}
	late, long := stands(t, w), *f
	long.Length = 60
	if late.See(&long, w, false, false, 0); late.Falls() {
		t.Error("the end of a long episode is played as a fall")
	}
	long.Length, long.End = 10, uint8(envs.Truncated)
	if late.See(&long, w, false, false, 0); late.Falls() {
		t.Error("an episode that was cut is played as a fall")
	}
}

func TestAnAgentThatStaysLiesUntilItIsHelped(t *testing.T) {
	w, f := fallen(t)
	one := stands(t, w)
	f.Length = 400
	if one.See(f, w, false, false, 0); one.Falls() {
		t.Error("an episode of 400 steps ends in a played fall")
	}
	one.Stays = true
	one.See(f, w, false, false, 0)
	for now := time.Duration(0); now < 10*time.Second; now += 16 * time.Millisecond {
		if !one.Play(now, false) {
			t.Fatalf("it is put up after %v", now)
		}
	}
	if !one.Lies() || !one.Rests() || one.Fade() != 1 {
		t.Error("it does not rest on the floor")
	}
	one.Stays = false
	if one.Play(10*time.Second, false); one.Lies() || !one.Falls() {
		t.Error("once helped it is not put up")
	}
	if one.Play(11*time.Second, false) {
		t.Error("once helped it holds the world")
	}
}

// Where an agent writes, the symbols of an answer turn to outlines one by one once its run has fallen, and not before.
func TestAFallenRunsAnswerIsErasedSymbolBySymbol(t *testing.T) {
	w, err := envs.New("reverse:length=4")
	if err != nil {
		t.Fatal(err)
	}
	chance := envs.NewRand(1, 1)
	w.Reset(&chance)
	f := &wire.Frame{World: "reverse:length=4"}
	for f.End == uint8(envs.Running) {
		f.Length++
		f.End = uint8(w.Step(&chance, 2).End)
	}
	var one Tumble
	if one.See(f, w, true, false, 0); one.Falls() {
		t.Error("a poor answer of a run that has not fallen is played as a fall")
	}
	one.Stays = true
	one.See(f, w, true, false, 0)
	for k := range 4 {
		if !one.Play(time.Duration(k)*fallSymbol+time.Millisecond, false) || one.Outlined() != k || one.Down() {
			t.Errorf("after %d symbols %d are outlines", k, one.Outlined())
		}
	}
	if one.Play(4*fallSymbol, false); one.Outlined() != 4 || !one.Lies() {
		t.Errorf("it does not lie, with %d outlines", one.Outlined())
	}
	one.Stays = false
	one.Play(4*fallSymbol+lieFor, false)
	if one.Play(4*fallSymbol+lieFor+fadeFor, false); one.Falls() || one.Outlined() != 0 {
		t.Error("once helped it still lies")
	}
	good := Tumble{Stays: true}
	w.Reset(&chance)
	writing, _ := envs.WritingOf(w)
	f = &wire.Frame{World: f.World}
	for prompt := writing.Answer().Prompt; f.End == uint8(envs.Running); f.Length++ {
		f.End = uint8(w.Step(&chance, int(prompt[3-f.Length][0]-'a')).End)
	}
	if good.See(f, w, true, false, 0); good.Falls() {
		t.Error("a right answer, written by parameters from before the fall, is erased")
	}
	f.Length = 0
	w.Reset(&chance)
	for f.End = uint8(envs.Running); f.End == uint8(envs.Running); f.Length++ {
		f.End = uint8(w.Step(&chance, 2).End)
	}
	var calm Tumble
	calm.Stays = true
	if calm.See(f, w, true, true, 0); !calm.Lies() || calm.Outlined() != 4 {
		t.Error("without motion it does not lie at once")
	}
}

// A stick falls to the side on which it leans, ever faster, until its tip lies on the floor.
func TestAFallGoesToTheFloorEverFaster(t *testing.T) {
	right, left := Fall(.2), Fall(-.2)
	if len(right) != len(left) || right[len(right)-1] != Lying || left[len(left)-1] != -Lying {
		t.Fatalf("the falls end at %v and %v", right[len(right)-1], left[len(left)-1])
	}
	for i := 2; i < len(right)-1; i++ { // the last interval is cut
		if right[i]-right[i-1] <= right[i-1]-right[i-2] {
			t.Errorf("image %d: the stick slows down: %v", i, right[i-2:i+1])
		}
	}
}

// A body whose episode continues after its fall lies as soon as it has not moved for two seconds, if it should stay. A
// body that runs, or whose run is well, does not lie.
func TestABodyLiesOnceItHasNotMovedForAWhile(t *testing.T) {
	const speed = 2 // m/s
	for _, c := range []struct {
		say         string
		stays, runs bool
		lies        bool
	}{{"limp, in a run that fell", true, false, true}, {"limp, in a run that is well", false, false, false},
		{"running, in a run that fell", true, true, false}} {
		w, err := envs.New("cheetah")
		if err != nil {
			t.Fatal(err)
		}
		chance := envs.NewRand(1, 1)
		w.Reset(&chance)
		body, seconds := bodies.Of(w), float32(1/w.Spec().Rate)
		one, pose := Tumble{Stays: c.stays}, bodies.Pose{}
		for f := (&wire.Frame{World: "cheetah"}); f.Length < 300 && !one.Falls(); {
			if body.Pose(&pose); c.runs {
				body.Push(speed-pose.Speed, 0)
			}
			f.Length++
			f.End = uint8(w.Step(&chance, 0).End)
			one.See(f, w, true, false, time.Duration(float32(f.Length)*seconds*float32(time.Second)))
		}
		if one.Lies() != c.lies {
			t.Errorf("%s: it lies: %v", c.say, one.Lies())
		}
		if c.lies && (one.Length == 0 || one.Length > 100) {
			t.Errorf("%s: it fell after %d steps", c.say, one.Length)
		}
		if one.Play(time.Hour, false) != c.lies {
			t.Errorf("%s: an hour later it lies: %v", c.say, one.Lies())
		}
	}
}

package hyper

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestEveryPresetIsValidAndEveryWorldHasOne(t *testing.T) {
	for _, p := range Presets {
		cfg := p.Config()
		if err := cfg.Validate(); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
	for _, world := range worldNames() {
		if _, err := FromPreset(world); err != nil {
			t.Errorf("a world without a preset: %v", err)
		}
	}
}

func TestEveryRowHasAKeyWordsAndASentence(t *testing.T) {
	seen := map[string]bool{}
	for i := range Table {
		r := &Table[i]
		if r.Key == "" || r.Words == "" || !strings.HasSuffix(r.Sentence, ".") || seen[r.Key] {
			t.Errorf("row %d (%s): key, words and a sentence, each once", i, r.Key)
		}
		if _, err := r.change(r.base); err != nil && r.Key != "world" {
			t.Errorf("%s: base: %v", r.Key, err)
		}
		seen[r.Key] = true
		if r.Numeric() && (r.Max <= r.Min || (r.SliderMax != 0 && r.SliderMin < r.Min)) {
			t.Errorf("%s: allowed %v to %v, slider from %v", r.Key, r.Min, r.Max, r.SliderMin)
		}
	}
}

// anyValue draws a text that the row must take.
func anyValue(t *rapid.T, r *Row) string {
	switch {
	case r.Choices != nil:
		return rapid.SampledFrom(r.Choices).Draw(t, r.Key)
	case r.Key == "tune":
		return rapid.SampledFrom([]string{"all", "none", "gamma", "alpha-alphac-entropy"}).Draw(t, r.Key)
	case !r.Numeric():
		return rapid.SampledFrom([]string{"none", "64-64", "32", "1024-1-7"}).Draw(t, r.Key)
	case r.Whole():
		return r.Format(math.Floor(rapid.Float64Range(r.Min, math.Min(r.Max, 1e6)).Draw(t, r.Key)))
	}
	if r.Same != "" && rapid.Bool().Draw(t, "same") {
		return "same"
	}
	v := rapid.Float64Range(r.Min, math.Min(r.Max, 1e6)).Draw(t, r.Key)
	if r.Open && v == r.Min {
		v = r.SliderMin
	}
	return r.Format(v)
}

func TestTextFormIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a, b Config
		for i := range Table {
			r := &Table[i]
			if err := a.Set(r.Key, anyValue(t, r)); err != nil {
				t.Fatal(err)
			}
			if err := b.Set(r.Key, a.Get(r.Key)); err != nil {
				t.Fatal(err)
			}
		}
		if d := a.Diff(&b); len(d) > 0 {
			t.Fatalf("read back differently: %v", d)
		}
	})
}

func TestRefusalsNameTheKeyAndTheAllowedValues(t *testing.T) {
	for _, c := range []struct{ key, value, want string }{
		{"rho", "-1", "rho=\"-1\": must be a number from 0 to inf"},
		{"lag", "1.5", "lag=\"1.5\": must be a whole number from 0 to 1024"},
		{"lag", "9999", "whole number from 0 to 1024"},
		{"mix", "nan", "from 0 to 1"},
		{"alpha", "inf", "from 0 to 1"},
		{"world", "mras", `unknown world "mras" (impalab worlds lists all)`},
		{"correction", "", "must be one of none, epsilon"},
		{"hidden", "64x64", "widths from 1 to 1024"},
		{"clip", "0", "above 0"},
		{"tune", "gamma-delta", "must be all, none, or names of gamma, lambda"},
		{"tune", "gamma-gamma", "must be all, none, or names"},
		{"colour", "red", "unknown setting \"colour\""},
	} {
		cfg, _ := FromPreset(DefaultPreset)
		before := cfg
		err := cfg.Set(c.key, c.value)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s=%s: %v, want …%s…", c.key, c.value, err, c.want)
		}
		if d := cfg.Diff(&before); len(d) > 0 {
			t.Errorf("%s=%s was refused and still changed %v", c.key, c.value, d)
		}
	}
}

func TestFractionsReadAsNumbers(t *testing.T) {
	cfg, _ := FromPreset("catch")
	if err := cfg.Set("mix", "7/8"); err != nil || cfg.Mix != 0.875 {
		t.Errorf("7/8 is %v (%v)", cfg.Mix, err)
	}
	if err := cfg.Set("mix", "1/0"); err == nil {
		t.Error("1/0 was taken")
	}
}

func TestCombinationsThatMakeNoSenseNameBothSettings(t *testing.T) {
	for _, c := range []struct{ set, want string }{
		{"mix=0.5 replay-size=5", "replay-size=5"},
		{"mode=live lag=3", "lag=3 with mode=live"},
		{"unroll=30 overlap=30", "overlap=30 with unroll=30"},
		{"algo=a2c overlap=1", "algo=a2c with overlap=1"},
		{"lstm=8 memory=unroll overlap=2", "memory=unroll with overlap=2"},
		{"lstm=8 memory=unroll mix=0.5 recall=rebuild", "memory=unroll with recall=rebuild"},
		{"lstm=8 memory=unroll mix=0.5 replay-by=episode", "replay-by=episode with memory=unroll"},
		{"lstm=8 mix=0.5 replay-by=episode recall=burn-in", "replay-by=episode with recall=burn-in"},
		{"world=tiny mix=0.5 replay-by=episode", "replay-by=episode with world=tiny"},
		{"mix=0.5 replay-by=episode replay-size=2079", "copies take 2080 steps"},
		{"world=cartpole init=soft-optimal", "hidden=64-64"},
		{"world=cartpole init=learned", "init=learned with world=cartpole and this network"},
		{"world=cartpole init=learned popart=on", "init=learned with popart=on"},
		{"world=cartpole pixel-control=0.1", "pixel-control=0.1 with world=cartpole"},
		{"world=tiny pixel-control=0.1", "pixel-control=0.1 with world=tiny"},
		{"world=breakout algo=stac pixel-control=0.1", "pixel-control=0.1 with algo=stac"},
		{"world=cliff hidden=none init=soft-optimal pixel-control=0.1", "pixel-control=0.1"},
		{"anneal=linear", "steps=0"},
		{"sampling=prioritised", "algo=impala"},
		{"algo=stac correction=none", "algo=stac with correction=none"},
		{"world=swing-up policy=gaussian sharers=2 sharing=random", "sharing=random with policy=gaussian"},
		{"mode=live sharers=2", "sharers=2 with mode=live"},
		{"algo=laser sampling=prioritised sharers=2", "sharers=2 with sampling=prioritised"},
		{"learners=3", "learners=3 with batch=8"},
		{"inference=batched", "inference=batched with mode=reference"},
		{"collect=trajectory mode=live", "collect=trajectory with mode=live"},
		{"algo=a2c lag=1", "algo=a2c with lag=1"},
		{"algo=a2c mix=0.5", "algo=a2c with mix=0.5"},
		{"algo=a2c mode=live", "algo=a2c with mode=live"},
		{"algo=stacx correction=is", "algo=stacx with correction=is"},
		{"algo=vmpo correction=epsilon", "algo=vmpo with correction=epsilon"},
		{"policy=gaussian", "policy=gaussian with world=cartpole: its actions are names, not numbers; set policy=softmax " +
			"or choose a world with controls ("},
		{"world=pendulum policy=tanh correction=epsilon", "correction=epsilon with policy=tanh"},
		{"world=pendulum policy=gaussian behave=uniform", "behave=uniform with policy=gaussian"},
	} {
		cfg, _ := FromPreset("cartpole")
		for _, pair := range strings.Fields(c.set) {
			k, v, _ := strings.Cut(pair, "=")
			if err := cfg.Set(k, v); err != nil {
				t.Fatal(err)
			}
		}
		if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want …%s…", c.set, err, c.want)
		}
	}
}

func TestALinkIsAPresetAndDifferences(t *testing.T) {
	cfg, preset, unknown, err := FromSettings([]Setting{{"rho", "4"}, {"world", "catch"}, {"wings", "2"}})
	if err != nil || preset != "catch" || cfg.World != "catch" || cfg.RhoBar != 4 || cfg.UnrollLen != 9 {
		t.Errorf("%v %v %v", cfg, preset, err)
	}
	if len(unknown) != 1 || unknown[0] != "wings" {
		t.Errorf("unknown keys are %v", unknown)
	}
	if _, preset, _, _ := FromSettings([]Setting{{"p", "cartpole"}, {"world", "catch"}}); preset != "cartpole" {
		t.Errorf("a named preset must win over a world's own, got %s", preset)
	}
	if _, _, _, err := FromSettings([]Setting{{"p", "nowhere"}}); err == nil ||
		!strings.Contains(err.Error(), "impalab presets") {
		t.Errorf("an unknown preset must say where the known ones are: %v", err)
	}
	if _, _, _, err := FromSettings([]Setting{{"world", "mars"}}); err == nil ||
		!strings.Contains(err.Error(), "impalab worlds") {
		t.Errorf("an unknown world must say where the known ones are: %v", err)
	}
}

func TestSliderPlacesAndValuesAgree(t *testing.T) {
	for i := range Table {
		r := &Table[i]
		if !r.Numeric() || r.SliderMax == 0 {
			continue
		}
		for place := 0.0; place <= 1; place += 0.125 {
			v := r.At(place)
			if v < r.SliderMin || v > r.SliderMax {
				t.Errorf("%s at %v is %v, off the slider", r.Key, place, v)
			}
			if back := r.At(r.Position(v)); math.Abs(back-v) > 0.02*math.Abs(v) {
				t.Errorf("%s: %v goes to %v and back to %v", r.Key, v, r.Position(v), back)
			}
		}
	}
}

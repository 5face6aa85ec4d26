package envs_test

import (
	"strconv"
	"strings"
	"testing"

	"impalab/envs"
	"impalab/envs/envtest"
)

func TestOptionsHaveOneCanonicalForm(t *testing.T) {
	for text, want := range map[string]string{
		"t-maze":                     "t-maze",
		"t-maze:length=10":           "t-maze",
		"t-maze:length=2e1":          "t-maze:length=20",
		"t-maze:length=+20.0":        "t-maze:length=20",
		"deep-sea:noise=1,size=5":    "deep-sea:size=5,noise=1",
		"deep-sea:lot=-0,size=0x1p4": "deep-sea:size=16,lot=0",
		"chain:slip=.25":             "chain:slip=0.25",
	} {
		e, err := envs.Lookup(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if e.Spec.Name != want || e.New().Spec().Name != want {
			t.Errorf("%s is called %s, want %s", text, e.Spec.Name, want)
		}
	}
}

func TestOptionsAreComplete(t *testing.T) {
	for i := range envs.Table {
		e := &envs.Table[i]
		seen := map[string]bool{}
		for _, o := range e.EveryOption() {
			if o.Key == "" || seen[o.Key] || !strings.HasSuffix(o.Sentence, ".") || !(o.Min <= o.Usual && o.Usual <= o.Max) {
				t.Errorf("%s: %+v", e.Spec.Name, o)
			}
			seen[o.Key] = true
		}
	}
}

func TestFalseOptionsAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"t-maze:":                  "length (a whole number from 2 to 1000)",
		"t-maze:width=3":           `no option "width"`,
		"t-maze:length":            "from 2 to 1000",
		"t-maze:length=1":          "from 2 to 1000",
		"t-maze:length=1001":       "from 2 to 1000",
		"t-maze:length=2.5":        "a whole number",
		"t-maze:length=nan":        "a whole number",
		"t-maze:length=5,length=5": "twice",
		"t-maze:length=5,":         `no option ""`,
		"catch:speed=2":            `no option "speed"`,
		"chain:slip=0.5":           "from 0 to 0.4",
		"reverse:length=33":        "from 2 to 32",
		"reverse:symbols=1":        "from 2 to 8",
		"mars:length=3":            `"mars"`,

		"cartpole:limit=500":            "its own limit is 500",
		"catch:rows=1":                  "must be a whole number from 2 to 50",
		"catch:perturb=1":               "its body cannot be changed",
		"catch:sticky=1":                "from 0 to 0.99",
		"deep-sea:size=50,obs-delay=20": "stack or delay less",
	} {
		if _, err := envs.Lookup(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want it to say %s", text, err, want)
		}
	}
}

func TestNamesTooLongToTravelAreRefused(t *testing.T) {
	name := "bandit:left=0.12345678901234567,gap=1.2345678901234567"
	for i, key := range []string{"sticky", "act-noise", "obs-noise", "drop", "stuck", "limit", "repeat", "hold",
		"act-delay", "obs-delay", "reward-delay", "extra"} {
		if i < 5 {
			name += "," + key + "=0.12345678901234567"
		} else {
			name += "," + key + "=7"
		}
	}
	if _, err := envs.Lookup(name); err == nil || !strings.Contains(err.Error(), "at most 255") {
		t.Errorf("%d bytes: error %v", len(name), err)
	}
}

// Worlds of other sizes keep every promise too.
func TestSizedWorldsConform(t *testing.T) {
	for _, name := range []string{
		"t-maze:length=2", "t-maze:length=40", "deep-sea:size=4,lot=0", "deep-sea:size=6,noise=1",
		"chain:length=4", "chain:length=60,slip=0.3", "bandit:left=-3,gap=0.5", "garnet:states=20,actions=2,seed=5",
		"catch:rows=2,columns=2", "catch:rows=20,columns=9", "catch:rows=3,columns=50",
		"reverse:length=2,symbols=2", "reverse:length=32,symbols=8", "reverse:length=12",
	} {
		e, err := envs.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) { envtest.Run(t, e) })
	}
}

// A name comes from a link. Every name that Lookup accepts has one canonical form, which leads to the same world.
func FuzzLookup(f *testing.F) {
	for _, name := range []string{"catch", "t-maze:length=20", "deep-sea:size=5,lot=0,noise=1", "chain:slip=.1,",
		"garnet:states=1e2,seed=0x1p3", "cartpole:challenge=3,stack=2", "pendulum:limit=9,normalise=1"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		e, err := envs.Lookup(name)
		if err != nil {
			return
		}
		again, err := envs.Lookup(e.Spec.Name)
		if err != nil {
			t.Fatalf("%q gave the name %q: %v", name, e.Spec.Name, err)
		}
		if again.Spec.Name != e.Spec.Name || again.Spec.Size() != e.Spec.Size() ||
			len(again.Spec.Actions) != len(e.Spec.Actions) || len(e.Spec.Name) > envs.MaxName {
			t.Fatalf("%q is %q, and that is %q", name, e.Spec.Name, again.Spec.Name)
		}
		w, r := e.New(), envs.NewRand(1, 0)
		w.Reset(&r)
		w.Step(&r, 0)
		if err := e.New().SetState(w.State(nil)); err != nil {
			t.Fatal(err)
		}
	})
}

func TestOneOptionChangesAndTheNameStaysCanonical(t *testing.T) {
	for _, c := range []struct{ name, key, value, want string }{
		{"t-maze", "length", "20", "t-maze:length=20"}, {"t-maze:length=20", "length", "30", "t-maze:length=30"},
		{"t-maze:length=20", "length", "10", "t-maze"}, // as usual
		{"chain:slip=0.1", "length", "9", "chain:length=9,slip=0.1"}, {"chain:length=9,slip=0.1", "slip", "0",
			"chain:length=9"},
	} {
		got, err := envs.With(c.name, c.key, c.value)
		if err != nil || got != c.want {
			t.Errorf("%s with %s=%s is %q (%v), want %q", c.name, c.key, c.value, got, err, c.want)
		}
		options, values, err := envs.Chosen(got)
		if err != nil || len(options) != len(values) {
			t.Fatal(err)
		}
		for i, o := range options {
			if o.Key == c.key && strconv.FormatFloat(values[i], 'g', -1, 64) != c.value {
				t.Errorf("%s has %s=%v", got, o.Key, values[i])
			}
		}
	}
	for _, c := range []struct{ name, key, value, want string }{
		{"t-maze", "length", "1", "t-maze:length="}, {"t-maze", "length", "", "t-maze:length="},
		{"t-maze", "wings", "2", "wings"},
		{"cartpole", "length", "2", "it has none"}, {"t-maze", "length", "20,length=30", "twice"},
		{"nowhere", "length", "2", "unknown world"},
	} {
		if got, err := envs.With(c.name, c.key, c.value); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %s=%s is %q, %v; the error should say %q", c.name, c.key, c.value, got, err, c.want)
		}
	}
}

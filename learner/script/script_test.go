package script

import (
	"math"
	"strings"
	"sync"
	"testing"
)

func compile(t *testing.T, source string) *Function {
	t.Helper()
	f, err := Compile(source, "weight", "ratio", "adv")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestAProgramComputesWithFloat64(t *testing.T) {
	for _, c := range []struct {
		source string
		want   float64
	}{
		{"def weight(ratio, adv): return min(1, ratio)", 1},
		{"def weight(ratio, adv): return ratio if adv >= 0 else 0", 0},
		{"def weight(ratio, adv): return 7 // 2 + 7 % 4 + 1 / 4", 3 + 3 + .25},
		{"def weight(ratio, adv): return exp(log(ratio)) + sqrt(abs(-4))", math.Exp(math.Log(3)) + 2},
		{"def weight(ratio, adv): return 100000000000000000000 * ratio", 3e20},
		{"top = 2\ndef half(x):\n  return x / 2\ndef weight(ratio, adv):\n  return max(top, half(ratio))", 2},
		{"def weight(ratio, adv):\n  n = 0\n  for i in range(4):\n    if i == 2:\n      continue\n    n += i\n  return n\n",
			4},
		{"def weight(ratio, adv):\n  return 2 if ratio > 1 and not adv > 0 or False else 3", 2},
	} {
		source, want := c.source, c.want
		got, err := compile(t, source).Calls().Call(3, -1)
		if err != nil || got != want {
			t.Errorf("%q gives %v, %v, want %v", source, got, err, want)
		}
	}
}

// Each program is refused, or fails in a call, with the line of its fault and within a bounded number of steps.
func TestEveryFaultIsASentenceWithItsLine(t *testing.T) {
	const begin = "def weight(ratio, adv):\n"
	for source, want := range map[string]string{
		"":                                     "it defines no function def weight(ratio, adv)",
		"def weight(ratio): return 1":          "it defines no function def weight(ratio, adv)",
		"def weight(*all): return 1":           "line 1: * is not available",
		"weight = 3":                           "it defines no function",
		"ratio und adv":                        "line 1: got identifier",
		begin + "  return agee":                "line 2: there is no agee here; a program can use ratio, adv, and abs, exp",
		begin + "  return str(ratio)":          "line 2: there is no str here",
		begin + "  print(ratio)":               "line 2: there is no print here",
		begin + "  return 'one'":               "line 2: texts are not available",
		begin + "  return [0] * 1000000000":    "line 2: lists are not available",
		begin + "  return (1, 2)":              "line 2: lists are not available",
		begin + "  return {1: 2}":              "line 2: lists are not available",
		begin + "  return [x for x in adv]":    "line 2: lists are not available",
		begin + "  return (lambda: 1)()":       "line 2: only numbers, names",
		begin + "  return 1 << 400":            "line 2: << is not available",
		begin + "  return min(1, 2, key=abs)":  "line 2: = is not available",
		begin + "  while True:\n    pass":      "line 2",
		"load('a', 'b')\n" + begin + "  pass":  "line 1",
		begin + "  return weight(ratio, adv)":  "line 2: function weight called recursively",
		begin + "  return ratio / 0":           "line 2: floating-point division by zero",
		begin + "  return ratio + (ratio > 1)": "line 2: unknown binary op",
		begin + "  return range(3) + range(3)": "line 2: unknown binary op",
		begin + "  return ratio > 1":           "it returned True, not a number",
		begin + "  pass":                       "it returned None, not a number",
		begin + "  return range(3)":            "it returned range(3), not a number",
		begin + "  for i in range(1e300):\n    ratio += i\n  return ratio":          "line 2: stopped after 1000 steps",
		begin + "  for i in range(99):\n    for k in range(99):\n      adv *= 2\n":  "stopped after 1000 steps",
		"# " + strings.Repeat("long ", 20_000):                                      "it has 100002 bytes, and at most 4000",
		begin + "  return " + strings.Repeat("(", 1500) + strings.Repeat(")", 1500): "line 2",
	} {
		f, err := Compile(source, "weight", "ratio", "adv")
		if err == nil {
			_, err = f.Calls().Call(3, -1)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80q: %v, want %q", source, err, want)
		}
	}
}

func TestAFunctionKnowsWhatItReads(t *testing.T) {
	f := compile(t, "def weight(ratio, adv):\n  # ratio\n  return 1 if adv > 0 else 0\n")
	if f.Reads("ratio") != 0 || f.Reads("adv") != 3 || f.Reads("nothing") != 0 {
		t.Error("ratio", f.Reads("ratio"), "adv", f.Reads("adv"), "nothing", f.Reads("nothing"))
	}
}

// A call leaves nothing behind, and calls from several goroutines give what calls from one give.
func TestCallsDoNotMeet(t *testing.T) {
	f := compile(t, "def weight(ratio, adv):\n  for i in range(20):\n    ratio += adv\n  return ratio\n")
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			calls := f.Calls()
			for i := range 500 {
				if got, err := calls.Call(float64(i), 1); err != nil || got != float64(i+20) {
					t.Errorf("call %d: %v, %v", i, got, err)
					return
				}
			}
		})
	}
	all.Wait()
}

// No text stops the process, and no number but a float64 comes back.
func FuzzCompile(f *testing.F) {
	for _, source := range []string{
		"def weight(ratio, adv): return min(1, ratio)",
		"def weight(ratio, adv):\n  for i in range(1e9):\n    ratio = ratio * ratio + i % 3 // 2\n  return -ratio",
		"x = 1\ndef f(a): return a if a > x else f\ndef weight(ratio, adv): return f(adv)(ratio)",
		"def weight(ratio, adv=range(3)): return abs(adv)",
	} {
		f.Add(source, 2.5, -1.0)
	}
	f.Fuzz(func(t *testing.T, source string, ratio, adv float64) {
		compiled, err := Compile(source, "weight", "ratio", "adv")
		if err == nil {
			_, err = compiled.Calls().Call(ratio, adv)
		}
		if err != nil && err.Error() == "" {
			t.Error("a fault without words")
		}
	})
}

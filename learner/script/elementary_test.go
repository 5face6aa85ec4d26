package script

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"testing"
)

// Numbers of a program are the same on a server and in a browser: this hash is pinned, and the test runs in node too.
func TestAProgramHasTheSameBitsOnEveryMachine(t *testing.T) {
	calls := compile(t, "def weight(ratio, adv):\n    smooth = exp(adv) + log(ratio) * sqrt(ratio)\n"+
		"    return smooth + (ratio // 0.3) * (ratio % 0.7) - min(adv, ratio) / max(1, ratio)\n").Calls()
	sum := fnv.New64a()
	for i := range 20_000 {
		ratio, adv := math.Ldexp(1+float64(i)/20_000, i%21-10), float64(i%401-200)/7
		got, err := calls.Call(ratio, adv)
		if err != nil {
			t.Fatal(err)
		}
		binary.Write(sum, binary.LittleEndian, got)
	}
	if got, want := fmt.Sprintf("%016x", sum.Sum64()), "aaca92c7daad04f6"; got != want {
		t.Errorf("the numbers have the hash %s, want %s", got, want)
	}
}

func TestElementaryFunctionsAreExactToThreeUnits(t *testing.T) {
	near := func(name string, x, got, want float64) {
		if !(math.Abs(got-want) <= 3*math.Abs(math.Nextafter(want, math.Inf(1))-want)) && got != want {
			t.Errorf("%s(%g) is %v, want %v", name, x, got, want)
		}
	}
	for i := range 20_000 {
		x := float64(i-10_000) / 15
		near("exp", x, Exp(x), math.Exp(x))
		y := math.Ldexp(1+float64(i%997)/997, i%201-100)
		if math.Abs(math.Log(y)) > .1 { // near 1 both are exact to a unit of x
			near("log", y, logarithm(y), math.Log(y))
		}
	}
	top := math.Inf(1)
	for x, want := range map[float64]float64{0: 1, top: top, -top: 0, 1000: top, -1000: 0} {
		near("exp", x, Exp(x), want)
	}
	for x, want := range map[float64]float64{1: 0, 0: -top, top: top} {
		near("log", x, logarithm(x), want)
	}
	if !math.IsNaN(logarithm(-1)) || !math.IsNaN(Exp(math.NaN())) || !math.IsNaN(logarithm(math.NaN())) {
		t.Error("a number that is none has an exponential or a logarithm")
	}
}

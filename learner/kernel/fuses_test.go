package kernel

import (
	"math"
	"runtime"
	"testing"
)

func TestAFusedProductAndSumIsToldFromARoundedOne(t *testing.T) {
	x, y, z := 1+0x1p-30, 1-0x1p-30, -1.
	if once, twice := math.FMA(x, y, z), float64(x*y)+z; once == twice {
		t.Fatalf("%v rounded once and twice: nothing to tell them by", once)
	}
	if runtime.GOARCH == "wasm" && fuses(x, y, z) {
		t.Error("a browser fuses")
	}
	if want := Plain; !compilerFuses && inGo.Arithmetic() != want {
		t.Errorf("a build that does not fuse is %s, want %s", inGo.Arithmetic(), want)
	}
}

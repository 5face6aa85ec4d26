package kernel

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/rand/v2"
	"testing"
)

// plainBits is how the SHA-256 of each routine's results in plain arithmetic begins: on any processor, and in a browser
// with vectors (-tags simd128) and without.
var plainBits = map[string]string{
	"MatMul": "b4e4bd361512afc1", "MatMulAT": "b3381560045d139c", "MatMulBT": "f169e7fa550af5f3",
	"Conv": "d534cfa2a222ec93", "Pool": "b5beda9fee7996fd", "ColSum": "64586ae9385d58d1",
	"Exp": "6d81312ec65a8c45", "TanhOf": "f861e47af30eae79", "Sigmoid": "ae6f1824e9b55f51",
	"Add": "27b52d51e34abfcb", "Scale": "ef03b434b19288e8", "Dot": "95e0f0db9b46134c",
	"RMSProp": "6b753f08115aab21", "RMSPropMomentum": "9211a44a9369721a", "Adam": "6c4f6687cda05f03",
	"LSTM": "e513ad97c37345f4", "BiasAct Identity": "46f0f5a37c0cbb8f", "ActGrad Identity": "54fd4504d6d50a48",
	"BiasAct ReLU": "59a1c3fb13c6c5de", "ActGrad ReLU": "71e440e3d71c3564", "BiasAct Tanh": "54e88b2de2ee08d9",
	"ActGrad Tanh": "133ce325cef3eb8d", "BiasAct Sigmoid": "1caca98b39c8a66f", "ActGrad Sigmoid": "5ba24fdca8b31047",
	"Attention": "2340e07325ed5afb", "Norm": "610319082defbb29", "Multiply": "6c8575b69f7f47dd",
}

func TestPlainArithmeticHasTheSameBitsEverywhere(t *testing.T) {
	defer Use(levelGo)()
	seen := map[string]bool{}
	for _, f := range routines() {
		sum := sha256.New()
		for seed := range uint64(200) {
			for _, v := range f.run(Auto, rand.New(rand.NewPCG(seed, 9))) {
				sum.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(v)))
			}
		}
		got := hex.EncodeToString(sum.Sum(nil))[:16]
		if want := plainBits[f.name]; got != want {
			t.Errorf("%q: %q, want %q", f.name, got, want)
		}
		seen[f.name] = true
	}
	for name := range plainBits {
		if !seen[name] {
			t.Errorf("%s has bits, and no routine", name)
		}
	}
}

package envs_test

import (
	"strings"
	"testing"

	"impalab/envs"
	"impalab/envs/envtest"
)

func TestWorldsConform(t *testing.T) {
	for i := range envs.Table {
		t.Run(envs.Table[i].Spec.Name, func(t *testing.T) { envtest.Run(t, &envs.Table[i]) })
	}
}

func TestUnknownWorldIsNamed(t *testing.T) {
	_, err := envs.New("chess")
	if err == nil || !strings.Contains(err.Error(), `"chess"`) || !strings.Contains(err.Error(), "catch, cartpole") {
		t.Errorf("error %v: want it to name the world and those there are", err)
	}
	if _, err := envs.NewVector("catch", 0, 1); err == nil || !strings.Contains(err.Error(), "65536") {
		t.Errorf("error %v: want it to say how many copies are allowed", err)
	}
}

// Bytes come from anywhere: no world may panic on them.
func FuzzState(f *testing.F) {
	for i := range envs.Table {
		w, r := envs.Table[i].New(), envs.NewRand(1, 0)
		w.Reset(&r)
		f.Add(uint8(i), w.State(nil))
	}
	f.Fuzz(func(t *testing.T, world uint8, src []byte) {
		if err := envtest.Feed(envs.Table[int(world)%len(envs.Table)].New(), src); err != nil {
			t.Error(err)
		}
	})
}

func FuzzVectorState(f *testing.F) {
	for i := range envs.Table {
		v, err := envs.Table[i].Vector(2, 1)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(i), v.State(nil))
	}
	f.Fuzz(func(t *testing.T, world uint8, src []byte) {
		v, err := envs.Table[int(world)%len(envs.Table)].Vector(2, 1)
		if err != nil {
			t.Fatal(err)
		}
		if v.SetState(src) == nil && string(v.State(nil)) != string(src) {
			t.Error("accepted, but comes out as other bytes")
		}
	})
}

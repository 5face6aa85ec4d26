package envs_test

import (
	"strings"
	"testing"

	"impalab/envs"
	"impalab/envs/envtest"
)

func TestWorldsConform(t *testing.T) {
	for i := range envs.Table {
		t.Run(envs.Table[i].Spec.Name, func(t *testing.T) {
			if name := envs.Table[i].Spec.Name; !slow && strings.HasPrefix(name, "rooms-") && name != "rooms-collect" {
				t.Skip("the rooms have one eye and one way to walk: one of the five stands for all until make check")
			}
			envtest.Run(t, &envs.Table[i])
		})
	}
}

func TestUnknownWorldIsNamed(t *testing.T) {
	_, err := envs.New("chess")
	if err == nil || err.Error() != `unknown world "chess"` {
		t.Errorf("error %v: must name the world", err)
	}
	if _, err := envs.NewVector("catch", 0, 1); err == nil || !strings.Contains(err.Error(), "65536") {
		t.Errorf("error %v: want it to say how many copies are allowed", err)
	}
}

// fuzzed lists the worlds that get arbitrary bytes: every world, and wrapped ones.
func fuzzed(f *testing.F) []*envs.Entry {
	var all []*envs.Entry
	for i := range envs.Table {
		all = append(all, &envs.Table[i])
	}
	for _, name := range wrappedNames {
		all = append(all, lookup(f, name))
	}
	return all
}

// Bytes come from anywhere: no world may panic on them.
func FuzzState(f *testing.F) {
	worlds := fuzzed(f)
	for i, e := range worlds {
		w, r := e.New(), envs.NewRand(1, 0)
		w.Reset(&r)
		f.Add(uint8(i), w.State(nil))
	}
	f.Fuzz(func(t *testing.T, world uint8, src []byte) {
		if err := envtest.Feed(worlds[int(world)%len(worlds)].New(), src); err != nil {
			t.Error(err)
		}
	})
}

func FuzzVectorState(f *testing.F) {
	worlds := fuzzed(f)
	for i, e := range worlds {
		v, err := e.Vector(2, 1)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(i), v.State(nil))
	}
	f.Fuzz(func(t *testing.T, world uint8, src []byte) {
		v, err := worlds[int(world)%len(worlds)].Vector(2, 1)
		if err != nil {
			t.Fatal(err)
		}
		if v.SetState(src) == nil && string(v.State(nil)) != string(src) {
			t.Error("accepted, but comes out as other bytes")
		}
	})
}

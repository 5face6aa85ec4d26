package envs_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"impalab/envs"
)

// suites is all of them, their scores filled in.
func suites(t *testing.T) []*envs.Suite {
	var all []*envs.Suite
	for i := range envs.Suites {
		s, err := envs.LookupSuite(envs.Suites[i].Name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	return all
}

func TestScoreIsNormalisedAndCapped(t *testing.T) {
	for _, s := range suites(t) {
		for _, task := range s.Tasks {
			if !(task.Random < task.Reference) {
				t.Errorf("%s, %s: random %v, reference %v", s.Name, task.World, task.Random, task.Reference)
			}
			half := (task.Random + task.Reference) / 2
			for mean, want := range map[float64]float64{task.Random: 0, half: .5, task.Reference: 1, task.Reference + 1: 1} {
				if got := task.Score(mean); got < want-1e-12 || got > want+1e-12 {
					t.Errorf("%s, %s: a return of %v scores %v, want %v", s.Name, task.World, mean, got, want)
				}
			}
			if task.Score(task.Random-1) >= 0 {
				t.Errorf("%s, %s: worse than chance must show", s.Name, task.World)
			}
		}
	}
}

// Copy i of a suite is copy i of its task's world, to the bit, with zeros where its observation has nothing.
func TestSuitePlaysItsWorlds(t *testing.T) {
	const seed = 3
	for _, s := range suites(t) {
		n := 2*len(s.Tasks) + 1
		v, err := s.Vector(n, seed)
		if err != nil {
			t.Fatal(err)
		}
		worlds, chance := make([]envs.World, n), make([]envs.Rand, n)
		for i := range worlds {
			if v.Task(i) != i%len(s.Tasks) {
				t.Fatalf("copy %d plays task %d", i, v.Task(i))
			}
			worlds[i], err = envs.New(s.Tasks[v.Task(i)].World)
			if err != nil {
				t.Fatal(err)
			}
			chance[i] = envs.NewRand(seed, uint64(i))
			worlds[i].Reset(&chance[i])
		}
		spec := v.Spec()
		size := spec.Size()
		obs, want, out, actions := make([]float32, n*size), make([]float32, size), make([]envs.Outcome, n), make([]int32, n)
		policy := envs.NewRand(seed, 99)
		for range 400 {
			for i := range actions {
				actions[i] = int32(policy.IntN(len(v.Spec().Actions)))
			}
			v.Step(actions, out)
			for i := range obs {
				obs[i] = 7 // the earlier contents must go
			}
			v.Observe(obs)
			for i, w := range worlds {
				action := int(actions[i])
				if action >= len(w.Spec().Actions) {
					action = 0
				}
				if alone := w.Step(&chance[i], action); alone != out[i] {
					t.Fatalf("%s: copy %d gave %v, alone %v", s.Name, i, out[i], alone)
				}
				if out[i].End != envs.Running {
					w.Reset(&chance[i])
				}
				clear(want)
				alone := make([]float32, w.Spec().Size())
				w.Observe(alone)
				for k, v := range alone { // an image keeps its pixels and gains channels, anything else gains a tail
					if image := spec.Obs; len(image) == 3 {
						have := w.Spec().Obs[2]
						k = k/have*image[2] + k%have
					}
					want[k] = v
				}
				if !slices.Equal(obs[i*size:(i+1)*size], want) {
					t.Fatalf("%s: copy %d sees something else than alone", s.Name, i)
				}
			}
		}
		blob := v.State(nil)
		again, err := s.Vector(n, seed+1)
		if err != nil {
			t.Fatal(err)
		}
		if err := again.SetState(blob); err != nil || !bytes.Equal(again.State(nil), blob) {
			t.Errorf("%s: its own state was refused, or came out as another: %v", s.Name, err)
		}
	}
}

func TestSuitesOfImagesAreImages(t *testing.T) {
	for name, want := range map[string][]int{"grid-5": {10, 10, 10}, "rooms-5": {36, 48, 4}, "tiny": {-1}} {
		spec, _, err := envs.Describe(name)
		if err != nil || len(spec.Obs) != len(want) || len(want) == 3 && !slices.Equal(spec.Obs, want) {
			t.Errorf("%s shows %v (%v), want %v", name, spec.Obs, err, want)
		}
	}
}

func TestFalseSuitesAreNamed(t *testing.T) {
	if _, err := envs.LookupSuite("atari-57"); err == nil || !strings.Contains(err.Error(), "tiny, control-7") {
		t.Errorf("error %v: want it to name the suites", err)
	}
	s, err := envs.LookupSuite("tiny")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Vector(5, 1); err == nil || !strings.Contains(err.Error(), "6 to 65536") {
		t.Errorf("error %v: want it to say how many copies are allowed", err)
	}
	if _, err := envs.Lookup("tiny"); err == nil {
		t.Error("a suite is not a world")
	}
}

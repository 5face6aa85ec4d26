package learner

import (
	"strings"
	"sync"
	"testing"

	"impalab/internal/kit"
	"impalab/learner/kernel"
)

// What short runs come to in plain arithmetic, on any amd64, with vectors or without, and in a browser; and what the
// same runs come to in fused arithmetic.
var arithmetics = []struct{ preset, changes, plain, fused string }{
	{"cartpole", "steps=6000", "5319a2ac80891136", "5caa85621947774f"},
	{"stac-lag", "steps=3000", "a24b0c22933c84b4", "3e28fc79a790b6e7"},
	{"vmpo", "steps=3000", "c6d94ce15c2aa3e6", "b5c19f6ec0e909e6"},
	{"laser", "steps=3000", "bf421979b5aabb3b", "dd52a926a1541878"},
	{"vmpo-pendulum", "steps=3000", "f9c076ba19fa77cc", "e1d2a4acab86721e"},
	{"walker", "steps=3000 eps-eta=0.1 eps-mean=0.02 mix=0 lr=0.001 lambda=1", "4fc2b972e094035a", "96f281d310710c27"},
	{"catch", "steps=2000 torso=shallow hidden=8", "867ab19a1a2f3a25", "9814ad1c3a613452"},
	{"catch", "steps=200 torso=deep hidden=none torsos=separate", "76bcba1e9a3d4da6", "68a3262a7ca2d92c"},
	{"stacx", "steps=1000 heads=2 learners=2 head-hidden=8 lstm=4", "95e43cf3b36605e5", "c6c591647214e359"},
	{"a2c", "steps=2000 optimiser=rmsprop momentum=0.9", "4cbf10b6d57f47ce", "b816bac387a8b532"},
	{"catch", "steps=2000 lstm=8 popart=on optimiser=adam", "cd7b46def3944ad1", "a34d2afa4dda1713"},
	{"t-maze", "steps=2000 lstm=0 trxl=8 core-layers=2 core-memory=6", "2f9dc865a0f887e4", "46db5f95d06dd9c8"},
	{"breakout", "steps=1000 pixel-control=0.01 pixel-cell=2 hidden=8", "900882cedf5fe702", "218a1bbe2bdfef9a"},
	{"catch", "steps=2000 lstm=8 core-layers=2", "bd0e2a0cbfa30d1d", "5eeffda6b7f7a048"},
}

func TestRunsSideBySideHaveTheBytesOfTheirOwnArithmetic(t *testing.T) {
	for _, c := range arithmetics {
		var all sync.WaitGroup
		for arithmetic, want := range map[string]string{kernel.Plain: c.plain, kernel.Fused: c.fused} {
			if _, err := kernel.In(arithmetic); err != nil {
				t.Logf("%s is left out: %v", arithmetic, err)
				continue
			}
			cfg := kit.Config(t, c.preset, "seed=1101 hidden=16 batch=4 "+c.changes+" arithmetic="+arithmetic)
			all.Go(func() {
				l, err := New(cfg)
				if err != nil {
					t.Error(err)
					return
				}
				defer l.Close()
				result, err := l.Run(t.Context(), Hooks{})
				if err != nil || result.Arithmetic != arithmetic || !strings.HasPrefix(result.ParamsSHA256, want) {
					t.Errorf("%s %s: %.16s in %s arithmetic, %v; want %.16s in %s", c.preset, c.changes, result.ParamsSHA256,
						result.Arithmetic, err, want, arithmetic)
				}
			})
		}
		all.Wait()
	}
}

func TestARunContinuesInItsFirstArithmetic(t *testing.T) {
	if len(kernel.Vectors()) == 0 {
		t.Skip("this machine has one arithmetic")
	}
	cfg := kit.Config(t, "cartpole", "seed=1101 hidden=16 batch=4 steps=6000")
	restore := kernel.Use("go") // a browser, whose settings leave the arithmetic to the machine
	var blob []byte
	train(t, cfg, Hooks{Between: func(l *Learner) (err error) {
		if l.Updates() == 30 {
			blob, err = l.Snapshot()
		}
		return err
	}})
	restore()
	l, err := Resume(blob)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	result, err := l.Run(t.Context(), Hooks{})
	if err != nil || result.Arithmetic != kernel.Plain || !strings.HasPrefix(result.ParamsSHA256, arithmetics[0].plain) {
		t.Errorf("%.16s in %s arithmetic, %v", result.ParamsSHA256, result.Arithmetic, err)
	}
}

func TestAMissingArithmeticIsRefusedByName(t *testing.T) {
	defer kernel.Use("go")()
	l, err := New(kit.Config(t, "catch", "arithmetic=fused"))
	if err == nil {
		l.Close()
		t.Fatal("taken")
	}
	if want := "arithmetic=fused: this machine and build compute in plain"; !strings.HasPrefix(err.Error(), want) ||
		!strings.HasSuffix(err.Error(), "set arithmetic=auto") {
		t.Errorf("%v, want %s…", err, want)
	}
}

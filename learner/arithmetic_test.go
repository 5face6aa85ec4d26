package learner

import (
	"strings"
	"sync"
	"testing"

	"impalab/internal/kit"
	"impalab/learner/kernel"
)

// What short runs come to in plain arithmetic, on any machine, with vectors or without, and in a browser; and what the
// same runs come to in fused arithmetic, on any machine with vectors.
var arithmetics = []struct{ preset, changes, plain, fused string }{
	{"cartpole", "steps=6000", "d5f9622646d7330c", "679e0ba22de5e883"},
	{"stac-lag", "steps=3000", "244ee2e8e6bc3017", "d86ac4604892bd4f"},
	{"vmpo", "steps=3000", "5a8d780251fd6914", "081dbd21e1b66f76"},
	{"laser", "steps=3000", "80f2e8f551734476", "a8ce878e885c99b1"},
	{"vmpo-pendulum", "steps=3000", "0dc442828a071cf9", "5f18da19c120766e"},
	{"walker", "steps=3000 eps-eta=0.1 eps-mean=0.02 mix=0 lr=0.001 lambda=1", "ae7586ed6118f20e", "20ca3c1f2534921d"},
	{"catch", "steps=2000 torso=shallow hidden=8", "53f7d9517d6bb045", "2cd8aae1b8deea2b"},
	{"catch", "steps=200 torso=deep hidden=none torsos=separate", "f0b82082dd0d8e06", "b2870268664f2375"},
	{"stacx", "steps=1000 heads=2 learners=2 head-hidden=8 lstm=4", "72fb8941235473f1", "26ba72695e17b13f"},
	{"a2c", "steps=2000 optimiser=rmsprop momentum=0.9", "a31bf29552b524d6", "cec9e10a9d45966f"},
	{"catch", "steps=2000 lstm=8 popart=on optimiser=adam", "9885978f468e86a6", "6041a532069d264d"},
	{"t-maze", "steps=2000 lstm=0 trxl=8 core-layers=2 core-memory=6", "f94ce3d44b79f156", "c05b114ccb8da4b2"},
	{"breakout", "steps=1000 pixel-control=0.01 pixel-cell=2 hidden=8", "28a0acbb40d06309", "eec4c8bf4b7c844a"},
	{"catch", "steps=2000 lstm=8 core-layers=2", "66f7b5a2f3dd7f13", "dd71a70f510d1f51"},
	{"lag-cliff", "steps=3000 correction=taper ratio=response", "b21224686f36aeb9", "e9e057151c20dc02"},
	{"lag-cliff", "steps=3000 correction=clip ratio=mean lift=0.5", "e024c7e2d122886a", "dab2806b213a7dd6"},
	{"lag-cliff", "steps=3000 correction=band floor=0.9 ceiling=1.1", "c19f7b91fb7ed225", "f69420d912a56649"},
	{"lag-cliff", "steps=3000 correction=moment moment=0.001", "5fc19c64a8fb686d", "10a0ad7b8c8806a2"},
	{"catch", "steps=2000 correction=shift shift=0.02 lag=4", "f9ebf51f73007d99", "4caa96fe0e6b3d36"},
	{"lag-cliff", "steps=3000 correction=centred centre=bad", "de43e4d868decc90", "7e4d70adbd212eef"},
	{"reverse-late", "steps=3000", "9d0c0d858b56fd4b", "df13703780696b9f"},
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

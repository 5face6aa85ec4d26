package attack

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"impalab/learner/correct"
	"impalab/learner/script"
)

// longestLoop returns a program that uses all steps of a call: one more round of its loop is refused. Its text is as
// long as a program may be.
func longestLoop() (text string, rounds int) {
	of := func(rounds int) string {
		return fmt.Sprintf("def weight(ratio, adv, pi, mu, age):\n    x = ratio\n    for i in range(%d):\n"+
			"        x = x + sqrt(abs(x)) / 1e300\n    return min(1, x)\n#", rounds)
	}
	for ; ; rounds++ {
		next := of(rounds + 1)
		f, err := script.Compile(next, correct.OwnName, correct.OwnParameters...)
		if err == nil {
			_, err = f.Calls().Call(1, 1, .5, .5, 1)
		}
		if err != nil {
			text = of(rounds)
			return text + strings.Repeat("#", script.MaxBytes-len(text)), rounds
		}
	}
}

// refusedPrograms ask for more than a program may have.
var refusedPrograms = []string{
	"def weight(ratio, adv, pi, mu, age):\n    return weight(ratio, adv, pi, mu, age)",
	"def weight(ratio, adv, pi, mu, age):\n    x = [0] * 1000000000\n    return 1",
	"def weight(ratio, adv, pi, mu, age):\n    return " + strings.Repeat("(", 1900) + "1" + strings.Repeat(")", 1900),
	"def weight(ratio, adv, pi, mu, age): return 1\n#" + strings.Repeat("x", 100_000),
}

// hostilePrograms begins runs and sweeps of one address whose corrections use all the steps that a call may take.
// Thirty ordinary runs of other addresses train beside them.
func hostilePrograms(ctx context.Context, t *target) error {
	const memory, ordinary = 500e6, 30
	if err := t.again(ctx, nil, "--max-memory", "500"); err != nil {
		return err
	}
	defer func() { t.more = nil }()
	program, rounds := longestLoop()
	body := func(program string, seed int) map[string]any {
		return map[string]any{"preset": "lag-cliff", "speed": "inf", "steps": 1e8, "seed": seed, "settings": map[string]any{
			"correction": "own", "program": program, "batch": 64, "unroll": 64}}
	}
	if _, _, err := t.caller(attacker).run(ctx, 1, body(program, 1)); err != nil {
		return fmt.Errorf("a program of %d rounds: %w", rounds, err)
	}
	for i := range ordinary {
		if _, _, err := t.caller(stranger+1+i%15).run(ctx, 0, map[string]any{"preset": "catch", "speed": 4000,
			"steps": 1e6, "seed": i + 1}); err != nil {
			return fmt.Errorf("an ordinary run: %w", err)
		}
	}
	var runs, sweeps, refused atomic.Int64
	s, err := t.besiege(ctx, 20*time.Second, func(during context.Context) {
		evil := t.caller(attacker)
		var gone sync.WaitGroup
		send := func(path string, asked map[string]any, taken *atomic.Int64) {
			if status, err := evil.call(during, "POST", path, "", asked, nil); err == nil {
				taken.Add(1)
			} else if status >= http.StatusBadRequest {
				refused.Add(1)
			}
		}
		for k := range 8 {
			gone.Go(func() { // ends with during
				for n := 0; during.Err() == nil; n++ {
					switch n % 4 {
					case 0:
						send("/runs", body(refusedPrograms[(k+n/4)%len(refusedPrograms)], 1), &runs)
					case 1:
						asked := body(program, 1)
						delete(asked, "seed")
						delete(asked, "speed")
						asked["seeds"], asked["steps"] = "1-4", 1e6
						send("/sweeps", asked, &sweeps)
					default:
						send("/runs", body(program, 100*k+n), &runs)
					}
					sleep(during, 50*time.Millisecond)
				}
			})
		}
		gone.Wait()
	})
	fmt.Printf("      a loop of %d rounds; %d runs and %d sweeps were begun, %d requests refused\n", rounds, runs.Load(),
		sweeps.Load(), refused.Load())
	switch {
	case err != nil:
		return err
	case runs.Load() < 10 || sweeps.Load() < 4 || refused.Load() == 0:
		return errors.New("too few were begun or refused, so this shows nothing")
	}
	return s.held(memory)
}

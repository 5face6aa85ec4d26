package exercise

// Known answers with the results of their runs and their verdicts. A different result or verdict is a bug.

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"

	"impalab/learner/trial"
)

var (
	exercises = flag.String("exercises", "", "train and judge the known answers to this exercise, or to all")
	measure   = flag.Bool("measure", false, "store the returns of these runs as those of the known answers")
	jobs      = flag.Int("jobs", runtime.GOMAXPROCS(0), "runs at a time")
)

// errDiffers says that a result differs from the stored one. The lines that differ were printed.
var errDiffers = errors.New("some results differ from the stored ones; see DIFFERS above")

// Known is an answer, the results of its runs, and its verdict.
type Known struct {
	Exercise string    `json:"exercise"`
	Good     bool      `json:"good"`
	Answer   Answer    `json:"answer"`
	Sets     []Runs    `json:"sets,omitempty"`   // of an exercise that runs decide
	Credit   []float64 `json:"credit,omitempty"` // possible ones; a good answer has 1
	Says     string    `json:"says"`             // part of its sentence
}

// Runs are the results of seeds.
type Runs struct {
	Seeds   string    `json:"seeds"`   // like 2101-2116
	Returns []float64 `json:"returns"` // the mean return of each seed's last hundred episodes, to .01
}

//go:embed known/answers.json
var knownAnswers []byte

// KnownAnswers returns all known answers, in the order of the exercises.
var KnownAnswers = sync.OnceValue(func() (all []Known) {
	if err := json.Unmarshal(knownAnswers, &all); err != nil {
		panic(err) // tests read it
	}
	return all
})

func TestTheKnownAnswersToExercisesAreJudgedAgain(t *testing.T) {
	if *exercises == "" {
		t.Skip("it trains for minutes; -exercises says which exercise")
	}
	if err := judgeKnownAnswers(t.Context(), t.Output(), *exercises, *jobs); err != nil {
		t.Error(err)
	}
	if *measure {
		storeKnownAnswers(t)
	}
}

// storeKnownAnswers writes the known answers to their file, a line each.
func storeKnownAnswers(t *testing.T) {
	var text bytes.Buffer
	lines := json.NewEncoder(&text)
	lines.SetEscapeHTML(false)
	for _, k := range KnownAnswers() {
		if err := lines.Encode(k); err != nil {
			t.Fatal(err)
		}
	}
	list := "[\n" + strings.ReplaceAll(strings.TrimSpace(text.String()), "\n", ",\n") + "\n]\n"
	if err := os.WriteFile("known/answers.json", []byte(list), 0o644); err != nil {
		t.Fatal(err)
	}
}

// judgeKnownAnswers trains and judges the known good and bad answers to an exercise, or to all exercises, and prints
// where a result differs from the stored one.
func judgeKnownAnswers(ctx context.Context, out io.Writer, name string, jobs int) error {
	set := All()
	if name != "all" {
		e, err := Named(name)
		if err != nil {
			return err
		}
		set = []*Exercise{e}
	}
	judged, failed := 0, 0
	for _, e := range set {
		fmt.Fprintf(out, "## %s\n\n", e.Title)
		for _, k := range KnownAnswers() {
			if k.Exercise != e.Name {
				continue
			}
			sets := k.Sets
			if !e.Trained() {
				sets = []Runs{{}}
			}
			for i := range sets {
				line, ok, err := judgeKnown(ctx, e, &k, &sets[i], jobs)
				if err != nil {
					return err
				}
				if judged++; !ok {
					failed++
				}
				fmt.Fprintln(out, line)
			}
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintf(out, "%d judged, %d differ\n", judged, failed)
	if failed > 0 {
		return errDiffers
	}
	return nil
}

// judgeKnown judges one answer on one set of seeds. line describes the result; ok reports whether it is the stored one.
func judgeKnown(ctx context.Context, e *Exercise, k *Known, stored *Runs,
	jobs int) (line string, ok bool, err error) {
	answer, err := json.Marshal(k.Answer)
	if err != nil {
		return "", false, err
	}
	var by Hidden
	measured, differs := "", ""
	if e.Trained() {
		returns, err := finalReturns(ctx, e, k, stored.Seeds, jobs)
		if err != nil {
			return "", false, err
		}
		by.Runs = MeasuredOf(returns)
		in := trial.NewEstimate(returns)
		if *measure {
			stored.Returns = nil
			for _, x := range returns {
				stored.Returns = append(stored.Returns, math.Round(100*x)/100)
			}
		}
		measured = fmt.Sprintf(", seeds %s: %.4g [%.4g, %.4g]", stored.Seeds, in.Mean, in.Low, in.High)
		for i, x := range returns {
			if i >= len(stored.Returns) || !(math.Abs(x-stored.Returns[i]) <= .006) {
				differs = fmt.Sprintf("; seed %d of them is not as stored", i+1)
			}
		}
		if h := e.Reach.Hidden; k.Good && e.Reach.Measure == OfReturn && float64(in.Low) <= h.From {
			differs += fmt.Sprintf("; the threshold %g is not below the interval", h.From)
		}
	}
	v, err := e.Judge(&k.Answer, by)
	if err != nil {
		return "", false, err
	}
	if k.Good != (v.Credit == 1) || !strings.Contains(v.Say, k.Says) {
		differs += fmt.Sprintf("; it says %q", v.Say)
	}
	kind, verdict := "bad", ": as stored"
	if k.Good {
		kind = "good"
	}
	if differs != "" {
		verdict = ": DIFFERS" + differs
	}
	return fmt.Sprintf("%s: %s%s, credit %.3g%s", kind, answer, measured, v.Credit, verdict), differs == "", nil
}

// finalReturns trains an answer and returns the final return of each seed.
func finalReturns(ctx context.Context, e *Exercise, k *Known, list string, jobs int) ([]float64,
	error) {
	cfg, err := e.Reach.Config(&k.Answer)
	if err != nil {
		return nil, err
	}
	seeds, err := trial.ParseSeeds(list)
	if err != nil {
		return nil, err
	}
	run := &trial.Trial{Config: cfg, Seeds: seeds, Jobs: min(jobs, len(seeds))}
	reports, err := run.Run(ctx, func(trial.Report) {})
	if err == nil {
		err = ctx.Err()
	}
	var returns []float64
	for _, r := range reports {
		returns = append(returns, float64(r.ReturnMean100))
	}
	return returns, err
}

// judged judges the known answers to one exercise and returns the output.
func judged(t *testing.T, name string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := judgeKnownAnswers(t.Context(), &out, name, 1)
	return out.String(), err
}

func TestTheKnownAnswersAreJudgedAgain(t *testing.T) {
	said, err := judged(t, "by-hand")
	if err != nil || !strings.Contains(said, "0 differ") || strings.Count(said, "as stored") < 5 {
		t.Errorf("%v\n%s", err, said)
	}
	e, _ := Named("by-hand")
	right := e.Numbers.Are[0]
	e.Numbers.Are[0] = 4 // as if a file had been changed
	defer func() { e.Numbers.Are[0] = right }()
	if said, err = judged(t, "by-hand"); !errors.Is(err, errDiffers) || !strings.Contains(said, "DIFFERS") {
		t.Errorf("%v\n%s", err, said)
	}
	for name, want := range map[string]string{"by-foot": `unknown exercise "by-foot"`} {
		if _, err := judged(t, name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

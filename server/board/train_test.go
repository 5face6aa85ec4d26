package board

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"impalab/learner"
	"impalab/learner/stats"
	"impalab/learner/trial"
)

func text(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestARowComesOutTheSameToTheDigit(t *testing.T) {
	track := parsed(t)
	order := Order{Track: track, Name: "x", Entry: entry(t, track, "rho=2"), Seeds: track.PublicSeeds(), Jobs: 1}
	row, err := Train(t.Context(), order)
	if err != nil {
		t.Fatal(err)
	}
	order.Jobs = 3
	again, err := Train(t.Context(), order)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := text(t, row), text(t, again); a != b {
		t.Errorf("first\n%s\nthen\n%s", a, b)
	}
	order.Entry = entry(t, track, "")
	if other, err := Train(t.Context(), order); err != nil || slices.Equal(other.Params, row.Params) {
		t.Errorf("another entry has the same parameters (%v)", err)
	}
	var scores []float64
	for _, v := range row.Each {
		scores = append(scores, float64(v))
	}
	mean, low, high := trial.Interval(scores, stats.InterquartileMean)
	if len(row.Each) != 8 || float64(row.Score.Mean) != mean || float64(row.Score.Low) != low ||
		float64(row.Score.High) != high || len(row.Curve) < curvePoints/2 {
		t.Errorf("%s", text(t, row))
	}
}

// The measured rows of the baselines are of the current tracks, and training gives them again.
func TestTheMeasuredRowsAreWhatTrainingGives(t *testing.T) {
	tracks := Own()
	for _, track := range tracks.All {
		if rows := track.Rows(); len(rows) > 0 && len(rows) != len(track.Baselines) {
			t.Errorf("%s: %d rows for %d baselines: measure it again", track.Name, len(rows), len(track.Baselines))
		}
	}
	track, err := tracks.Find("catch-in-a-hurry")
	if err != nil {
		t.Fatal(err)
	}
	rows := track.Rows()
	if len(rows) == 0 {
		t.Fatal("Catch in a hurry has not been measured")
	}
	if !slow {
		rows = rows[:1]
	}
	for _, want := range rows {
		got, err := Train(t.Context(), Order{Track: track, Name: want.Name, Entry: want.Entry, Seeds: track.PublicSeeds(),
			Jobs: 2})
		if err != nil {
			t.Fatal(err)
		}
		if got.Made != want.Made {
			t.Skipf("this machine computes %s, the rows were made with %s", got.Made, want.Made)
		}
		if a, b := text(t, got), text(t, want); a != b {
			t.Errorf("%s is now\n%s\nand was\n%s", want.Name, a, b)
		}
	}
}

func TestARowOfSecretSeedsIsRoundedAndTellsNoCountOfDivergedRuns(t *testing.T) {
	three := 3
	row := Row{Figures: Figures{Curve: []CurvePoint{{Step: 1234567, Mean: 1.2345}}, Seeds: make([]string, 16),
		Each: make([]trial.Number, 16), Params: make([]string, 16), Diverged: &three,
		Score: trial.Estimate{Mean: 185.4321, Low: -0.0123456, High: 234567}}}
	row.coarse()
	if row.Score != (trial.Estimate{Mean: 185, Low: -0.0123, High: 235000}) ||
		row.Curve[0] != (CurvePoint{1234567, 1.23, 0, 0}) ||
		row.Each != nil || row.Params != nil || row.DivergedWords() != "some of 16" || strings.Contains(text(t, row), `"diverged"`) ||
		!strings.Contains(text(t, row), `"some_diverged":true`) {
		t.Errorf("%s, %s", text(t, row), row.DivergedWords())
	}
}

func TestARunThatDivergesGainsNothingByIt(t *testing.T) {
	track := parsed(t)
	whole := trial.Report{Steps: 1500, ReturnMeanRun: 0.8, ReturnMean100: 1}
	half := trial.Report{Steps: 750, ReturnMeanRun: 0.8, ReturnMean100: 1, Diverged: true}
	none := trial.Report{Steps: 20, ReturnMeanRun: trial.None, ReturnMean100: trial.None, Diverged: true}
	if track.score(&whole) != 0.8 {
		t.Error("a whole run has its own mean")
	}
	if got, want := track.score(&half), 0.5*0.8+0.5*track.Chance; math.Abs(got-want) > 1e-12 {
		t.Errorf("%v, want %v", got, want)
	}
	if got := track.score(&none); got != track.Chance {
		t.Errorf("%v, want %v", got, track.Chance)
	}
}

func TestRanksFollowTheLowEndsAndOverlappingRowsAreTied(t *testing.T) {
	row := func(name string, low, mean, high trial.Number) Row {
		return Row{Name: name, Hash: name, Figures: Figures{Score: trial.Estimate{Mean: mean, Low: low, High: high}}}
	}
	placed := RankRows([]Row{row("d", 5, 7, 9), row("a", 431, 448, 462), row("e", 1, 200, 470), row("c", 392, 402, 411),
		row("b", 420, 441, 459), row("f", 0, 0, 0)})
	var got []string
	for _, p := range placed {
		got = append(got, p.Name+" "+p.Rank.String())
	}
	// e overlaps with everybody, and ties with its neighbour only.
	want := []string{"a 1–2", "b 1–2", "c 3", "d 4–5", "e 4–5", "f 6"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestNoTwoSeedsOfASeasonAreEqual(t *testing.T) {
	track := parsed(t)
	first, next := Season{Number: 1, key: newKey()}, Season{Number: 2, key: newKey()}
	if slices.Equal(next.Seeds(track).values, first.Seeds(track).values) {
		t.Error("the next season has the same seeds")
	}
	other := *track
	other.Name = "other"
	if slices.Equal(first.Seeds(&other).values, first.Seeds(track).values) {
		t.Error("two tracks have the same seeds")
	}
	known := map[uint64]bool{}
	for _, seed := range append(slices.Clone(track.Public), first.Seeds(track).values...) {
		if known[seed] {
			t.Errorf("seed %d twice", seed)
		}
		known[seed] = true
	}
}

// The seeds are HMAC-SHA256(key, track, 0, i), so everybody can check a finished season by its key.
func TestASecretSeedIsTheHMACOfItsPlace(t *testing.T) {
	s, track := &Season{Number: 1, key: make([]byte, 32)}, parsed(t)
	for i := range s.key {
		s.key[i] = byte(i)
	}
	// printf 'small\0000' | openssl dgst -sha256 -mac HMAC -macopt hexkey:000102…1f; its first sixteen digits
	if got, want := s.Seeds(track).values[:2], []uint64{0x9b62afec4fb66abb >> 11,
		0x7e231738dcf05d49 >> 11}; !slices.Equal(got, want) {
		t.Errorf("%#x, want %#x", got, want)
	}
}

func TestNoMessageNamesASecretSeed(t *testing.T) {
	track, season := parsed(t), &Season{Number: 1, key: newKey()}
	seeds := season.Seeds(track)
	order := Order{Track: track, Entry: entry(t, track, ""), Seeds: seeds, Jobs: 2}
	row, err := Train(t.Context(), order)
	if err != nil {
		t.Fatal(err)
	}
	order.Hooks = func() learner.Hooks {
		return learner.Hooks{Between: func(*learner.Learner) error { return errors.New("the disk is full") }}
	}
	_, failed := Train(t.Context(), order)
	if failed == nil || !strings.Contains(failed.Error(), "seed secret:0: ") {
		t.Errorf("a run that fails: %v", failed)
	}
	said := text(t, row) + fmt.Sprintf("%v %+v %#v %s %v %v", row, seeds, seeds, text(t, seeds), season, failed)
	for _, seed := range seeds.values {
		if strings.Contains(said, fmt.Sprint(seed)) {
			t.Errorf("%d is in %s", seed, said)
		}
	}
	if !strings.Contains(text(t, row), `"secret:7"`) || row.Each != nil || row.Params != nil {
		t.Errorf("%s", text(t, row))
	}
	public, err := Train(t.Context(), Order{Track: track, Entry: order.Entry, Seeds: track.PublicSeeds(), Jobs: 2})
	if err != nil || public.Score == row.Score {
		t.Errorf("the secret seeds came to what the public ones do (%v)", err)
	}
}

package chart

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"impalab/learner/telemetry"
)

// bucketed puts ages into buckets as the learner does.
func bucketed(ages []int) (counts []uint32, oldest int) {
	counts, oldest = make([]uint32, telemetry.AgeBins), slices.Max(ages)
	for _, age := range ages {
		counts[age*telemetry.AgeBins/(oldest+1)]++
	}
	return counts, oldest
}

func TestAgesComeOutOfTheirBuckets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ages := rapid.SliceOfN(rapid.IntRange(0, 300), 1, 40).Draw(t, "ages")
		counts, oldest := bucketed(ages)
		next, total := 0, uint32(0)
		for _, b := range ageBars(counts, oldest) {
			if b.from != next || b.to <= b.from {
				t.Fatalf("a bar from age %d to %d after one that ended at %d", b.from, b.to, next)
			}
			next = b.to
			within := uint32(0)
			for _, age := range ages {
				if b.from <= age && age < b.to {
					within++
				}
			}
			if b.count != within {
				t.Fatalf("%d trajectories of ages %d to %d, want %d", b.count, b.from, b.to-1, within)
			}
			total += b.count
		}
		if next != oldest+1 || total != uint32(len(ages)) {
			t.Fatalf("bars end at %d with %d trajectories, want %d and %d", next, total, oldest+1, len(ages))
		}
	})
}

func TestTheAxisOfAgesIsEvenAndNamesTheOldest(t *testing.T) {
	for oldest, want := range map[int][]int{
		0: {0}, 1: {0, 1}, 8: {0, 2, 4, 6, 8}, 64: {0, 10, 20, 30, 40, 50, 64}, 100: {0, 20, 40, 60, 80, 100},
	} {
		if got := ageTicks(oldest, ageScale(oldest, 320)); !slices.Equal(got, want) {
			t.Errorf("oldest %d: %v, want %v", oldest, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		oldest := rapid.IntRange(0, 2000).Draw(t, "oldest")
		x := ageScale(oldest, rapid.Float64Range(120, 700).Draw(t, "wide"))
		at := ageTicks(oldest, x)
		if at[len(at)-1] != oldest {
			t.Fatalf("ticks %v leave out the oldest, %d", at, oldest)
		}
		for i := 1; i < len(at); i++ {
			if room := x.at(float64(at[i])) - x.at(float64(at[i-1])); room < 20 {
				t.Fatalf("ages %d and %d are %.1f pixels apart", at[i-1], at[i], room)
			}
		}
	})
}

func TestTheBarOfALagStandsOverItsNumber(t *testing.T) {
	counts, oldest := bucketed([]int{64, 64, 64})
	bars := ageBars(counts, oldest)
	if last := bars[len(bars)-1]; last.count != 3 || last.to != 65 {
		t.Errorf("the last bar holds %d of ages %d to %d", last.count, last.from, last.to-1)
	}
}

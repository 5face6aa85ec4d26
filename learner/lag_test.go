package learner

import (
	"math"
	"testing"

	"impalab/envs"
)

func TestLagWindowGivesTheParametersOfExactlyLagUpdatesAgo(t *testing.T) {
	p := newLagWindow()
	lag := 3
	for u := range uint64(50) {
		switch u {
		case 10:
			lag = 0
		case 20:
			lag = 7
		case 40:
			lag = 2
		}
		p.push([]float32{float32(u)}, u, lag)
		theta, version := p.at(lag)
		// A lag that was raised is reached as updates go by: until then the oldest there are.
		want := u - min(u, uint64(lag))
		if u >= 20 && u < 27 {
			want = 19
		}
		if version != want || theta[0] != float32(want) {
			t.Fatalf("update %d, lag %d: parameters of %d (%v), want %d", u, lag, version, theta[0], want)
		}
	}
}

func TestPushingTheSameUpdateAgainOnlyResizes(t *testing.T) {
	p := newLagWindow()
	for u := range uint64(5) {
		p.push([]float32{float32(u)}, u, 4)
	}
	p.push([]float32{99}, 4, 1)
	if theta, version := p.at(1); version != 3 || theta[0] != 3 {
		t.Errorf("one update ago is %d (%v), want 3", version, theta[0])
	}
	if theta, _ := p.at(0); theta[0] != 4 {
		t.Errorf("the newest is %v, want 4", theta[0])
	}
}

func TestScoresAreOfTheLastHundredEpisodes(t *testing.T) {
	s := newScores([]envs.Task{{World: "any", Reference: 1}})
	if !math.IsNaN(s.mean()) || !math.IsNaN(s.bestMean()) {
		t.Error("no episodes, no mean")
	}
	for i := range 250 {
		s.add(0, float64(i))
		if i < 99 && !math.IsNaN(s.bestMean()) {
			t.Fatal("a best mean of fewer than a hundred")
		}
	}
	if s.mean() != (150+249)/2.0 || s.bestMean() != s.mean() {
		t.Errorf("mean %v best %v", s.mean(), s.bestMean())
	}
	for range 100 {
		s.add(0, -5)
	}
	if s.mean() != -5 || s.bestMean() != (150+249)/2.0 {
		t.Errorf("after a fall: mean %v best %v", s.mean(), s.bestMean())
	}
}

package algo

import (
	"strings"
	"testing"

	"impalab/learner/hyper"
)

func TestEveryAlgorithmCanBeMadeAndNoOther(t *testing.T) {
	if len(constructors) != len(hyper.Algorithms) {
		t.Errorf("%d constructors of %d algorithms", len(constructors), len(hyper.Algorithms))
	}
	for _, a := range hyper.Algorithms {
		if constructors[a.Name] == nil {
			t.Errorf("nothing makes %s", a.Name)
		}
	}
	if _, err := New(nil, &hyper.Config{Algo: "dqn"}); err == nil || !strings.Contains(err.Error(), `algo="dqn"`) {
		t.Errorf("an algorithm that there is not: %v", err)
	}
}

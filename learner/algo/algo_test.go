package algo

import (
	"strings"
	"testing"

	"impalab/learner/hyper"
)

func TestEveryAlgorithmCanBeMadeAndNoOther(t *testing.T) {
	for name := range constructors {
		if (&hyper.Config{Algo: name}).Algorithm().Title == "" {
			t.Errorf("%s has a constructor and no entry of hyper.Algorithms", name)
		}
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

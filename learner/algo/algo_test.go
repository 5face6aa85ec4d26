package algo

import (
	"slices"
	"testing"

	"impalab/learner/hyper"
)

func TestTheTableOfSettingsOffersExactlyTheseAlgorithms(t *testing.T) {
	row, err := hyper.Lookup("algo")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range Table {
		names = append(names, e.Name)
	}
	if !slices.Equal(names, row.Choices()) {
		t.Errorf("the algorithms are %v, the setting offers %v", names, row.Choices())
	}
}

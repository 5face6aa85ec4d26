//go:build slow

package main

import (
	"os"
	"os/exec"
	"testing"
)

// Every known answer is trained again on its seeds: 170 million steps, some ten minutes of a core.
func TestTheFiguresOfTheExercisesAreMadeAgain(t *testing.T) {
	again := exec.CommandContext(t.Context(), os.Args[0], "reproduce", "class")
	again.Env = append(os.Environ(), asServer+"=1")
	if said, err := again.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
}

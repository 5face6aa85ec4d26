package command

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"impalab/envs"
	"impalab/server/board"
	"impalab/web/exercise"
	"impalab/web/lesson"
)

// A contributor who adds a world or a lesson would forget the numbers in the documents.
func TestTheDocumentsCountWorldsLessonsAndTracks(t *testing.T) {
	words := strings.Fields("no one two three four five six seven eight nine ten eleven twelve thirteen fourteen " +
		"fifteen " +
		"sixteen seventeen eighteen nineteen twenty")
	count := func(n int) string {
		if n < len(words) {
			return words[n]
		}
		return fmt.Sprint(n)
	}
	plans := count(len(exercise.Plans()) - 1) // one of them is all exercises in any order
	lessons, exercises := count(len(lesson.All())), count(len(exercise.All()))
	tracks, worlds := count(len(board.Own().All)), count(len(envs.Table))
	for file, sentences := range map[string][]string{
		"README.md": {lessons + " lessons that", plans + " plans of", exercises + " judged exercises", worlds +
			" worlds include"},
		"CHANGELOG.md": {lessons + " lessons with", plans + " plans of", exercises + " exercises that", worlds +
			" worlds, among", tracks + " tracks."},
		"docs/class.md": {exercises + " exercises;"},
	} {
		text, err := os.ReadFile("../../" + file)
		if err != nil {
			t.Fatal(err)
		}
		plain := strings.Join(strings.Fields(string(text)), " ")
		for _, s := range sentences {
			if !strings.Contains(plain, s) {
				t.Errorf("%s does not say %q", file, s)
			}
		}
	}
}

func TestTheDocumentsNameStudiesThatExist(t *testing.T) {
	command := regexp.MustCompile("impalab reproduce ([a-z0-9][a-z0-9/-]*)")
	seen := 0
	for _, pattern := range []string{"../../*.md", "../../docs/*.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, named := range command.FindAllStringSubmatch(string(text), -1) {
				seen++
				if _, err := studiesNamed(named[1]); err != nil {
					t.Errorf("%s: %s: %v", file, named[0], err)
				}
			}
		}
	}
	if seen < 20 {
		t.Errorf("%d commands were found", seen)
	}
}

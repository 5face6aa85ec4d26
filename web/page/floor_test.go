package page

import (
	"os"
	"strings"
	"testing"
)

// The page for older browsers, README.md and the linter name the same oldest browsers.
func TestTheFloorOfBrowsersIsOneEverywhere(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	linter, err := os.ReadFile("../../tools/floor.mjs")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readme), Floor) {
		t.Errorf("README.md does not name %s", Floor)
	}
	for browser := range strings.SplitSeq(strings.ReplaceAll(Floor, " or ", ", "), ", ") {
		if browser = strings.ToLower(browser); !strings.Contains(string(linter), `"`+browser+`"`) {
			t.Errorf("tools/floor.mjs does not name %s", browser)
		}
	}
}

package site

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

func TestTheDescriptionNamesEveryRoute(t *testing.T) {
	p := newProgram(t)
	var described struct {
		Paths      map[string]map[string]any
		Components struct{ Schemas map[string]any }
	}
	p.call("GET", "/openapi.json", 200, "", &described)
	for _, route := range []string{"post /runs", "get /runs", "get /runs/{id}", "patch /runs/{id}", "delete /runs/{id}",
		"post /runs/{id}/fork", "post /runs/{id}/stop", "get /runs/{id}/tape", "get /runs/{id}/curves.csv",
		"get /runs/{id}/events", "post /links",
		"get /worlds", "get /presets", "get /settings"} {
		method, path, _ := strings.Cut(route, " ")
		if described.Paths[path][method] == nil {
			t.Errorf("it does not describe %s", route)
		}
	}
	for _, name := range []string{"Run", "Start", "Problem"} {
		if described.Components.Schemas[name] == nil {
			t.Errorf("it does not describe a %s", name)
		}
	}
	for name, field := range map[string]string{"Line": "return_mean_100", "Figures": "each"} {
		text, _ := json.Marshal(described.Components.Schemas[name])
		_, of, _ := strings.Cut(string(text), `"`+field+`":{`)
		_, items, _ := strings.Cut(of, `"items":`)
		if !strings.HasPrefix(items, `{"format":"double","type":["number","null"]}`) {
			t.Errorf("a %s may have null in %s, and the description says %.80s", name, field, items)
		}
	}
	for path, least := range map[string]int{"/worlds": 5, "/presets": 5, "/settings": 20} {
		var rows []map[string]any
		if p.call("GET", path, 200, "", &rows); len(rows) < least {
			t.Errorf("%s has %d rows", path, len(rows))
		}
	}
	if code, _ := p.refused("GET", "/nothing", 404, ""); code != "not_found" {
		t.Errorf("a path that leads nowhere: %s", code)
	}
	if code, sentence := p.refused("PUT", "/runs", 405, ""); code != "not_allowed" ||
		!strings.Contains(sentence, "use GET or POST") {
		t.Errorf("a method that is not there: %s %s", code, sentence)
	}
}

// TestTheExamplesOfTheDocumentationRun runs docs/api.md in a shell.
func TestTheExamplesOfTheDocumentationRun(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("this system has no curl")
	}
	text, err := os.ReadFile("../../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	var script strings.Builder
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllSubmatch(text, -1) {
		script.Write(block[1])
	}
	command := exec.CommandContext(t.Context(), "sh", "-eu")
	command.Dir = t.TempDir()
	command.Stdin = strings.NewReader(strings.ReplaceAll(script.String(), "http://127.0.0.1:8080/", opened(t)))
	var out, errs bytes.Buffer
	command.Stdout, command.Stderr = &out, &errs
	if err := command.Run(); err != nil {
		t.Fatalf("%v\n%s%s", err, out.String(), errs.String())
	}
	for _, words := range []string{`"from_update"`, `event: state`, `"state":"done"`, "return_mean_100",
		`did you mean rho?`} {
		if !strings.Contains(out.String(), words) {
			t.Errorf("they do not come to %s: %s", words, out.String())
		}
	}
}

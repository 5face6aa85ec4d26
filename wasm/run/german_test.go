package run

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"impalab/learner/hyper"
	"impalab/web/wire"
	"impalab/web/words"
)

// german is the catalogue as the Lab has it.
func german(t *testing.T) *words.Catalogue {
	t.Helper()
	body, err := os.ReadFile(filepath.FromSlash("../../web/words/de.txt"))
	if err != nil {
		t.Fatal(err)
	}
	parts, err := words.Parse(string(body))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, part := range parts {
		for english, other := range part.Pairs {
			all[english] = other
		}
	}
	c, err := words.New(all)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestWhatTheTableOfSettingsRefusesIsThereInGerman(t *testing.T) {
	c, said := german(t), map[string]bool{}
	hear := func(err error) {
		if err != nil {
			said[err.Error()] = true
		}
	}
	for i := range hyper.Table {
		row := &hyper.Table[i]
		for _, value := range []string{"nonsense", "-1", "1e99", "2-3-4-5-6", "5"} {
			_, err := hyper.ParseHot(row.Key, value)
			hear(err)
		}
	}
	for i := range hyper.Presets {
		start, err := hyper.FromPreset(hyper.Presets[i].Name)
		if err != nil {
			t.Fatal(err)
		}
		for k := range hyper.Table {
			row := &hyper.Table[k]
			values := []string{"0", "1", "7", "64-64", "0.5"}
			if row.Choices != nil {
				values = row.Choices()
			}
			for _, value := range values {
				if with := start; with.Set(row.Key, value) == nil {
					hear(with.Validate())
				}
			}
		}
	}
	_, err := hyper.ParseTurns("nonsense")
	hear(err)
	if len(said) < 100 {
		t.Fatalf("only %d refusals were heard", len(said))
	}
	unknown := 0
	for english := range said {
		if _, known := c.Look(english); !known {
			if unknown++; unknown <= 20 {
				t.Errorf("%q has no German", english)
			}
		}
	}
}

func TestTheTablesOfTheChartsAreThereInGerman(t *testing.T) {
	c := german(t)
	for _, link := range []string{"p=destination", "p=tiny", "p=stac-lag", "p=catch"} {
		m := learned(link)
		if link != "p=catch" { // its world is not solved
			m.Apply(&wire.Gauge{Learned: 1, Best: 2})
		}
		m.Apply(&wire.Changed{Event: m.last + 1, Step: 1000, Update: 10, Key: "rho", From: "1", To: "2"})
		m.Page = func() []*Run { return []*Run{m, learned(link)} }
		for _, step := range []uint64{0, 400} {
			if step > 0 {
				m.Hold(step)
			}
			for _, one := range m.Tables() {
				table := m.Table(one.Name)
				for _, english := range slices.Concat([]string{one.Title, table.Caption}, table.Head) {
					if german, known := c.Look(english); !known {
						t.Errorf("%s, %s: %q has no German, but %q", link, one.Name, english, german)
					}
				}
			}
		}
	}
}

var verb = regexp.MustCompile(`%[a-z]`)

// Whatever the server says of a run, or refuses, in a sentence of its own.
func TestWhatTheServerSaysOfARunIsThereInGerman(t *testing.T) {
	c, n := german(t), 0
	for _, file := range []string{"life.go", "requests.go", "resume.go", "admit.go", "budget.go", "elsewhere.go"} {
		parsed, err := parser.ParseFile(token.NewFileSet(), "../../server/lab/"+file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		look := func(e ast.Expr) {
			english := verb.ReplaceAllString(joined(e), "7")
			if !strings.Contains(english, " ") || notForPages.MatchString(english) {
				return
			}
			n++
			if _, known := c.Look(english); !known {
				t.Errorf("%s: %q has no German", file, english)
			}
		}
		ast.Inspect(parsed, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.ReturnStmt:
				for _, e := range node.Results {
					look(e)
				}
			case *ast.CallExpr:
				if f, ok := node.Fun.(*ast.SelectorExpr); ok && len(node.Args) > 0 &&
					slices.Contains([]string{"New", "Errorf", "Sprintf"}, f.Sel.Name) {
					look(node.Args[0])
				}
			}
			return true
		})
	}
	if n < 15 {
		t.Errorf("only %d sentences were looked at", n)
	}
}

// notForPages are sentences that only the server's log has, or that are part of another.
var notForPages = regexp.MustCompile(`^panic|^give way|^verb|^the snapshot|^7: 7|^%w|^%.3g`)

// joined is a text that stands in one or more pieces.
func joined(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, _ := strconv.Unquote(e.Value)
		return text
	case *ast.BinaryExpr:
		return joined(e.X) + joined(e.Y)
	}
	return ""
}

// What a slider says of each value, and what stands beside it.
func TestValuesWithTheirUnitsAreThereInGerman(t *testing.T) {
	c := german(t)
	for i := range hyper.Table {
		row := &hyper.Table[i]
		if row.Choices != nil { // in the page's words
			continue
		}
		for _, value := range []string{"0", "0.875", "1", "8", "12345", "inf"} {
			m := learned("p=laser")
			english := m.Pretty(row, value)
			if german, known := c.Look(english); !known {
				t.Errorf("%s: %q has no German, but %q", row.Key, english, german)
			}
			control := m.Control(row.Key)
			control.Force = value
			if german, known := c.Look(m.InForce(control)); !known {
				t.Errorf("%s in force: %q has no German, but %q", row.Key, m.InForce(control), german)
			}
		}
	}
}

// between is what stands between the tags of a drawing, and symbols are the same in every language.
var between, symbols = regexp.MustCompile(`>([^<]+)<`), regexp.MustCompile(`<tspan class="symbol"[^>]*>[^<]*<`)

// What every chart has in it and every place of the page shows, after each setting has been turned.
func TestChartsAndTextsAreThereInGerman(t *testing.T) {
	c, n := german(t), 0
	look := func(where, english string) {
		n++
		if german, known := c.Look(english); !known {
			t.Errorf("%s: %q has no German, but %q", where, english, german)
		}
	}
	for _, link := range []string{"p=destination", "p=stac-lag"} {
		for i := range hyper.Table {
			row := &hyper.Table[i]
			m := learned(link)
			m.Apply(&wire.Gauge{Learned: 1, Best: 2})
			if row.Choices != nil { // these are in the page's words too
				continue
			}
			m.Apply(&wire.Changed{Event: m.last + 1, Step: 1000, Update: 10, Key: row.Key, From: "1", To: "2"})
			if i%8 == 0 {
				m.Page = func() []*Run { return []*Run{m, learned(link)} }
				m.Hold(400)
			}
			for _, one := range Charts {
				for _, text := range between.FindAllStringSubmatch(symbols.ReplaceAllString(one.Draw(m, 400, 200), "<"), -1) {
					look(link+", "+one.Name, html.UnescapeString(text[1]))
				}
			}
			for _, one := range Texts {
				if !slices.Contains([]string{"preset", "world", "algo", "tasks"}, one.Name) { // in the page's words
					look(link+", "+one.Name, one.Read(m))
				}
			}
		}
	}
	if n < 1000 {
		t.Errorf("only %d texts were looked at", n)
	}
}

// What the page advises, and what it says of columns and of a moment.
func TestAdviceIsThereInGerman(t *testing.T) {
	c := german(t)
	for _, english := range []string{
		"Next: lower ρ̄, 4 now: ratios that nothing clips have no bound; then “Same seed”.",
		"Next: lower the learning rate, 0.5 now; then “Same seed”.",
		"This network has 900 000 parameters and at most 786 432 travel: the server plays it and sends the picture.",
		"A and B have the same settings and seed", "A and B differ in: policy lag 0 | 8", "played again, at 4 000",
		"From 1 to 4 in 8 000 steps; least 1, greatest 5. Its bound is 3, and it was within it 50 % of the time.",
		"8 seeds: 374, 95 % 350 to 390", "3 of 8 seeds done, stopped",
		"Left out of the link: unknown setting \"lga\"; did you mean lag?",
		fmt.Sprintf("Left out of the link: %s is locked by this link", "rho"), "Waiting for the world", "strafe left",
	} {
		if other, known := c.Look(english); !known || other == english {
			t.Errorf("%q is %q in German, known %v", english, other, known)
		}
	}
}

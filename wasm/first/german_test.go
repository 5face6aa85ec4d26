package first

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"impalab/web/words"
)

// sources are the files whose texts the first page shows.
var sources = []string{"words.go", "story.go", "picture.go", "../page/dialogs.go", "../page/first.go"}

var verb = regexp.MustCompile(`%[sdv]`)

// texts are the texts in a file: what has words and a space, or begins like a sentence. Verbs of formats are holes.
func texts(t *testing.T, file string) (list []string) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	parsed.Imports = nil
	inside := map[ast.Node]bool{}
	var joined func(ast.Expr) (string, bool)
	joined = func(e ast.Expr) (string, bool) {
		switch e := e.(type) {
		case *ast.BasicLit:
			text, err := strconv.Unquote(e.Value)
			inside[e] = true
			return text, err == nil && e.Kind == token.STRING
		case *ast.BinaryExpr:
			left, ok := joined(e.X)
			right, also := joined(e.Y)
			return left + right, ok && also && e.Op == token.ADD
		}
		return "", false
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if _, imported := n.(*ast.ImportSpec); imported || !ok || inside[n] {
			return !imported
		}
		if text, ok := joined(e); ok {
			list = append(list, strings.TrimSpace(verb.ReplaceAllString(text, "{}")))
			return false
		}
		return true
	})
	return list
}

var text = regexp.MustCompile(`^[A-Z][a-z]|[a-z]{2}.* |^[A-Z]-`)

// notShown are literals that look like texts and are none.
var notShown = regexp.MustCompile(`^[#\[.]|^POST$|setAttribute|[a-z][A-Z]|^the first page's link has|^clipboard|%.40q`)

func program(t *testing.T) *words.Catalogue {
	t.Helper()
	body, err := os.ReadFile(filepath.FromSlash("../../web/words/de.txt"))
	if err != nil {
		t.Fatal(err)
	}
	parts, err := words.Parse(string(body))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range parts {
		if part.Name == "program" {
			c, err := words.New(part.Pairs)
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
	}
	t.Fatal("de.txt has no part for the program")
	return nil
}

func TestEveryTextOfTheFirstPageIsThereInGerman(t *testing.T) {
	german, n := program(t), 0
	for _, file := range sources {
		for _, english := range texts(t, file) {
			if !text.MatchString(english) || notShown.MatchString(english) {
				continue
			}
			n++
			// A hole stands for a number here: what is put there is looked at in the next test.
			if _, known := german.Look(strings.ReplaceAll(english, "{}", "7")); !known {
				t.Errorf("%s: %q has no German", file, english)
			}
		}
	}
	if n < 50 {
		t.Errorf("only %d texts were looked at", n)
	}
}

func TestWhatIsPutTogetherIsThereInGermanToo(t *testing.T) {
	german := program(t)
	list := []string{Late(0), Late(1), Late(8), Updates(0), Updates(1), Updates(64), "fell at " + thousands(94_000),
		"Theme: auto", "Theme: light", "Theme: dark", "No short link: the link has 17000 bytes.",
		"it fell: 374 → 9 in " + inSeconds(2), "lag 0 → 64", Updates(8) + ": not late enough yet. Go on to 64."}
	for s := range 12 {
		list = append(list, inSeconds(float64(s)))
	}
	for _, english := range list {
		if other, known := german.Look(english); !known || other == english {
			t.Errorf("%q is %q in German, known %v", english, other, known)
		}
	}
}

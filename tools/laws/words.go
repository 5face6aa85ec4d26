package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// worst has the phrases that no text for users may contain, with the plain ones. It is short on purpose: make words
// checks comments and documents at length.
var worst = []struct {
	phrase *regexp.Regexp
	write  string
}{
	{regexp.MustCompile(`(?i)\bwhom?ever\b`), "the noun: the owner, any viewer"},
	{regexp.MustCompile(`(?i)\b(?:no|some)body\b`), "the noun: no viewer, a student"},
	{regexp.MustCompile(`(?i)\bthose (?:of|who|with)\b`), "the noun again"},
	{regexp.MustCompile(`(?i)\bthat of\b`), "the noun again"},
	{regexp.MustCompile(`(?i)\bof (?:then|before|now)\b`), "previous, current, at that update"},
	{regexp.MustCompile(`(?i)\b(?:goes|went) on\b`), "continues, continued"},
	{regexp.MustCompile(`(?i)\banew\b`), "again"},
	{regexp.MustCompile(`(?i)\bfor ever\b`), "permanently"},
	{regexp.MustCompile(`(?i)\bin hand\b`), "current, selected"},
	{regexp.MustCompile(`(?i)\b(?:has|have) not (?:a|an|any|got|the)\b`), "does not have"},
	{regexp.MustCompile(`(?i)\b(?:it|that|this|which|body) is no (?:error|number|world|step|file|fault)\b`), "is not a"},
	{regexp.MustCompile(`(?i)\bc[oa]mes? to (?:the same|nothing|pass)\b`), "ends with the same, produces"},
	{regexp.MustCompile(`(?i)\smend(?:s|ed|ing)?(?:[^:\w]|$)`), "fix, rescue"},
}

// named are the names that contain such a phrase: a preset and a track, which links hold.
var named = strings.NewReplacer("Break and mend", "", "break and mend", "", "Somebody else's data", "",
	"somebody-elses-data", "")

// worstWords finds the worst phrases in the texts of the program: string literals of Go, templ files, and the words of
// exercises and tracks. Tests and this list are left out.
func worstWords(dir string) (broken []violation, err error) {
	err = eachSource(dir, func(name string) bool {
		return slices.Contains([]string{".go", ".templ", ".yaml"}, filepath.Ext(name)) &&
			!strings.HasSuffix(name, "_test.go") && !strings.HasPrefix(name, "tools/laws/")
	}, func(name string, text []byte) (err error) {
		texts := lines(text)
		if filepath.Ext(name) == ".go" {
			if texts, err = literals(name, text); err != nil {
				return err
			}
		}
		for _, t := range texts {
			for _, w := range worst {
				if found := w.phrase.FindString(named.Replace(t.text)); found != "" {
					broken = append(broken, violation{fmt.Sprintf("%s:%d", name, t.line), "",
						fmt.Sprintf("says %q; write: %s", strings.TrimSpace(found), w.write)})
				}
			}
		}
		return nil
	})
	return broken, err
}

// placed is a text and the line of its file.
type placed struct {
	line int
	text string
}

// lines returns the lines of a file.
func lines(text []byte) (all []placed) {
	for i, line := range strings.Split(string(text), "\n") {
		all = append(all, placed{i + 1, line})
	}
	return all
}

// literals returns the lines of a Go file's string literals.
func literals(path string, text []byte) (all []placed, err error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			for i, line := range strings.Split(lit.Value, "\n") {
				all = append(all, placed{files.Position(lit.Pos()).Line + i, line})
			}
		}
		return true
	})
	return all, nil
}

package main

import (
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// longestSubject is the number of characters that a commit's subject may have.
const longestSubject = 72

// imperatives end like another form of a verb.
var imperatives = []string{"Bring", "Embed", "Exceed", "Feed", "Focus", "Need", "Ping", "Proceed", "Seed", "Speed",
	"String"}

// prefixed matches a subject with a prefix: "fix: …", "lab(api): …".
var prefixed = regexp.MustCompile(`^[\w/.-]+(\([^)]*\))?!?: `)

// subjectFault returns the fault of a commit's subject, or "".
func subjectFault(subject string) string {
	if n := utf8.RuneCountInString(subject); n > longestSubject {
		return fmt.Sprintf("has %d characters; a subject has %d at most", n, longestSubject)
	}
	if prefixed.MatchString(subject) {
		return "has a prefix; begin with the verb"
	}
	first, _, _ := strings.Cut(subject, " ")
	if first == "" || strings.ToUpper(first[:1]) != first[:1] {
		return "does not begin with a capital letter"
	}
	other := strings.HasSuffix(first, "s") && !strings.HasSuffix(first, "ss") ||
		strings.HasSuffix(first, "ed") || strings.HasSuffix(first, "ing")
	if other && !slices.Contains(imperatives, first) {
		return fmt.Sprintf("begins with %q; use the imperative", first)
	}
	return ""
}

// subjects checks the commits that follow this rule's first commit. Without git or its history it finds nothing.
func subjects(dir, rule string) (broken []violation) {
	added, err := git(dir, "log", "--diff-filter=A", "-1", "--format=%H", "--", rule)
	if err != nil || added == "" {
		return nil
	}
	log, err := git(dir, "log", "--no-merges", "--format=%h %s", added+"..HEAD")
	if err != nil {
		return nil
	}
	for line := range strings.Lines(log) {
		hash, subject, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if fault := subjectFault(subject); fault != "" {
			broken = append(broken, violation{"commit " + hash, "", fmt.Sprintf("%s: %q", fault, subject)})
		}
	}
	return broken
}

// git returns the output of a git command in the folder.
func git(dir string, args ...string) (string, error) {
	out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).Output()
	return strings.TrimSpace(string(out)), err
}

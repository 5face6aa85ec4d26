package hyper

import (
	"fmt"
	"strings"
)

// Unknown refuses a name that is not in a list: it names the nearest, and where the user finds all of them. kind
// names the list, like "world".
func Unknown(kind, name string, known []string, where string) error {
	return fmt.Errorf("unknown %s %.64q%s (%s)", kind, name, DidYouMean(name, known, ""), where)
}

// Find returns the first element of a name, or the error of Unknown. An empty where lists all names.
func Find[T any](kind, name, where string, all []T, nameOf func(T) string) (found T, err error) {
	var names []string
	for _, x := range all {
		if nameOf(x) == name {
			return x, nil
		}
		names = append(names, nameOf(x))
	}
	if where == "" {
		where = kind + "s: " + strings.Join(names, ", ")
	}
	return found, Unknown(kind, name, names, where)
}

// DidYouMean answers a word that is not known with the nearest that is, as in "; did you mean lag-cliff?". Where none
// is near it answers otherwise.
func DidYouMean(word string, known []string, otherwise string) string {
	if near := Nearest(word, known); near != "" {
		return "; did you mean " + near + "?"
	}
	return otherwise
}

// Nearest returns the known word with the fewest edits, the word itself where it is known; "": none is near.
func Nearest(word string, known []string) (best string) {
	distance := max(1, (1+len(word))/3) // further than a third of the word is another word
	for _, k := range known {
		if d := edits(word, k); d <= distance && (best == "" || d < distance) {
			best, distance = k, d
		}
	}
	return best
}

// edits counts the insertions, deletions and replacements of bytes between two words, and the swaps of two neighbours
// (optimal string alignment).
func edits(a, b string) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1) // distances of a[:i-2] and of a[:i-1] from each b[:j]
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next := make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			change := row[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			next[j] = min(change, row[j]+1, next[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}

package hyper

// DidYouMean answers a word that is not known with the nearest that is, as in "; did you mean lag-cliff?". Where none
// is near it answers otherwise.
func DidYouMean(word string, known []string, otherwise string) string {
	best, distance := "", 1+len(word)/3 // further than a third of the word is another word
	for _, k := range known {
		if d := edits(word, k); d <= distance && (best == "" || d < distance) {
			best, distance = k, d
		}
	}
	if best == "" {
		return otherwise
	}
	return "; did you mean " + best + "?"
}

// edits counts the insertions, deletions and replacements of bytes between two words (Levenshtein).
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := diagonal
			if a[i-1] != b[j-1] {
				change++
			}
			diagonal = row[j]
			row[j] = min(change, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}

package board

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"impalab/learner/hyper"
)

// Key is a setting that may differ from the start of a track, and its range.
type Key struct {
	Row       *hyper.Row
	Low, High float64  // of a number, both included
	Values    []string // of a choice; nil: all values of the table of settings
	any       bool
}

// parseKey reads "any", "LOW to HIGH" or "VALUE, VALUE".
func parseKey(key, text string) (k Key, err error) {
	if k.Row, err = hyper.Lookup(key); err != nil {
		return k, err
	}
	k.Low, k.High = k.Row.Min, k.Row.Max
	if text = strings.TrimSpace(text); text == "any" {
		k.any = true
		return k, nil
	}
	if !k.Row.Numeric() {
		for _, value := range strings.Split(text, ",") {
			change, err := hyper.ParseChange(key, value)
			if err != nil {
				return k, err
			}
			k.Values = append(k.Values, change.Value())
		}
		return k, nil
	}
	low, high, ok := strings.Cut(text, " to ")
	if !ok {
		return k, fmt.Errorf("%q: must be LOW to HIGH, or any", text)
	}
	if k.Low, err = k.Row.Parse(strings.TrimSpace(low)); err != nil {
		return k, err
	}
	if k.High, err = k.Row.Parse(strings.TrimSpace(high)); err != nil {
		return k, err
	}
	if !(k.Low < k.High) { // NaN, which is "same", fails as well
		return k, fmt.Errorf("%q: the lower end must come first", text)
	}
	return k, nil
}

// check returns an error for a value, spelled as in links, that the track does not allow.
func (k *Key) check(value string) error {
	if k.any {
		return nil
	}
	if !k.Row.Numeric() {
		if !slices.Contains(k.Values, value) {
			return fmt.Errorf("%s=%s: must be %s", k.Row.Key, value, k.Allowed())
		}
		return nil
	}
	v, err := k.Row.Parse(value)
	if err != nil {
		return err
	}
	if math.IsNaN(v) { // "same as" another setting, which has its own range
		return nil
	}
	if v < k.Low || v > k.High {
		return fmt.Errorf("%s=%s: must be %s", k.Row.Key, value, k.Allowed())
	}
	return nil
}

// Allowed describes the values that a track takes.
func (k *Key) Allowed() string {
	switch {
	case k.any:
		return k.Row.Allowed()
	case !k.Row.Numeric():
		return "one of " + strings.Join(k.Values, ", ")
	}
	kind := "a number"
	if k.Row.Whole() {
		kind = "a whole number"
	}
	same := ""
	if k.Row.Same != "" {
		same = ", or same (as " + k.Row.Same + ")"
	}
	return fmt.Sprintf("%s from %s to %s%s", kind, plain(k.Row, k.Low), plain(k.Row, k.High), same)
}

func plain(row *hyper.Row, v float64) string {
	if row.Whole() && !math.IsInf(v, 1) {
		return fmt.Sprintf("%.0f", v)
	}
	return row.Format(v)
}

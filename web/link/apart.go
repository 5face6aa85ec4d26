package link

import (
	"strconv"

	"impalab/learner/hyper"
)

// Apart says how many values differ from the paper or the preset: "8 values differ from the paper". It returns "" for
// none.
func Apart(n int, from string) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "1 value differs from the " + from
	}
	return strconv.Itoa(n) + " values differ from the " + from
}

// SettingName returns a setting's name for people.
func SettingName(key string) string {
	if row, err := hyper.Lookup(key); err == nil {
		return row.Words
	}
	return key
}

package trial

import (
	"fmt"
	"slices"
)

// Verdict is the answer of a study's runs to the paper's words.
type Verdict uint8

const (
	NotInThePaper Verdict = iota // none of the four papers makes the claim
	Appears
	AppearsInPart
	DoesNotAppear
	Contradicts
)

var verdicts = [...]string{"not in the paper", "appears", "appears in part", "does not appear", "contradicts"}

func (v Verdict) String() string { return verdicts[v] }

// UnmarshalText reads what String returns.
func (v *Verdict) UnmarshalText(text []byte) error {
	i := slices.Index(verdicts[:], string(text))
	if i < 0 {
		return fmt.Errorf("unknown verdict %q", text)
	}
	*v = Verdict(i)
	return nil
}

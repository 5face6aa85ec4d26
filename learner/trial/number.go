package trial

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// Number is a float that JSON shows as null if it is NaN.
type Number float64

// None stands for a number that does not exist, such as the mean of no episodes.
var None = Number(math.NaN())

// MarshalJSON implements json.Marshaler.
func (n Number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// UnmarshalJSON implements json.Unmarshaler.
func (n *Number) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = None
		return nil
	}
	return json.Unmarshal(text, (*float64)(n))
}

func (n Number) known() bool { return !math.IsNaN(float64(n)) }

func (n Number) String() string {
	if math.IsNaN(float64(n)) {
		return "none yet"
	}
	return fmt.Sprintf("%.4g", float64(n))
}

// single returns the shortest decimal that reads back as the float32: 0.1, not 0.10000000149.
func single(v float32) Number {
	exact, _ := strconv.ParseFloat(strconv.FormatFloat(float64(v), 'g', -1, 32), 64)
	return Number(exact)
}

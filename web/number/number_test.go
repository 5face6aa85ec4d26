package number

import "testing"

func TestNumbersReadWell(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 0.031: "0.0310", 1.234: "1.23", 214: "214", 999.7: "1.00\u2009k",
		214e3: "214\u2009k", 2.136e6: "2.14\u2009M", -0.5: "−0.500", 1e-5: "1.0e−5", 1e30: "1.0e30"} {
		if got := Short(v); got != want {
			t.Errorf("short(%v) = %q, want %q", v, got, want)
		}
	}
}

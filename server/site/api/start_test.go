package api

import (
	"encoding/json"
	"testing"

	"impalab/learner/hyper"
	"impalab/server/store"
)

// FuzzStart reads bodies: whatever comes is refused with a sentence, or is a configuration that reads back the same.
func FuzzStart(f *testing.F) {
	for _, seed := range []string{
		`{"preset":"lag-cliff","settings":{"correction":"none"},"seed":3,"steps":40000,"speed":"inf"}`,
		`{"settings":{"world":"catch:rows=14","rho":"7/8","rho":2}}`,
		`{"preset":"catch","settings":{"steps":1e3,"lr":0.001},"seed":"18446744073709551615"}`,
		`{"prest":1}`, `{"rho":2}`, `[]`, `{"settings":null}`, `{"settings":{"a":{"b":[1]}}}`, `{"seed":1e400}`,
		`{"steps":true}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var b Start
		err := decode(data, &b)
		if err == nil {
			spec, refusal := b.spec()
			if err = refusal; err == nil {
				again, _, _, err := hyper.FromSettings(append([]hyper.Setting{{Key: "preset", Value: spec.Preset}},
					spec.Config.Settings()...))
				if err != nil || len(again.Diff(&spec.Config)) != 0 {
					t.Fatalf("%s became %v, which reads back with %v, %v", data, spec.Config.Settings(), again.Diff(&spec.Config), err)
				}
			}
		}
		if err != nil && err.Error() == "" {
			t.Fatalf("%q is refused without a word", data)
		}
	})
}

func TestACursorIsTheValueOfTheLastPage(t *testing.T) {
	id := store.NewID()
	if c, err := parseCursor("12." + id); err != nil || c != (store.Cursor{Created: 12, ID: id}) {
		t.Errorf("%+v, %v", c, err)
	}
	for _, text := range []string{"x", "12", "12.", "." + id, "12." + id[1:], "12." + id + "00", "12.\x00", "12.a\xff"} {
		if c, err := parseCursor(text); err == nil {
			t.Errorf("%q is taken for %+v", text, c)
		}
	}
}

func TestAValueIsKeptAsItWasWritten(t *testing.T) {
	for text, want := range map[string]Value{`"2"`: "2", `2`: "2", `1e6`: "1e6", `"7/8"`: "7/8",
		`18446744073709551615`: "18446744073709551615"} {
		var v Value
		if err := json.Unmarshal([]byte(text), &v); err != nil || v != want {
			t.Errorf("%s is %q, %v", text, v, err)
		}
	}
}

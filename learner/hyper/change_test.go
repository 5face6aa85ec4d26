package hyper

import (
	"testing"

	"pgregory.net/rapid"
)

func TestAChangeComesToWhatSettingTheTextWould(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		row := &Table[rapid.IntRange(0, len(Table)-1).Draw(t, "row")]
		text := anyValue(t, row)
		cfg, err := FromPreset(DefaultPreset)
		if err != nil {
			t.Fatal(err)
		}
		want, before := cfg, cfg
		change, err := ParseChange(row.Key, text)
		if err != nil {
			t.Fatal(err)
		}
		if d := cfg.Diff(&before); len(d) > 0 {
			t.Fatalf("reading %s=%s has changed %v", row.Key, text, d)
		}
		if err := want.Set(row.Key, text); err != nil {
			t.Fatal(err)
		}
		change.Apply(&cfg)
		if d := cfg.Diff(&want); len(d) > 0 {
			t.Fatalf("%s=%s: applied is %v, set is %s", row.Key, text, d, want.Get(row.Key))
		}
		if change.Key() != row.Key || change.Value() != want.Get(row.Key) || change.Hot() != row.Hot {
			t.Fatalf("%s=%s says it is %s=%s, hot %v", row.Key, text, change.Key(), change.Value(), change.Hot())
		}
	})
}

func TestNoChangeChangesNothing(t *testing.T) {
	cfg, before := Config{}, Config{}
	var none Change
	none.Apply(&cfg)
	if cfg.Diff(&before) != nil || none.Key() != "" || none.Value() != "" {
		t.Errorf("the zero change is %s=%s", none.Key(), none.Value())
	}
}

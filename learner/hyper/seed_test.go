package hyper

import "testing"

func TestASeedOf53BitsIsExact(t *testing.T) {
	const text = "9007199254740991"
	cfg, _, _, err := FromSettings([]Setting{{Key: "preset", Value: "catch"}, {Key: "seed", Value: text}})
	if err != nil || cfg.Seed != MaxSeed || cfg.Get("seed") != text || cfg.Validate() != nil {
		t.Errorf("seed %d, written %s, %v", cfg.Seed, cfg.Get("seed"), err)
	}
	if change, err := ParseChange("seed", text); err != nil || change.Value() != text {
		t.Errorf("%v as a link has it is %s", err, change.Value())
	}
	if err := cfg.Set("seed", "9007199254740992"); err == nil {
		t.Error("a seed of 54 bits is taken")
	}
}

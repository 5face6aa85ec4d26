package hyper

import (
	"reflect"
	"testing"
)

func TestEveryFieldOfAConfigurationIsARow(t *testing.T) {
	config := reflect.TypeFor[Config]()
	for i := range config.NumField() {
		f := config.Field(i)
		if _, err := Lookup(f.Tag.Get("key")); err != nil {
			t.Errorf("Config.%s has no entry in settings.txt: %v", f.Name, err)
		}
	}
	if config.NumField() != len(Table) {
		t.Errorf("%d fields and %d rows", config.NumField(), len(Table))
	}
}

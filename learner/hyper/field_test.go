package hyper

import (
	"reflect"
	"testing"
)

func TestEveryFieldOfAConfigurationIsARow(t *testing.T) {
	if fields := reflect.TypeFor[Config]().NumField(); fields != len(Table) {
		t.Errorf("%d fields and %d rows", fields, len(Table))
	}
}

package run

import (
	"slices"
	"strings"
	"testing"

	"impalab/web/wire"
)

func TestAnOptionTravelsInTheWorldsNameAndInTheLink(t *testing.T) {
	m := open("#p=t-maze")
	greet(m)
	if got := m.Option("length"); got != "10" {
		t.Errorf("the usual length is %q", got)
	}
	message, err := m.SetOption("length", " 20 ")
	if err != nil {
		t.Fatal(err)
	}
	if hello, ok := message.(*wire.Hello); !ok ||
		!slices.Contains(hello.Settings, wire.Setting{Key: "world", Value: "t-maze:length=20"}) {
		t.Errorf("asked with %+v", message)
	}
	m.Apply(welcome(m.force, m.Preset))
	if m.Option("length") != "20" || !strings.Contains(m.Fragment(), "world=t-maze:length") {
		t.Errorf("length %s, link %s", m.Option("length"), m.Fragment())
	}
	again := open(m.Fragment())
	if again.Config().World != "t-maze:length=20" {
		t.Errorf("the link %s opens %s", m.Fragment(), again.Config().World)
	}
	if message, err := m.SetOption("length", "20"); message != nil || err != nil {
		t.Errorf("asked for what is in force: %v, %v", message, err)
	}
}

func TestAnOptionOutOfRangeIsRefusedByName(t *testing.T) {
	m := open("#p=t-maze")
	greet(m)
	if _, err := m.SetOption("length", "1"); err == nil || !strings.Contains(err.Error(), "length") ||
		!strings.Contains(err.Error(), "from 2 to 1000") {
		t.Errorf("refused with %v", err)
	}
}

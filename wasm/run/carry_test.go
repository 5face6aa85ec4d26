package run

import (
	"slices"
	"strings"
	"testing"

	"impalab/learner/hyper"
	"impalab/web/wire"

	"impalab/web/link"
)

func TestARunMovesAsItsSettingsAndChanges(t *testing.T) {
	m := open("#p=cartpole&lag=4&seed=7")
	greet(m)
	m.Apply(&wire.Changed{Event: 1, Step: 80000, Key: "lag", From: "4", To: "64"})
	m.Apply(&wire.XRay{Step: 90000})
	was, id := m.Fragment(), m.ID
	message, err := m.Carry(true)
	if err != nil {
		t.Fatal(err)
	}
	hello := message.(*wire.Hello)
	for _, want := range []wire.Setting{{Key: "preset", Value: "cartpole"}, {Key: "lag", Value: "4"},
		{Key: "seed", Value: "7"}, {Key: "arithmetic", Value: "plain"}, {Key: "t", Value: "80000:lag=64"},
		{Key: "upto", Value: "90000"}} {
		if !slices.Contains(hello.Settings, want) {
			t.Errorf("%v does not move: %v", want, hello.Settings)
		}
	}
	if hello.Run != "" || hello.From.Run != "" || !m.InBrowser {
		t.Errorf("it moves as %+v", hello)
	}
	greet(m)
	if link := m.Fragment(); strings.Contains(link, "upto") || !strings.Contains(link, "t=80000:lag=64") {
		t.Errorf("moved, its link is %s", link)
	}
	if back := m.Undo().(*wire.Hello); back.Run != id || m.InBrowser {
		t.Errorf("undo comes back to %+v, not to the run that it was", back)
	}
	if greet(m); m.Fragment() != was {
		t.Errorf("undo comes back to %s, not %s", m.Fragment(), was)
	}
}

func TestARunThatALinkCannotHoldDoesNotMove(t *testing.T) {
	live := open("#p=cartpole&mode=live")
	greet(live)
	if _, err := live.Carry(true); err == nil || !strings.Contains(err.Error(), "mode=reference") || live.InBrowser {
		t.Errorf("a live run: %v", err)
	}
	turned := open("#p=cartpole")
	greet(turned)
	for i := range uint64(hyper.MaxPlanned) {
		turned.Apply(&wire.Changed{Event: i + 1, Step: 80000 * i, Key: "lag", From: "0", To: "4"})
	}
	if _, err := turned.Carry(true); err == nil || !strings.Contains(err.Error(), "too often") {
		t.Errorf("a run that was turned a thousand times: %v", err)
	}
}

func TestAReloadDoesNotAskTheServerForARunOfTheBrowser(t *testing.T) {
	m := open("#p=cartpole")
	if m.Resume("here0-x-1", ""); m.Hello().Run != "" || len(m.Notices) != 1 {
		t.Errorf("it asks for %q and says %q", m.Hello().Run, m.Notices)
	}
}

func TestAReloadContinuesTheBrowsersRunWhereItStood(t *testing.T) {
	m := open("#p=cartpole&seed=7")
	m.InBrowser = true
	greet(m)
	m.Apply(&wire.Changed{Event: 1, Step: 80000, Update: 500, Key: "lag", From: "0", To: "64"})
	m.Apply(&wire.XRay{Step: 90000, Update: 563})
	kept, err := m.Carried()
	if err != nil {
		t.Fatal(err)
	}
	after := open(m.Fragment() + "&theme=dark")
	after.Resume("here0-x-1", kept.String())
	for range 2 { // a second reload, before it is there again, loses nothing
		hello := after.Hello()
		for _, want := range []wire.Setting{{Key: "seed", Value: "7"}, {Key: "t", Value: "80000:lag=64"},
			{Key: "upto", Value: "90000"}} {
			if !slices.Contains(hello.Settings, want) {
				t.Errorf("%v is lost: %v", want, hello.Settings)
			}
		}
		if hello.Run != "" || !after.InBrowser || link.Last(after.Link.View, "theme") != "dark" || len(after.Notices) != 1 ||
			!strings.Contains(after.Notices[0], "up to step 90\u2009000") {
			t.Errorf("it comes back as %+v, and says %q", hello, after.Notices)
		}
		if kept, err = after.Carried(); err != nil {
			t.Fatal(err)
		}
		after = open(m.Fragment() + "&theme=dark")
		after.Resume("here0-x-1", kept.String())
	}
}

// A browser's run is kept with its pause and its reason, also when the page is left again on the way back.
func TestARunOfABrowserIsKeptWithItsPause(t *testing.T) {
	m := open("#p=cartpole&seed=7")
	greet(m)
	m.Apply(&wire.XRay{Step: 90000})
	kept := func() string {
		l, err := m.Saved()
		if err != nil {
			t.Fatal(err)
		}
		return l.String()
	}
	if strings.Contains(kept(), "paused") {
		t.Errorf("it runs, and is kept as %s", kept())
	}
	m.Apply(&wire.Status{Event: 1, State: wire.StatePaused})
	if !strings.Contains(kept(), "&paused=hand&") {
		t.Errorf("paused by hand it is kept as %s", kept())
	}
	m.Apply(&wire.Status{Event: 2, State: wire.StatePaused, Reason: wire.ReasonFell})
	link := kept()
	if !strings.Contains(link, "&paused=fell&") || !strings.Contains(link, "upto=90000") {
		t.Errorf("paused because it fell it is kept as %s", link)
	}
	again := open("#p=cartpole&seed=7")
	again.Resume("here-1", link)
	if said := strings.Join(again.Notices, " "); !strings.Contains(said, "to the same bytes, and pauses there.") {
		t.Errorf("it says %q", said)
	}
	greet(again)
	again.Apply(&wire.Status{Event: 1, State: wire.StateReturning, Reason: "12 % of the way"})
	m = again
	if kept() != link {
		t.Errorf("on its way back it is kept as %s, not %s", kept(), link)
	}
	if strings.Contains(again.Fragment(), "paused") {
		t.Errorf("the link to it is %s", again.Fragment())
	}
}

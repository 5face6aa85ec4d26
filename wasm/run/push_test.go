package run

import (
	"slices"
	"testing"
	"time"

	"impalab/envs"
	"impalab/envs/bodies"
)

// A push reaches the watched body alone: its speed changes at once, and the page sends nothing.
func TestAPushMovesTheWatchedBodyAndSendsNothing(t *testing.T) {
	for _, forward := range []bool{true, false} {
		m, server := here(t, "#p=walker"), new(line)
		m.Line = server
		playFor(m, 0, time.Second)
		var before, after bodies.Pose
		body := bodies.Of(m.local.player.World())
		body.Pose(&before)
		if !m.Push(forward) {
			t.Fatal("the walker is not pushed")
		}
		body.Pose(&after)
		if more := after.Speed - before.Speed; (more > 0) != forward || more*more < 3 {
			t.Errorf("forward %v: the speed changes by %v m/s", forward, more)
		}
		if len(server.sent) > 0 || !slices.Equal(m.Notices, []string{pushed}) {
			t.Errorf("%d messages, notices %q", len(server.sent), m.Notices)
		}
	}
}

// A pole turns in the direction of the push.
func TestAPushTurnsThePole(t *testing.T) {
	for _, forward := range []bool{true, false} {
		m := here(t, "#p=cartpole")
		playFor(m, 0, time.Second/10)
		before, _ := envs.StickOf(m.local.player.World())
		if !m.Push(forward) {
			t.Fatal("the pole is not pushed")
		}
		after, _ := envs.StickOf(m.local.player.World())
		if more := after.Turn - before.Turn; (more > 0) != forward || more*more < .5 {
			t.Errorf("forward %v: it turns faster by %v rad/s", forward, more)
		}
	}
}

func TestOnlyAnAgentThatThePagePlaysIsPushed(t *testing.T) {
	m := here(t, "#p=catch")
	playFor(m, 0, time.Second)
	if m.Push(true) {
		t.Error("a ball was pushed")
	}
	m = here(t, "#p=walker")
	m.Choice = Server
	if !m.Push(true) || !slices.Equal(m.Notices, []string{pushedAway}) {
		t.Errorf("the server's copy: notices %q", m.Notices)
	}
	m.Choice = Here
	playFor(m, 0, time.Second)
	if !m.Push(true) || !slices.Equal(m.Notices, []string{pushed}) {
		t.Errorf("the page's own copy: notices %q", m.Notices)
	}
	m = here(t, "#p=walker")
	playFor(m, 0, time.Second)
	m.Covered = true
	if m.Push(true) {
		t.Error("the agent's body was pushed while a person played")
	}
}

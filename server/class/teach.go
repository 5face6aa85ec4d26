package class

// The teacher's changes of a room and its members.

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"impalab/learner/hyper"
	"impalab/server/errcode"
	"impalab/server/nickname"
	"impalab/server/store"
	"impalab/web/exercise"
)

// Change is a teacher's change of a room; nil fields stay.
type Change struct {
	Title     *string           `json:"title,omitempty" doc:"Title of the room."`
	Plan      *string           `json:"plan,omitempty" doc:"Of GET /plans; the room is then at its first step."`
	Step      *int              `json:"step,omitempty" doc:"Of the plan, from 0."`
	Follow    *bool             `json:"follow,omitempty" doc:"Everybody sees the teacher's step; otherwise students may go back."`
	Frozen    *bool             `json:"frozen,omitempty" doc:"Students cannot send anything."`
	Complete  *bool             `json:"complete,omitempty" doc:"No new student can join; members of the room continue."`
	Locked    *[]string         `json:"locked,omitempty" doc:"Settings that students may not change."`
	Spotlight *int64            `json:"spotlight,omitempty" doc:"The number of a member whose run all see, without a name; 0: none."`
	Revealed  *bool             `json:"revealed,omitempty" doc:"Show the answer or the sentences of the current step to all. Later guesses do not count."`
	Hide      *int64            `json:"hide,omitempty" doc:"The number of a sentence to take off the wall."`
	Timer     *int              `json:"timer,omitempty" doc:"A countdown that students see, in seconds; 0: none."`
	Due       map[string]string `json:"due,omitempty" doc:"Exercises and their due dates, like 2026-12-04T18:00:00+01:00; an empty one takes the date away. Later hand-ins count, and are marked as late."`

	Closed *bool `json:"closed,omitempty" doc:"No student can join or send anything; everything can still be read."`

	Fleet *FleetChange `json:"fleet,omitempty" doc:"The students' browsers act for one run."`
}

// maxTimer is the longest timer, in seconds.
const maxTimer = 24 * 3600

// Change makes all of a teacher's changes, or none.
func (r *Room) Change(ctx context.Context, c Change) error {
	if c.Fleet != nil && len(c.Fleet.Set) > 0 {
		return r.steerFleet(ctx, c)
	}
	r.changing.Lock()
	defer r.changing.Unlock()
	next, closed := r.set, r.closed
	next.Revealed = maps.Clone(r.set.Revealed)
	if err := next.changePlan(&c); err != nil {
		return err
	}
	if err := r.arrange(&next, &c); err != nil {
		return err
	}
	if err := r.changeDue(&next, c.Due); err != nil {
		return err
	}
	set(&closed, c.Closed)
	if err := r.changeFleet(ctx, &next, closed, c.Fleet); err != nil {
		return err
	}
	return r.setSettings(ctx, next, closed)
}

// changePlan changes the plan, its step, and whether all see the answer or the sentences of the step.
func (next *Settings) changePlan(c *Change) error {
	if c.Plan != nil && *c.Plan != next.Plan {
		of, err := exercise.PlanNamed(*c.Plan)
		if err != nil {
			return errcode.Refuse(err)
		}
		next.Plan, next.Step, next.Follow = of.Name, 0, of.Minutes > 0
	}
	plan, err := exercise.PlanNamed(next.Plan)
	if err != nil {
		return errOldPlan
	}
	if c.Step != nil {
		if *c.Step < 0 || *c.Step >= len(plan.Steps) {
			return errcode.Errorf(errcode.Refused, "step %d: the plan has the steps 0 to %d", *c.Step, len(plan.Steps)-1)
		}
		if next.Step != *c.Step {
			next.Step, next.Timer = *c.Step, 0
		}
	}
	if c.Revealed != nil {
		if plan.Steps[next.Step].Predict == nil && plan.Steps[next.Step].Sentence == "" {
			return errcode.Errorf(errcode.Refused, "this step asks for no guess and no sentence, so there is nothing to "+
				"show")
		}
		if next.Revealed == nil {
			next.Revealed = map[string]bool{}
		}
		if next.Revealed[plan.Steps[next.Step].Name] = *c.Revealed; !*c.Revealed {
			delete(next.Revealed, plan.Steps[next.Step].Name)
		}
	}
	return nil
}

// arrange changes the settings that do not depend on the plan.
func (r *Room) arrange(next *Settings, c *Change) error {
	if c.Title != nil {
		title, err := cleanTitle(*c.Title)
		if err != nil {
			return err
		}
		next.Title = title
	}
	if c.Hide != nil {
		if n := *c.Hide; n < 1 || n > int64(len(r.answers)) || r.answers[n-1].Kind != Sentence {
			return errcode.Errorf(errcode.Refused, "there is no sentence %d", n)
		}
		if !slices.Contains(next.Hidden, *c.Hide) {
			next.Hidden = append(slices.Clip(next.Hidden), *c.Hide)
		}
	}
	if c.Locked != nil {
		for _, key := range *c.Locked {
			if _, err := hyper.Lookup(key); err != nil {
				return errcode.Errorf(errcode.Refused, "locked: %w", err)
			}
		}
		next.Locked = slices.Compact(slices.Sorted(slices.Values(*c.Locked)))
	}
	if c.Spotlight != nil {
		if *c.Spotlight != 0 && r.member(*c.Spotlight) == nil {
			return errcode.Errorf(errcode.Refused, "there is no member %d", *c.Spotlight)
		}
		next.Spotlight = *c.Spotlight
	}
	if c.Timer != nil {
		if *c.Timer < 0 || *c.Timer > maxTimer {
			return errcode.Errorf(errcode.Refused, "a timer runs for 1 to %d seconds, or 0 for none", maxTimer)
		}
		if next.Timer = 0; *c.Timer > 0 {
			next.Timer = r.now().Add(time.Duration(*c.Timer) * time.Second).UnixMilli()
		}
	}
	set(&next.Follow, c.Follow)
	set(&next.Frozen, c.Frozen)
	set(&next.Complete, c.Complete)
	return nil
}

// set sets a value unless it stays.
func set[T any](value, to *T) {
	if to != nil {
		*value = *to
	}
}

// setSettings stores settings, then makes them visible and lets the fleet follow. The caller holds changing.
func (r *Room) setSettings(ctx context.Context, next Settings, closed bool) error {
	return r.commit(ctx, func(tx *store.Tx) error { return tx.SetRoom(r.code, store.JSON(next), closed) }, func() {
		r.set, r.closed = next, closed
		r.switchFleet()
	})
}

// MemberChange is a teacher's change of a member; nil and false fields change nothing.
type MemberChange struct {
	Nickname *string `json:"nickname,omitempty"`
	Removed  bool    `json:"removed,omitempty" doc:"Remove the member; the answers stay, and the nickname is free."`
	Reopen   bool    `json:"reopen,omitempty" doc:"The next person who joins by this nickname becomes this member: for a student with another browser."`
	Helped   bool    `json:"helped,omitempty" doc:"The call for help is answered."`
}

// ChangeMember changes a member.
func (r *Room) ChangeMember(ctx context.Context, number int64, c MemberChange) error {
	r.changing.Lock()
	defer r.changing.Unlock()
	m := r.member(number)
	if m == nil {
		return errcode.Errorf(errcode.NotFound, "there is no member %d in this room", number)
	}
	row := m.Member
	if c.Nickname != nil {
		clean, folded, err := nickname.Clean(*c.Nickname)
		if err != nil {
			return errcode.Refuse(err)
		}
		if other := r.named(folded); other != nil && other != m {
			return errcode.Errorf(errcode.Conflict, "%s is in this room already: choose another nickname", other.Nickname)
		}
		row.Nickname, row.Folded = clean, folded
	}
	row.Help = row.Help && !c.Helped
	row.Reopen = row.Reopen || c.Reopen
	if c.Removed {
		row.Folded = ""
	}
	return r.setMember(ctx, m, row, func() {
		if c.Removed {
			r.fleet.dismiss(number, errNotHere)
		}
	})
}

// Delete deletes the room with its members and answers, at once.
func (r *Room) Delete(ctx context.Context) error {
	r.changing.Lock()
	defer r.changing.Unlock()
	r.mu.Lock() // also during the transaction, so that no answer changes
	err := r.do(ctx, func(tx *store.Tx) error { return errors.Join(r.cancelJobs(tx), tx.DeleteRoom(r.code)) })
	if err != nil {
		r.mu.Unlock()
		return err
	}
	r.deleted = true
	r.endFleet(errNotHere)
	r.notify()
	last := r.set.Fleet.Run
	r.mu.Unlock()
	if last != "" && r.rooms.opts.Runs != nil {
		r.rooms.opts.Runs.Delete(ctx, last, r.fleetKey())
	}
	r.rooms.mu.Lock()
	defer r.rooms.mu.Unlock()
	if r.rooms.held[r.code] == r {
		delete(r.rooms.held, r.code)
		r.rooms.size.Add(-r.size.Load())
	}
	return nil
}

package lab

import (
	"context"
	"errors"
	"math"
	"runtime"

	"impalab/learner"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/net"
	"impalab/learner/schedule"
	"impalab/server/errcode"
	"impalab/server/store"
	"impalab/web/play"
	"impalab/web/runloop"
	"impalab/web/watch"
)

// Policy is the policy of a run at a moment.
type Policy struct {
	play.Policies
	Config       hyper.Config // in force then
	Spec         net.Spec
	Update, Step uint64
}

// WithPolicy calls use with the policy of the newest snapshot at or before an update, on a core. It is NotFound where
// no snapshot is stored: of a live run, of a run that has hardly begun, and before the oldest.
func (l *Lab) WithPolicy(ctx context.Context, id string, update uint64, use func(*Policy) error) error {
	if _, err := l.Info(ctx, id); err != nil {
		return err
	}
	c := &record{id: id, Record: &runloop.Record{}}
	if r := l.run(id); r != nil {
		c = r.record
	}
	saved, err := l.snapshotAt(ctx, c, update)
	if errors.Is(err, store.ErrNotFound) {
		return errcode.Errorf(errcode.NotFound, "no snapshot of the run is kept from update %d or before", update)
	}
	if err != nil {
		return err
	}
	return usePolicy(l.cores.Share("snapshots that are played", purposes[Batch].weight), saved, use)
}

// KeptPolicy is WithPolicy for the newest snapshot in a store that no lab uses, such as a backup.
func KeptPolicy(ctx context.Context, from *store.Store, id string, use func(*Policy) error) error {
	kept, err := store.Look(ctx, from, func(tx *store.Tx) (store.Snapshot, error) {
		return tx.SnapshotAt(id, math.MaxInt64)
	})
	if errors.Is(err, store.ErrNotFound) {
		return errcode.Errorf(errcode.NotFound, "no snapshot of the run is kept")
	}
	if err != nil {
		return err
	}
	saved, err := unpack(kept)
	if err != nil {
		return err
	}
	return usePolicy(schedule.NewCores(runtime.GOMAXPROCS(0)).Share("a snapshot that is played", 1), saved, use)
}

// usePolicy calls use with the policy of a snapshot, on a core of a share that it closes.
func usePolicy(cores *schedule.Share, saved runloop.Snapshot, use func(*Policy) error) error {
	defer cores.Close()
	cores.Hold()
	agent, err := learner.Engine{Lower: graph.Lower, Cores: cores}.Resume(saved.Blob)
	if err != nil {
		cores.Release()
		return errcode.Errorf(errcode.Conflict, "the snapshot of update %d cannot be used: %w", saved.Update, err)
	}
	var p watch.Policies
	p.CopyFrom(agent, max(1, len(agent.Tasks())))
	spec := agent.Machine().Spec
	cores.Release()
	agent.Close() // which wants no core
	cores.Hold()
	defer cores.Release()
	return use(&Policy{p.Policies, p.Config, spec, p.Update, p.Step})
}

// FirstSnapshot returns the update of the oldest snapshot of a run; false: there is none.
func (l *Lab) FirstSnapshot(ctx context.Context, id string) (update uint64, ok bool, err error) {
	all, err := store.Look(ctx, l.store, func(tx *store.Tx) ([]store.Snapshot, error) { return tx.Snapshots(id) })
	if len(all) > 0 {
		return uint64(all[0].Update), true, err
	}
	if r := l.run(id); r != nil { // the store may not have its first yet
		r.record.Lock()
		defer r.record.Unlock()
		if len(r.record.snapshots) > 0 {
			return r.record.snapshots[0].Update, true, err
		}
	}
	return 0, false, err
}

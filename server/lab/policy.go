package lab

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"

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

	// Going is called between two parts of the work with the policy. It returns why the work should end, or nil.
	Going func() error
}

// WithPolicy calls use with the policy of the newest snapshot at or before an update, on a core. It is NotFound where
// no snapshot is stored: of a live run, of a run that has hardly begun, and before the oldest. Use takes these bytes
// beside the policy.
func (l *Lab) WithPolicy(ctx context.Context, id string, update uint64, bytes float64, use func(*Policy) error) error {
	_, cfg, err := l.brief(ctx, id)
	if err != nil {
		return err
	}
	cost, err := learner.CostOf(&cfg)
	if err != nil {
		return err
	}
	c := &record{id: id, Record: &runloop.Record{}}
	if r := l.run(id); r != nil {
		c = r.record
	}
	return l.beside(ctx, cost.Bytes+bytes, func(cores *schedule.Share, going func() error) error {
		saved, err := l.snapshotAt(ctx, c, update)
		if errors.Is(err, store.ErrNotFound) {
			return noSnapshot(update)
		}
		if err != nil {
			return err
		}
		return usePolicy(cores, going, saved, use)
	})
}

// StoredPolicy is WithPolicy for the newest snapshot in a store that no lab uses, such as a backup.
func StoredPolicy(ctx context.Context, from *store.Store, id string, use func(*Policy) error) error {
	kept, err := store.Get(ctx, from, func(tx *store.Tx) (store.Snapshot, error) {
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
	cores := schedule.NewCores(runtime.GOMAXPROCS(0)).Share("a snapshot that is played", 1)
	defer cores.Close()
	defer cores.Drain()
	return usePolicy(cores, func() error { return context.Cause(ctx) }, saved, use)
}

// usePolicy calls use with the policy of a snapshot, on a core. The caller drains the share.
func usePolicy(cores *schedule.Share, going func() error, saved runloop.Snapshot, use func(*Policy) error) error {
	cores.Acquire()
	agent, err := learner.Engine{Lower: graph.Lower, Cores: cores}.Resume(saved.Blob)
	if err != nil {
		return errcode.Errorf(errcode.Conflict, "the snapshot of update %d cannot be used: %w", saved.Update, err)
	}
	var p watch.Policies
	p.CopyFrom(agent, max(1, len(agent.Tasks())))
	spec := agent.Machine().Spec
	closeBeside(cores, agent)
	return use(&Policy{p.Policies, p.Config, spec, p.Update, p.Step, going})
}

// closeBeside closes a learner while its share holds no core: closing waits for goroutines that may want one.
func closeBeside(cores *schedule.Share, agent *learner.Learner) {
	cores.Release()
	defer cores.Acquire()
	agent.Close()
}

// FirstSnapshot returns the update of the oldest snapshot of a run; false: there is none.
func (l *Lab) FirstSnapshot(ctx context.Context, id string) (update uint64, ok bool, err error) {
	all, err := l.snapshots(ctx, id)
	if len(all) == 0 {
		return 0, false, err
	}
	return slices.Min(all), true, err
}

// NewestSnapshot returns the update of the newest snapshot of a run at or before an update.
func (l *Lab) NewestSnapshot(ctx context.Context, id string, before uint64) (update uint64, err error) {
	if _, _, err := l.brief(ctx, id); err != nil {
		return 0, err
	}
	all, err := l.snapshots(ctx, id)
	all = slices.DeleteFunc(all, func(at uint64) bool { return at > before })
	if err == nil && len(all) == 0 {
		err = noSnapshot(before)
	}
	if err != nil {
		return 0, err
	}
	return slices.Max(all), nil
}

func noSnapshot(update uint64) error {
	if update >= math.MaxInt64 {
		return errcode.Errorf(errcode.NotFound, "the run has no snapshot yet; try again in a moment")
	}
	return errcode.Errorf(errcode.NotFound, "the run has no snapshot of update %d or an earlier one; ask for a later "+
		"update", update)
}

// snapshots returns the updates of a run's snapshots: of the stored ones, and of those that the store may not have yet.
func (l *Lab) snapshots(ctx context.Context, id string) (updates []uint64, err error) {
	all, err := store.Get(ctx, l.store, func(tx *store.Tx) ([]store.Snapshot, error) { return tx.Snapshots(id) })
	for _, s := range all {
		updates = append(updates, uint64(s.Update))
	}
	if r := l.run(id); r != nil {
		r.record.Lock()
		defer r.record.Unlock()
		for _, s := range r.record.snapshots {
			updates = append(updates, s.Update)
		}
	}
	return updates, err
}

package lab

import (
	"context"
	"errors"
	"math"
	"runtime"

	"impalab/envs"
	"impalab/learner"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/net"
	"impalab/learner/schedule"
	"impalab/server/errcode"
	"impalab/server/store"
	"impalab/web/play"
	"impalab/web/watch"
)

// Policy is what a run acted with at a moment, for whoever wants to see its agent again.
type Policy struct {
	play.Policies
	Config       hyper.Config // in force then
	Spec         net.Spec
	Update, Step uint64
}

// WithPolicy hands use the policy of the newest snapshot at or before an update, on a core that it holds meanwhile. It
// is NotFound where none is kept: of a live run, of one that has hardly begun, and before the oldest.
func (l *Lab) WithPolicy(ctx context.Context, id string, update uint64, use func(*Policy) error) error {
	if _, err := l.Info(ctx, id); err != nil {
		return err
	}
	c := &record{id: id}
	l.mu.Lock()
	if r := l.runs[id]; r != nil {
		c = r.record
	}
	l.mu.Unlock()
	saved, err := l.snapshotAt(ctx, c, update)
	if errors.Is(err, store.ErrNotFound) {
		return errcode.Errorf(errcode.NotFound, "no snapshot of the run is kept from update %d or before", update)
	}
	if err != nil {
		return err
	}
	cores := l.cores.Share("snapshots that are played", purposes[Batch].weight)
	defer cores.Close()
	return usePolicy(cores, saved, use)
}

// KeptPolicy hands use the policy of the newest snapshot that a store has of a run, where there is no lab: what is read
// may be a backup, or the store of a server that goes on. It is NotFound where none is kept.
func KeptPolicy(ctx context.Context, from *store.Store, id string, use func(*Policy) error) error {
	var kept store.Snapshot
	err := from.View(ctx, func(tx *store.Tx) (err error) {
		kept, err = tx.SnapshotAt(id, math.MaxInt64)
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return errcode.Errorf(errcode.NotFound, "no snapshot of the run is kept")
	}
	if err != nil {
		return err
	}
	saved := snapshot{update: uint64(kept.Update), step: uint64(kept.Step)}
	if err := saved.unpack(kept.Data); err != nil {
		return err
	}
	cores := schedule.NewCores(runtime.GOMAXPROCS(0)).Share("a snapshot that is played", 1)
	defer cores.Close()
	return usePolicy(cores, saved, use)
}

// usePolicy hands use the policy of a snapshot, on a core.
func usePolicy(cores *schedule.Share, saved snapshot, use func(*Policy) error) error {
	p, err := policyOf(cores, saved)
	if err != nil {
		return errcode.Errorf(errcode.Conflict, "the snapshot of update %d cannot be used: %w", saved.update, err)
	}
	cores.Hold()
	defer cores.Release()
	return use(p)
}

func policyOf(cores *schedule.Share, saved snapshot) (*Policy, error) {
	cores.Hold()
	agent, err := learner.Engine{Lower: graph.Lower, Cores: cores}.Resume(saved.blob)
	if err != nil {
		cores.Release()
		return nil, err
	}
	_, tasks, err := envs.Describe(agent.Config().World)
	var p watch.Policies
	if err == nil {
		p.CopyFrom(agent, len(tasks))
	}
	spec := agent.Machine().Spec
	cores.Release()
	agent.Close() // which wants no core
	return &Policy{p.Policies, p.Config, spec, p.Update, p.Step}, err
}

// FirstSnapshot is the update of the oldest snapshot that is kept of a run; false where there is none.
func (l *Lab) FirstSnapshot(ctx context.Context, id string) (update uint64, ok bool, err error) {
	err = l.store.View(ctx, func(tx *store.Tx) error {
		all, err := tx.Snapshots(id)
		if ok = len(all) > 0; ok {
			update = uint64(all[0].Update)
		}
		return err
	})
	l.mu.Lock()
	r := l.runs[id]
	l.mu.Unlock()
	if r == nil {
		return update, ok, err
	}
	r.record.mu.Lock() // the store may not have its newest yet
	defer r.record.mu.Unlock()
	for _, s := range r.record.snapshots {
		if !ok || s.update < update {
			update, ok = s.update, true
		}
	}
	return update, ok, err
}

package lab

import (
	"context"
	"errors"

	"impalab/learner/hyper"
	"impalab/server/errcode"
	"impalab/server/places"
	"impalab/server/store"
	"impalab/web/hub"
	"impalab/web/runloop"
	"impalab/web/wire"
)

// Start begins a run. Its key is the caller's or a new one, which only this call returns.
func (l *Lab) Start(ctx context.Context, spec Spec, key string) (*Run, string, error) {
	if err := spec.Config.CheckPlan(spec.Turns, 0); err != nil {
		return nil, "", refused(err)
	}
	return l.begin(ctx, newRecord(&spec, l.opts.Build), spec, &spec.Config, key)
}

// begin stores a new run with the settings in force, and holds it. A run that cannot be held is not stored either.
func (l *Lab) begin(ctx context.Context, rec *record, spec Spec, cfg *hyper.Config, key string) (*Run, string, error) {
	key, err := l.Own(&spec.Owner, key)
	if err != nil {
		return nil, "", err
	}
	bytes, err := l.Admit(cfg)
	if err != nil {
		return nil, "", refused(err)
	}
	if err := l.mayBegin(spec.Purpose, cfg); err != nil {
		return nil, "", err
	}
	if err := l.add(ctx, rec, &spec); err != nil {
		return nil, "", err
	}
	r, err := l.hostOnce(ctx, spec, rec, bytes)
	if err != nil { // also for a caller who has gone: nothing else deletes a queued run
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), l.opts.LastWords)
		defer cancel()
		if err := l.store.Do(ctx, func(tx *store.Tx) error { return tx.DeleteRun(rec.id) }); err != nil {
			l.opts.Log.Error("a run that was refused stays stored", "run", rec.id, "error", err)
		}
	}
	return r, key, err
}

// Own sets the owner of a new run or sweep: the key that the caller brought, or a new one. Of the key and of the
// address only hashes are stored.
func (l *Lab) Own(owner *Owner, brought string) (key string, err error) {
	if key = brought; key == "" {
		key = store.NewKey()
	} else if err := CheckKey(key); err != nil {
		return "", refused(err)
	}
	*owner = Owner{HashKey(key), store.HashAddress(owner.Address, l.opts.Salt)}
	return key, nil
}

// hostOnce hosts the run of a record, unless it is in memory by now; nil while it is leaving. The store forgets the
// owner's address of a run that is over, so such a run counts for the context's visitor, who looks at it.
func (l *Lab) hostOnce(ctx context.Context, spec Spec, rec *record, bytes float64) (*Run, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if r := l.runs[rec.id]; r != nil {
		if r.ctx.Err() != nil {
			return nil, nil
		}
		return r, nil
	}
	heldFor := spec.Owner.Address
	if visitor := places.Visitor(ctx); heldFor == "" && visitor != "" {
		heldFor = store.HashAddress(visitor, l.opts.Salt)
	}
	if err := l.limitHeld(heldFor); err != nil {
		return nil, err
	}
	r := l.host(spec, rec, bytes)
	r.heldFor = heldFor
	l.runs[r.ID] = r
	l.gone.Go(r.live) // ends when the run is held no more
	return r, nil
}

// Open returns the run that a page names, or begins the run that its link describes.
func (l *Lab) Open(hello *wire.Hello, address string) (hub.Run, error) {
	if hello.Run != "" {
		run, err := l.Join(places.By(l.ctx, address), hello.Run, hello.Key)
		if errcode.Of(err) != errcode.NotFound {
			return run, err
		}
	}
	if err := l.opts.MayStart(address); err != nil {
		return nil, err
	}
	if CheckKey(hello.Key) != nil { // the page is given a better one
		hello.Key = ""
	}
	hello.After = 0 // a new run has no past, whatever the page remembers of an old one
	settings := make([]hyper.Setting, len(hello.Settings))
	for i, s := range hello.Settings {
		settings[i] = hyper.Setting(s)
	}
	var r *Run
	var key string
	var err error
	if hello.From.Run != "" {
		r, key, err = l.Fork(l.ctx, hello.From, settings, Owner{Address: address}, Watch, hello.Key)
	} else {
		var spec Spec
		if spec, err = Watched(settings); err == nil {
			spec.Owner.Address = address
			r, key, err = l.Start(l.ctx, spec, hello.Key)
		}
	}
	if err != nil {
		return nil, err
	}
	r.Join()
	if key == hello.Key {
		key = "" // the page knows it
	}
	return &runloop.Viewer{Run: &r.Run, Steers: true, Key: key}, nil
}

// Watched returns the run that a page's link describes.
func Watched(settings []hyper.Setting) (Spec, error) {
	link, err := hyper.ReadLink(settings)
	if err != nil {
		return Spec{}, refused(err)
	}
	return Spec{Link: link, Purpose: Watch}, nil
}

// Fork begins a run that is another up to a moment, and continues from there with other settings.
func (l *Lab) Fork(ctx context.Context, from Origin, settings []hyper.Setting, owner Owner, purpose Purpose,
	key string) (*Run, string, error) {
	if parent := l.run(from.Run); parent != nil && !parent.hasFork() {
		return nil, "", errUnknownRun
	}
	spec, rec, err := l.settle(ctx, from.Run)
	if err != nil {
		return nil, "", err
	}
	if spec.Config.Mode == hyper.Live {
		return nil, "", refused(errors.New("mode=live: a live run never repeats a moment, so it cannot be " +
			"forked; choose mode=reference"))
	}
	if last, _ := rec.Tape.Last(); rec.damage != nil && from.Update > last {
		return nil, "", errcode.Errorf(errcode.Conflict, "the run can be forked up to update %d: %w", last, rec.damage)
	}
	spec.From, spec.Purpose, spec.Owner = from, purpose, owner
	part, cfg, err := rec.Fork(from, &spec.Link, settings)
	if err != nil {
		return nil, "", refused(err)
	}
	child := &record{Record: part, id: store.NewID()}
	if child.shares, err = l.inherited(ctx, child, from); err != nil {
		return nil, "", err
	}
	return l.begin(ctx, child, spec, cfg, key)
}

// inherited returns the update of the newest snapshot of the parent from which a fork continues. Without one it is 0,
// and the fork is recomputed from the beginning. It reads the head of each only: snapshots are large.
func (l *Lab) inherited(ctx context.Context, child *record, from Origin) (uint64, error) {
	for update := int64(from.Update); update > 0; update-- {
		kept, err := store.Get(ctx, l.store, func(tx *store.Tx) (store.Snapshot, error) {
			return tx.SnapshotHead(from.Run, update)
		})
		var head runloop.Snapshot
		if err == nil {
			head, err = unpack(kept)
		}
		switch {
		case errors.Is(err, store.ErrNotFound):
			return 0, nil
		case err != nil && !errors.Is(err, store.ErrDamaged):
			return 0, err
		case err == nil && child.Inherits(&head):
			return head.Update, nil
		}
		update = kept.Update
	}
	return 0, nil
}

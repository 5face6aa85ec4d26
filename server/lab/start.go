package lab

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"math"
	"time"

	"impalab/learner/hyper"
	"impalab/server/errcode"
	"impalab/server/store"
	"impalab/web/hub"
	"impalab/web/wire"
)

// Start begins a run. Its key is Spec's own, where the caller brought one, else a new one, which is told here and
// nowhere again.
func (l *Lab) Start(ctx context.Context, spec Spec, key string) (*Run, string, error) {
	key, err := l.own(&spec.Owner, key)
	if err != nil {
		return nil, "", err
	}
	if err := l.admit(&spec.Config); err != nil {
		return nil, "", refused(err)
	}
	if err := spec.Config.CheckTurns(spec.Turns, 0); err != nil {
		return nil, "", refused(err)
	}
	if err := l.mayBegin(spec.Purpose, &spec.Config); err != nil {
		return nil, "", err
	}
	r, err := l.begin(ctx, newRecord(store.NewID(), l.opts.Build, &spec), spec, key)
	return r, key, err
}

// begin keeps a new run and has it live. One that there is no room for is not kept either.
func (l *Lab) begin(ctx context.Context, rec *record, spec Spec, key string) (*Run, error) {
	if err := l.add(ctx, rec, &spec, key); err != nil {
		return nil, err
	}
	r, err := l.keepHeld(spec, rec)
	if err != nil {
		l.store.Do(ctx, func(tx *store.Tx) error { return tx.DeleteRun(rec.id) })
	}
	return r, err
}

// own makes an owner of whoever begins something: its key is the one that the caller brought, or a new one. Of both the
// key and the address only hashes are kept.
func (l *Lab) own(owner *Owner, brought string) (key string, err error) {
	if key = brought; key == "" {
		key = store.NewKey()
	} else if err := CheckKey(key); err != nil {
		return "", refused(err)
	}
	*owner = Owner{HashKey(key), store.HashAddress(owner.Address, l.opts.Salt)}
	return key, nil
}

// mayBegin refuses a run that would go on for ever although nobody watches it, and any run while none can be kept.
func (l *Lab) mayBegin(purpose Purpose, cfg *hyper.Config) error {
	if purpose != Watch && cfg.Steps == 0 {
		return refused(errors.New("steps=0: a run that nobody watches needs an end; set steps"))
	}
	if err := l.stuck(); err != nil {
		return &errcode.Error{Code: errcode.Full, Err: err}
	}
	if l.opts.Storable() != nil {
		return &errcode.Error{Code: errcode.Full, Err: errUnkept}
	}
	return nil
}

// keepHeld has a run of this record be held and live, unless it is by now; nil while the last one of its name is
// leaving.
func (l *Lab) keepHeld(spec Spec, rec *record) (*Run, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if r := l.runs[rec.id]; r != nil {
		return r.unlessLeaving(), nil
	}
	if err := l.makeRoom(); err != nil {
		return nil, err
	}
	r := l.hold(spec, rec)
	if rec.state == "" { // else the store had it
		r.begun = time.Now()
	}
	l.live(r)
	return r, nil
}

// Open gives a page the run it names, whose it is or not, or begins the one its link describes.
func (l *Lab) Open(hello *wire.Hello, address string) (hub.Run, error) {
	if hello.Run != "" {
		v, err := l.join(l.ctx, hello.Run, hello.Key)
		if errcode.Of(err) != errcode.NotFound {
			return v, err
		}
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
	if from := Origin(hello.From); from.Run != "" {
		r, key, err = l.Fork(l.ctx, from, settings, Owner{Address: address}, Watch, hello.Key)
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
	r.join()
	if key == hello.Key {
		key = "" // the page knows it
	}
	return &viewer{r, true, key}, nil
}

// join joins a run that may have to be fetched from the store.
func (l *Lab) join(ctx context.Context, id, key string) (*viewer, error) {
	r, err := l.Find(ctx, id)
	if err != nil {
		return nil, err
	}
	r.join() // before tend can drop it
	if r.ctx.Err() != nil {
		r.Leave()
		return nil, errUnknownRun
	}
	return &viewer{r, r.owns(key), ""}, nil
}

// owns reports whether the run belongs to whoever has this key.
func (r *Run) owns(key string) bool {
	return subtle.ConstantTimeCompare([]byte(HashKey(key)), []byte(r.spec.Owner.Key)) == 1
}

// Watched is the run that a page's link describes.
func Watched(settings []hyper.Setting) (Spec, error) {
	asked, err := hyper.ReadLink(settings)
	if err != nil {
		return Spec{}, refused(err)
	}
	return Spec{
		Config: asked.Config, Preset: asked.Preset, Unknown: asked.Unknown, Turns: asked.Turns, UpTo: asked.UpTo,
		Purpose: Watch,
	}, nil
}

// Find is the run of that name: one that is held, or one that the store has, which is held from now on. One that is
// leaving has the store know all of it first.
func (l *Lab) Find(ctx context.Context, id string) (*Run, error) {
	for {
		l.mu.Lock()
		r := l.runs[id]
		l.mu.Unlock()
		if r != nil && r.unlessLeaving() != nil {
			return r, nil
		}
		if r != nil {
			select {
			case <-r.gone:
			case <-ctx.Done():
				return nil, gone(context.Cause(ctx))
			}
		}
		spec, rec, err := l.load(ctx, id)
		if err == nil {
			err = l.mayGoOn(&spec, rec)
		}
		if err != nil {
			return nil, err
		}
		if r, err = l.keepHeld(spec, rec); r != nil || err != nil {
			return r, err
		}
	}
}

// unlessLeaving is the run, or nil if it is to be held no more.
func (r *Run) unlessLeaving() *Run {
	if r.ctx.Err() != nil {
		return nil
	}
	return r
}

// mayGoOn refuses to hold a run that could neither go on nor be looked at: the store has it damaged, or it takes more
// than a run may here now, and would wait for room for ever.
func (l *Lab) mayGoOn(spec *Spec, rec *record) error {
	if rec.state == store.Done || rec.state == store.Diverged {
		return nil
	}
	if rec.damage != nil {
		return errcode.Errorf(errcode.Conflict, "the run cannot go on: %w; fork it from before that", rec.damage)
	}
	cfg, err := rec.tape.At(spec.Config, math.MaxUint64)
	if err != nil {
		return nil // the tape names a setting of another build, and resume says so
	}
	if err := l.afford(&cfg); err != nil {
		return errcode.Errorf(errcode.Full, "the run cannot go on: %w", err)
	}
	return nil
}

// Fork begins a run that is another up to a moment, and goes on from there with other settings.
func (l *Lab) Fork(ctx context.Context, from Origin, settings []hyper.Setting, owner Owner, purpose Purpose,
	key string) (*Run, string, error) {
	var changes []hyper.Change
	for _, s := range settings {
		if s.Key == "preset" || s.Key == "p" {
			continue // what links of the fork count from is as in the run it leaves
		}
		change, err := hyper.ParseHot(s.Key, s.Value)
		if err != nil {
			return nil, "", refused(err)
		}
		changes = append(changes, change)
	}
	l.mu.Lock()
	parent := l.runs[from.Run]
	l.mu.Unlock()
	if parent != nil && !parent.leadsOn() {
		return nil, "", errUnknownRun
	}
	if err := l.settle(ctx, from.Run); err != nil {
		return nil, "", err
	}
	spec, rec, err := l.load(ctx, from.Run)
	if err != nil {
		return nil, "", err
	}
	if spec.Config.Mode == hyper.Live {
		return nil, "", refused(errors.New("mode=live: a live run does not come to the same moment twice, so it cannot be " +
			"forked; choose mode=reference"))
	}
	if from.Update > rec.stands.Updates {
		return nil, "", refused(fmt.Errorf("update %d: the run has come to update %d", from.Update, rec.stands.Updates))
	}
	if last, _ := rec.tape.Last(); rec.damage != nil && from.Update > last {
		return nil, "", errcode.Errorf(errcode.Conflict, "the run can be forked up to update %d: %w", last, rec.damage)
	}
	spec.From, spec.Purpose, spec.Owner = from, purpose, owner
	child, err := l.cut(ctx, rec, &spec)
	if err != nil {
		return nil, "", err
	}
	cfg, err := child.tape.At(spec.Config, math.MaxUint64)
	if err != nil {
		return nil, "", &errcode.Error{Code: errcode.Conflict, Err: err}
	}
	for _, c := range changes {
		from := cfg.Get(c.Key())
		c.Apply(&cfg)
		child.leave(c, from)
	}
	spec.Turns = child.tape.TurnsOfFork(spec.Turns, child.stands.Steps)
	if err := l.admit(&cfg); err != nil {
		return nil, "", refused(err)
	}
	if err := l.mayBegin(purpose, &cfg); err != nil {
		return nil, "", err
	}
	if key, err = l.own(&spec.Owner, key); err != nil {
		return nil, "", err
	}
	r, err := l.begin(ctx, child, spec, key)
	return r, key, err
}

// settle takes all there is of a run to the store.
func (l *Lab) settle(ctx context.Context, id string) error {
	l.mu.Lock()
	r := l.runs[id]
	l.mu.Unlock()
	if r == nil {
		return nil
	}
	if err := l.stuck(); err != nil { // the scribe tries again, for all
		return &errcode.Error{Code: errcode.Full, Err: err}
	}
	r.touch()
	return l.writeDown(ctx, []*Run{r}, whole)
}

// Stop ends a run where it stands, and waits until the store has that: it will not go on. Only who has its key may.
func (l *Lab) Stop(ctx context.Context, id, key string) error {
	r, err := l.Owned(ctx, id, key)
	if err != nil {
		return err
	}
	defer r.Leave()
	if r.record.elsewhere != "" {
		return &errcode.Error{Code: errcode.Conflict, Err: errElsewhere}
	}
	if wire.Over(r.now()) {
		return &errcode.Error{Code: errcode.Conflict, Err: errRunOver}
	}
	r.mu.Lock()
	r.ended = true
	r.mu.Unlock()
	r.signal()
	select {
	case <-r.over:
	case <-ctx.Done():
		return ctx.Err()
	case <-r.ctx.Done():
		return gone(context.Cause(r.ctx))
	}
	if err := r.kept(ctx); err != nil {
		return unkept("it has stopped", err)
	}
	return nil
}

// Delete forgets a run. Its forks stay. Only who has its key may.
func (l *Lab) Delete(ctx context.Context, id, key string) error {
	r, err := l.Find(ctx, id)
	if err != nil {
		return err
	}
	if !r.owns(key) {
		return errUnknownRun
	}
	err = l.store.Do(ctx, func(tx *store.Tx) error { return tx.DeleteRun(id) })
	if err != nil && !errors.Is(err, store.ErrNotFound) { // else it was forgotten meanwhile
		return err
	}
	r.end(errDeleted)
	return nil
}

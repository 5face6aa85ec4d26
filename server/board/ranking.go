package board

// The order of a season's rows, without the rows: a full season has five thousand of 15 kB. It is read once, and then
// follows the changed rows.

import (
	"cmp"
	"encoding/json"
	"slices"
	"sync"

	"impalab/learner/trial"
	"impalab/server/store"
)

// ranking is the order of a track's rows in a season.
type ranking struct {
	track  *Track
	season int64
	over   bool // secret scores are exact

	lines    map[string]*line // by id
	order    []*line          // ranked ones, then waiting, then failed ones
	ready    int              // see Standings
	bySecret bool
	read     bool            // all rows were read once
	stale    map[string]bool // ids of other rows to read again
}

// line is what a row's place depends on, about 400 bytes.
type line struct {
	id, hash       string
	baseline       *Baseline // nil: an entry
	season         int64     // 0: it was not handed in
	job            string
	created        int64
	changed        int64
	state          store.State
	public, secret *score // nil until these seeds are trained

	place    int   // in the queue, from 1; 0: it does not wait
	progress int64 // of its job, in steps

	counts      *score // public or secret, which ranks it; nil: none yet
	rank        Rank   // zero: none yet
	provisional bool
}

// score is what a row is ranked by.
type score struct{ low, mean, high float64 }

func scoreOf(e *trial.Estimate) *score {
	return &score{float64(e.Low), float64(e.Mean), float64(e.High)}
}

// newRanking returns the ranking of a track's measured baselines in a season; 0 is none.
func newRanking(t *Track, season int64, over bool) *ranking {
	r := &ranking{track: t, season: season, over: over, lines: map[string]*line{}, stale: map[string]bool{}}
	for i := range t.Baselines {
		if b := &t.Baselines[i]; b.Row != nil {
			l := &line{id: entryID(0, t, &b.Entry), hash: b.Hash, baseline: b, state: store.Done, public: scoreOf(&b.Row.Score)}
			r.lines[l.id] = l
		}
	}
	return r
}

// follow brings the ranking up to date with the store. The caller has the ranking alone.
func (r *ranking) follow(tx *store.Tx) error {
	open, err := tx.EntriesOpen()
	if err != nil {
		return err
	}
	ids := r.behind(open)
	if ids, err = r.unknown(tx, ids); err != nil {
		return err
	}
	changed := !r.read
	for _, id := range ids {
		e, err := tx.Entry(id)
		if err != nil {
			return err
		}
		changed = r.replace(&e) || changed
	}
	moved, err := r.progress(tx)
	if err != nil {
		return err
	}
	if changed || moved {
		r.settle()
	}
	r.read = true
	clear(r.stale)
	return nil
}

// unknown adds the ids of further rows that were never read.
func (r *ranking) unknown(tx *store.Tx, ids []string) ([]string, error) {
	known := 0
	for _, l := range r.lines {
		if l.season > 0 {
			known++
		}
	}
	for _, id := range ids {
		if r.lines[id] == nil {
			known++
		}
	}
	n, err := tx.CountEntries(r.season, r.track.Name, r.track.Form())
	if err != nil || int(n) == known {
		return ids, err
	}
	all, err := tx.EntryIDs(r.season, r.track.Name, r.track.Form())
	have := map[string]bool{}
	for _, id := range ids {
		have[id] = true
	}
	for _, id := range all {
		if r.lines[id] == nil && !have[id] {
			ids = append(ids, id)
		}
	}
	return ids, err
}

// behind returns the ids of the rows to read again: queued ones that are new or have changed, ones that are no longer
// queued, and stale ones.
func (r *ranking) behind(open []store.EntryOpen) (ids []string) {
	still := map[string]bool{}
	for _, e := range open {
		if e.Season != r.season || e.Track != r.track.Name || e.Form != r.track.Form() {
			continue
		}
		still[e.ID] = true
		if l := r.lines[e.ID]; l == nil || l.changed != e.Changed {
			ids = append(ids, e.ID)
		}
	}
	for id, l := range r.lines {
		if l.waits() && l.season > 0 && !still[id] || r.stale[id] && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// again lets follow read a row again.
func (r *ranking) again(id string) {
	if l := r.lines[id]; l != nil && l.season > 0 {
		r.stale[id] = true
	}
}

// waits reports whether a job trains the row, or will.
func (l *line) waits() bool { return l.state == store.Queued || l.state == store.Training }

// replace stores a row in place of its earlier version, and reports whether they differ.
func (r *ranking) replace(e *store.BoardEntry) (changed bool) {
	if l := r.lines[e.ID]; l != nil && l.changed == e.Changed {
		return false
	}
	l := &line{id: e.ID, season: e.Season, created: e.Created, changed: e.Changed,
		state: e.State, job: e.Job}
	if entry, err := r.track.ParseEntry(e.Settings); err != nil {
		l.state = store.Failed
	} else {
		l.hash = entry.Hash
	}
	for from, to := range map[*string]**score{&e.PublicRow: &l.public, &e.SecretRow: &l.secret} {
		if *from == "" || l.hash == "" {
			continue
		}
		var row struct {
			Score trial.Estimate `json:"return_mean_run"`
		}
		if err := json.Unmarshal([]byte(*from), &row); err != nil {
			l.state = store.Failed
			continue
		}
		if to == &l.secret && !r.over {
			row.Score.Mean, row.Score.Low, row.Score.High = round(float64(row.Score.Mean), 3),
				round(float64(row.Score.Low), 3), round(float64(row.Score.High), 3)
		}
		*to = scoreOf(&row.Score)
	}
	for i := range r.track.Baselines {
		if b := &r.track.Baselines[i]; b.Hash == l.hash {
			l.baseline = b
			if delete(r.lines, entryID(0, r.track, &b.Entry)); b.Row != nil {
				l.public = scoreOf(&b.Row.Score)
			}
		}
	}
	r.lines[l.id] = l
	return true
}

// progress reads the jobs of the rows that wait, and reports whether a row has moved.
func (r *ranking) progress(tx *store.Tx) (moved bool, err error) {
	var waiting []*line
	for _, l := range r.lines {
		if l.waits() {
			waiting = append(waiting, l)
		}
	}
	if waiting == nil {
		return false, nil
	}
	jobs, err := tx.JobsAhead()
	at, places := map[string]store.JobAhead{}, map[string]int{}
	for _, j := range jobs {
		at[j.ID] = j
		if j.State == store.JobQueued {
			places[j.ID] = len(places) + 1
		}
	}
	for _, l := range waiting {
		state := store.Queued
		if at[l.job].State == store.JobRunning {
			state = store.Training
		}
		moved = moved || l.place != places[l.job] || l.state != state
		l.state, l.place, l.progress = state, places[l.job], at[l.job].Progress
	}
	return moved, err
}

// mostProvisional is the number of provisional rows with a rank; more wait for their own.
const mostProvisional = 100

// settle sorts the rows and gives them their ranks. A provisional row gets the rank that it would have.
func (r *ranking) settle() {
	r.order = r.order[:0]
	r.ready = 0
	for _, l := range r.lines {
		r.order = append(r.order, l)
		if l.baseline != nil && l.season > 0 && (l.state == store.Done || l.state == store.Failed) {
			r.ready++
		}
	}
	r.bySecret = r.season > 0 && r.ready == len(r.track.Baselines)
	slices.SortFunc(r.order, func(a, b *line) int {
		return cmp.Or(cmp.Compare(a.created, b.created), cmp.Compare(a.id, b.id))
	})
	rank(r.order, r.bySecret)
}

// rank gives rows their ranks, and sorts them.
func rank(rows []*line, bySecret bool) {
	var settled, provisional []*line
	for _, l := range rows {
		if l.counts, l.rank = l.public, (Rank{}); bySecret && l.secret != nil {
			l.counts = l.secret
		}
		l.provisional = l.baseline == nil && l.counts != nil && !(bySecret && l.secret != nil)
		switch {
		case l.counts == nil || l.state == store.Failed:
		case !l.provisional:
			settled = append(settled, l)
		case len(provisional) < mostProvisional:
			provisional = append(provisional, l)
		}
	}
	slices.SortStableFunc(settled, (*line).compare)
	for first := 0; first < len(settled); {
		last := tie(settled, first+1, settled[first].counts)
		for i := first; i <= last; i++ {
			settled[i].rank = Rank{first + 1, last + 1}
		}
		first = last + 1
	}
	for _, l := range provisional {
		l.rank = l.rankAmong(settled)
	}
	slices.SortStableFunc(rows, func(a, b *line) int {
		if x, y := a.class(), b.class(); x != y {
			return cmp.Compare(x, y)
		}
		if a.class() == 0 {
			return a.compare(b)
		}
		return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.created, b.created))
	})
}

// tie returns the last of the sorted rows from first on that tie with the score before them; first-1: none.
func tie(sorted []*line, first int, leader *score) (last int) {
	for last = first; last < len(sorted) && sorted[last].counts.high >= leader.low; last++ {
	}
	return last - 1
}

// rankAmong returns the rank that a row would have among sorted rows with ranks. The groups before its own stay.
func (l *line) rankAmong(sorted []*line) Rank {
	at, _ := slices.BinarySearchFunc(sorted, l, func(other, l *line) int { return cmp.Or(other.compare(l), -1) })
	if at > 0 {
		first := sorted[at-1].rank.First - 1
		if leader := sorted[first].counts; l.counts.high >= leader.low {
			return Rank{first + 1, tie(sorted, at, leader) + 2}
		}
	}
	return Rank{at + 1, tie(sorted, at, l.counts) + 2}
}

// compare is negative if a row stands before another.
func (l *line) compare(other *line) int {
	a, b := l.counts, other.counts
	return cmp.Or(cmp.Compare(b.low, a.low), cmp.Compare(b.mean, a.mean), cmp.Compare(l.hash, other.hash))
}

// class orders rows first: ranked, waiting, failed.
func (l *line) class() int {
	switch {
	case l.state == store.Failed:
		return 2
	case l.rank.First > 0:
		return 0
	}
	return 1
}

// describe writes what the ranking says of all rows.
func (r *ranking) describe(s *Standings) {
	s.Of, s.Ready, s.BySecret = len(r.order), r.ready, r.bySecret
	for _, l := range r.order {
		s.Begun = s.Begun || l.season > 0
		if l.baseline != nil && len(l.baseline.Settings) == 0 && l.counts != nil {
			s.Start = &l.counts.low
		}
	}
}

// full returns the whole row of a line: of the cache, or else of the store.
func (r *ranking) full(tx *store.Tx, cache *rowCache, l *line) (s Standing, err error) {
	if l.season == 0 {
		s = Standing{Entry: l.baseline.Entry, BoardEntry: store.BoardEntry{ID: l.id, State: store.Done}}
	} else if s, err = cache.row(tx, r, l); err != nil {
		return s, err
	}
	if l.baseline != nil {
		if s.Baseline = l.baseline.Name; l.baseline.Row != nil {
			s.Public = l.baseline.Row
		}
	}
	if s.State != store.Failed { // else its text can be read no more
		s.State = l.state
	}
	s.Place, s.Rank, s.Provisional = l.place, l.rank, l.provisional
	switch l.counts {
	case nil:
	case l.secret:
		s.Counts = s.Secret
	default:
		s.Counts = s.Public
	}
	trained := int(l.progress / int64(r.track.Start.Steps))
	switch {
	case s.Public == nil:
		s.Trained[0] = trained
	case s.Secret == nil:
		s.Trained = [2]int{len(r.track.Public), trained}
	default:
		s.Trained = [2]int{len(r.track.Public), r.track.Secret}
	}
	return s, nil
}

// rowCache has the rows that were read last. A nil cache reads every row.
type rowCache struct {
	mu   sync.Mutex
	rows map[string]cachedRow
}

type cachedRow struct {
	changed int64
	over    bool
	Standing
}

// mostCached limits the rows in memory, of about 10 kB each: five pages.
const mostCached = 5 * PageRows

// forget drops a row, to be read again.
func (c *rowCache) forget(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.rows, id)
}

// row returns the row of a line as the store has it.
func (c *rowCache) row(tx *store.Tx, r *ranking, l *line) (Standing, error) {
	if c != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		if have, ok := c.rows[l.id]; ok && have.changed == l.changed && have.over == r.over {
			return have.Standing, nil
		}
	}
	e, err := tx.Entry(l.id)
	if err != nil {
		return Standing{}, err
	}
	s := standingOf(r.track, &e)
	if s.Secret != nil && !r.over {
		s.Secret.coarse()
	}
	if c != nil {
		for id := range c.rows { // of any
			if len(c.rows) < mostCached {
				break
			}
			delete(c.rows, id)
		}
		c.rows[l.id] = cachedRow{e.Changed, r.over, s}
	}
	return s, nil
}

package board

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"syscall"
	"testing"

	"impalab/learner/trial"
	"impalab/server/store"
)

// ranked is the rank of a row by the definition: Place ranks the settled rows, and each provisional row among them.
func ranked(rows []*line, bySecret bool) {
	all := func(l *line) Row {
		r := Row{Hash: l.hash}
		r.Score = trial.Estimate{Low: trial.Number(l.counts.low), Mean: trial.Number(l.counts.mean),
			High: trial.Number(l.counts.high)}
		return r
	}
	var settled []Row
	byHash := map[string]*line{}
	for _, l := range rows {
		if l.counts, l.rank = l.public, (Rank{}); bySecret && l.secret != nil {
			l.counts = l.secret
		}
		l.provisional = l.baseline == nil && l.counts != nil && !(bySecret && l.secret != nil)
		if byHash[l.hash] = l; l.counts != nil && !l.provisional && l.state != store.Failed {
			settled = append(settled, all(l))
		}
	}
	for _, p := range RankRows(settled) {
		byHash[p.Hash].rank = p.Rank
	}
	left := mostProvisional
	for _, l := range rows {
		if !l.provisional || left == 0 || l.state == store.Failed {
			continue
		}
		left--
		for _, p := range RankRows(append(slices.Clip(settled), all(l))) {
			if p.Hash == l.hash {
				l.rank = p.Rank
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b *line) int {
		if x, y := a.class(), b.class(); x != y {
			return cmp.Compare(x, y)
		}
		if a.class() == 0 {
			x, y := all(a), all(b)
			return better(&x, &y)
		}
		return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.created, b.created))
	})
}

func TestRanksAreTheRanksOfTheDefinition(t *testing.T) {
	chance := rand.New(rand.NewPCG(5, 7))
	baseline := new(Baseline)
	for season := range 400 {
		var rows []*line
		wide := chance.Float64() * 3
		for i := range chance.IntN(160) {
			l := &line{id: fmt.Sprint(i), hash: fmt.Sprintf("%08x", chance.Uint32()), season: 1, created: int64(i),
				state: store.Done}
			scores := func() *score {
				low := float64(chance.IntN(40)) // equal scores are frequent
				return &score{low, low + wide*chance.Float64(), low + wide*(1+chance.Float64())}
			}
			switch chance.IntN(12) {
			case 0:
				l.baseline, l.public = baseline, scores()
			case 1:
				l.state, l.place = store.Queued, chance.IntN(3)
			case 2:
				l.state = store.Failed
			case 3:
				l.state, l.public = store.Failed, scores()
			case 4, 5, 6, 7:
				l.state, l.public = store.Queued, scores()
			default:
				l.public, l.secret = scores(), scores()
			}
			rows = append(rows, l)
		}
		for _, bySecret := range []bool{false, true} {
			words := func(of func([]*line, bool)) (all []string) {
				order := slices.Clone(rows)
				of(order, bySecret)
				for _, l := range order {
					all = append(all, fmt.Sprint(l.id, " ", l.rank, " ", l.provisional))
				}
				return all
			}
			if got, want := words(rank), words(ranked); !slices.Equal(got, want) {
				t.Fatalf("season %d, by secret seeds %v:\n%q, by the definition\n%q", season, bySecret, got, want)
			}
		}
	}
}

// fill gives the hall's season so many trained rows.
func (h *hall) fill(rows int) {
	h.t.Helper()
	first, _ := h.handIn("rho=2", "k")
	curve := make([]CurvePoint, curvePoints)
	for i := range curve {
		curve[i] = CurvePoint{float64(30 * i), .1234, .0123, .2345}
	}
	err := h.kept.Do(h.t.Context(), func(tx *store.Tx) error {
		for i := range rows {
			e, err := h.track.ParseEntry(fmt.Sprintf("rho=2 lr=%.7f", .001+float64(i)*1e-7))
			if err != nil {
				return err
			}
			seeds := h.track.PublicSeeds()
			r := Row{Hash: e.Hash, Settings: e.Map(), Figures: Figures{Seeds: seeds.Names(), Curve: curve, Made: "avx2"}}
			mean := float64(i * 7919 % rows)
			r.Score = trial.Estimate{Mean: trial.Number(mean), Low: trial.Number(mean - .3), High: trial.Number(mean + .3)}
			for range seeds.Names() {
				r.Each, r.Params = append(r.Each, r.Score.Mean), append(r.Params, e.Hash)
			}
			row := store.BoardEntry{ID: entryID(first.Season, h.track, &e), Season: first.Season, Track: h.track.Name,
				Form: h.track.Form(), Settings: e.Text(), Tried: 1}
			if _, err := tx.HandIn(row, "k"); err != nil {
				return err
			}
			err = errors.Join(tx.SetRow(row.ID, false, store.JSON(r)), tx.SetRow(row.ID, true, store.JSON(r)))
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		h.t.Fatal(err)
	}
	h.notify()
}

// rowText has all that a row shows.
func rowText(t *testing.T, s Standing) string {
	return fmt.Sprintln(s.ID, s.Name(), s.Tried, s.State, s.Reason, s.Entry.Text(), s.Place, s.Trained, s.Rank,
		s.Provisional, s.Seeds(), text(t, s.Public), text(t, s.Secret))
}

func TestStandingsArePagesOfAllRows(t *testing.T) {
	h := newHall(t)
	h.idle()
	h.fill(2*PageRows + 10)
	whole, err := ReadStandings(t.Context(), h.kept, h.track, 0, h.opts.Now())
	if err != nil {
		t.Fatal(err)
	}
	var rows []Standing
	for page := 1; page <= 3; page++ {
		s, err := h.Standings(t.Context(), h.track, 0, page)
		if err != nil || s.Page() != page || s.Pages() != 3 || s.Of != len(whole.Rows) || s.From != len(rows) {
			t.Fatalf("page %d: %v, %d of %d, from %d of %d rows", page, err, s.Page(), s.Pages(), s.From, s.Of)
		}
		rows = append(rows, s.Rows...)
	}
	for i := range rows {
		a, b := rowText(t, rows[i]), rowText(t, whole.Rows[i])
		if a != b {
			t.Fatalf("row %d is\n%s\nof a page, and\n%s\nof all", i, a, b)
		}
	}
	if s, err := h.Standings(t.Context(), h.track, 0, 1e9); err != nil || len(s.Rows) != 0 {
		t.Errorf("a page after the last: %v, %d rows", err, len(s.Rows))
	}
	for _, i := range []int{0, 250, len(rows) - 1} {
		one, err := h.Standing(t.Context(), h.track, rows[i].ID)
		if a, b := rowText(t, one), rowText(t, rows[i]); err != nil || a != b {
			t.Errorf("row %d alone (%v):\n%s\nbeside others:\n%s", i, err, a, b)
		}
	}
}

// A thousand visitors at a time get the same standings, and one more try of an entry announces nothing.
func TestStandingsAreDrawnOnceForAllUntilARowChanges(t *testing.T) {
	h := newHall(t)
	h.idle()
	s, _ := h.handIn("rho=2", "k")
	var all sync.WaitGroup
	var mu sync.Mutex
	drawn := map[*Standings]bool{}
	news := h.News()
	for range 1000 {
		all.Go(func() {
			s, err := h.Standings(t.Context(), h.track, 0, 1)
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			drawn[s] = true
		})
	}
	all.Wait()
	if len(drawn) > 3 { // they are read again after a second
		t.Errorf("the standings were drawn %d times", len(drawn))
	}
	for i := range 5 {
		if again, fresh := h.handIn("rho=2", "another key"); fresh || again.Tried != int64(i+2) {
			t.Errorf("submitted %d times more: %v, tried %d", i+1, fresh, again.Tried)
		}
	}
	select {
	case <-news:
		t.Error("one more try was announced to everyone")
	default:
	}
	h.handIn("rho=3", "k")
	select {
	case <-news:
	default:
		t.Error("a new entry was not announced")
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	h.forget(place{track: h.track.Name, page: 1})
	h.notify()
	if _, err := h.Standings(gone, h.track, 0, 1); err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if one, err := h.Standing(t.Context(), h.track, s.ID); err != nil || one.Place == 0 {
		t.Errorf("%v, place %d in the queue", err, one.Place)
	}
}

// A rank follows each change of the store, whoever made it.
func TestTheRankingFollowsTheStore(t *testing.T) {
	h := newHall(t)
	h.idle()
	h.fill(30)
	same := func(what string) {
		t.Helper()
		s, err := h.Standings(t.Context(), h.track, 0, 1)
		whole, err2 := ReadStandings(t.Context(), h.kept, h.track, 0, h.opts.Now())
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		if len(s.Rows) != len(whole.Rows) || s.Ready != whole.Ready || s.BySecret != whole.BySecret {
			t.Fatalf("%s: %d rows, %d ready; read anew %d and %d", what, len(s.Rows), s.Ready, len(whole.Rows), whole.Ready)
		}
		for i := range s.Rows {
			if a, b := rowText(t, s.Rows[i]), rowText(t, whole.Rows[i]); a != b {
				t.Errorf("%s, row %d:\n%s\nread anew:\n%s", what, i, a, b)
			}
		}
	}
	change := func(fn func(tx *store.Tx) error) {
		t.Helper()
		if err := h.kept.Do(t.Context(), fn); err != nil {
			t.Fatal(err)
		}
		h.notify()
	}
	same("filled")
	s, _ := h.handIn("rho=3", "k")
	same("one more")
	row := *whole(t, h, 4).Public
	row.Hash = s.Entry.Hash
	change(func(tx *store.Tx) error { return tx.SetRow(s.ID, false, store.JSON(row)) })
	same("trained on public seeds")
	var e store.BoardEntry
	change(func(tx *store.Tx) (err error) { e, err = tx.Entry(s.ID); return err })
	change(func(tx *store.Tx) error { return tx.FailEntry(e.Job, "for a reason") })
	same("failed")
	h.handIn("rho=3", "k")
	same("again in the queue")
	change(func(tx *store.Tx) error { return tx.SetRow(s.ID, true, store.JSON(row)) })
	same("trained on secret seeds")
	named := h.handed("rho=3", "k", "here")
	named.Nickname = "Eve"
	if _, _, err := h.HandIn(t.Context(), named); err != nil {
		t.Fatal(err)
	}
	same("renamed")
}

func whole(t *testing.T, h *hall, i int) Standing {
	s, err := h.Standings(t.Context(), h.track, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	return s.Rows[i]
}

// BenchmarkStandings draws the first page of a full season after a change of one row, and prints the CPU time.
func BenchmarkStandings(b *testing.B) {
	h := newHall(b)
	h.idle()
	h.fill(4900)
	for name, do := range map[string]func(){
		"first": func() { clear(h.ranks); clear(h.rows.rows); h.notify() },
		"told":  func() { h.notify() },
		"walk":  func() { clear(h.rows.rows); h.notify() },
	} {
		b.Run(name, func(b *testing.B) {
			before := cpu()
			for b.Loop() {
				do()
				if _, err := h.Standings(b.Context(), h.track, 0, 1); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric((cpu()-before)*1e3/float64(b.N), "cpu-ms/op")
		})
	}
}

// cpu returns the seconds of the cores that this process has used.
func cpu() float64 {
	var used syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return float64(used.Utime.Nano()+used.Stime.Nano()) / 1e9
}

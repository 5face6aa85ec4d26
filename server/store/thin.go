package store

// Thinning: to go back to update u, a run resumes from the nearest snapshot before u, so the gap around u is the price.
// People go back a little often, and far seldom. So gaps may grow in proportion to their age.

import "slices"

// gapPerAge bounds a gap that thinning makes, relative to the distance from its far end to the newest snapshot. With
// 1/3, going back by a updates costs at most a/2 updates of training (or the distance between two snapshots, if that is
// more), and n snapshots leave at most about 2·log(n)/log(1.5).
const gapPerAge = 1.0 / 3

// thin returns the snapshots to drop of all, which come oldest first. The oldest and the newest stay, and so do marked
// snapshots up to a number. But all except the newest are dropped beyond the bound in bytes.
func thin(all []Snapshot, bytes int64, marked int) (drop []Snapshot) {
	kept := slices.Clone(all)
	out := func(i int) {
		drop = append(drop, kept[i])
		kept = slices.Delete(kept, i, i+1)
	}
	for {
		i, gap := cheapest(kept, false)
		if i < 0 || gap > gapPerAge {
			break
		}
		out(i)
	}
	for _, s := range all {
		if s.Marked {
			marked--
		}
	}
	for ; marked < 0; marked++ {
		i, _ := cheapest(kept, true)
		if i < 0 {
			break
		}
		out(i)
	}
	for len(kept) > 1 && total(kept) > bytes {
		i, _ := cheapest(kept, false)
		if i < 0 {
			i, _ = cheapest(kept, true)
		}
		out(max(i, 0)) // if two are left, the newer stays
	}
	return drop
}

// cheapest returns the marked or unmarked snapshot between the oldest and the newest whose loss leaves the smallest gap
// relative to its age, and that ratio; -1 if there is no such snapshot.
func cheapest(kept []Snapshot, marked bool) (at int, ratio float64) {
	at = -1
	for i := 1; i < len(kept)-1; i++ {
		if kept[i].Marked != marked {
			continue
		}
		gap := float64(kept[i+1].Update - kept[i-1].Update)
		age := float64(kept[len(kept)-1].Update - kept[i-1].Update)
		if r := gap / age; at < 0 || r < ratio {
			at, ratio = i, r
		}
	}
	return at, ratio
}

func total(all []Snapshot) (bytes int64) {
	for _, s := range all {
		bytes += s.Bytes
	}
	return bytes
}

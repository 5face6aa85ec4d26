package store

// Which snapshots to keep. To go back to update u one trains on from the nearest snapshot before it, so the gap around
// u is the price; and people go back a little often, and far seldom. So gaps may grow in proportion to age.

// gapPerAge is how large a gap may become by dropping what lies in it, against the distance of its far end from the
// newest snapshot. With 1/3, going back by a updates costs at most a/2 updates of training (or the distance between
// two snapshots, if that is more), and n snapshots leave at most about 2·log(n)/log(1.5).
const gapPerAge = 1.0 / 3

// thin picks those to drop of a run's snapshots, which come oldest first. The oldest and the newest stay, and the
// marked while there are at most marked of them; but all give way to the bound in bytes, save the newest.
func thin(all []Snapshot, bytes int64, marked int) (drop []Snapshot) {
	kept := append([]Snapshot(nil), all...)
	out := func(i int) {
		drop = append(drop, kept[i])
		kept = append(kept[:i], kept[i+1:]...)
	}
	plain := func(s Snapshot) bool { return !s.Marked }
	anyone := func(Snapshot) bool { return true }
	for {
		i, price := cheapest(kept, plain)
		if i < 0 || price > gapPerAge {
			break
		}
		out(i)
	}
	for {
		count := 0
		for _, s := range kept {
			if s.Marked {
				count++
			}
		}
		i, _ := cheapest(kept, func(s Snapshot) bool { return s.Marked })
		if count <= marked || i < 0 {
			break
		}
		out(i)
	}
	for len(kept) > 1 && total(kept) > bytes {
		i, _ := cheapest(kept, plain)
		if i < 0 {
			i, _ = cheapest(kept, anyone)
		}
		if i < 0 {
			i = 0 // two are left: the newer one stays
		}
		out(i)
	}
	return drop
}

// cheapest is the snapshot between the oldest and the newest whose loss leaves the smallest gap for its age; -1: none.
func cheapest(kept []Snapshot, may func(Snapshot) bool) (place int, price float64) {
	place = -1
	for i := 1; i < len(kept)-1; i++ {
		if !may(kept[i]) {
			continue
		}
		gap := float64(kept[i+1].Update - kept[i-1].Update)
		age := float64(kept[len(kept)-1].Update - kept[i-1].Update)
		if p := gap / age; place < 0 || p < price {
			place, price = i, p
		}
	}
	return place, price
}

func total(all []Snapshot) (bytes int64) {
	for _, s := range all {
		bytes += s.Bytes
	}
	return bytes
}

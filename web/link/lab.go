package link

// opening is the experiment that the Lab opens without a link. Two runs with one seed become eight updates late at
// step 18 000, and B gives up its correction at step 40 000. B falls with all of the seeds 1 to 8, with six of them
// before step 50 000; A does not fall with any:
//
//	impalab train --preset lag-cliff --set lag=0 --seeds 1-8 --steps 120000 --turn 18000:lag=8
//	impalab train … --turn 40000:correction=none
//
// Of the seeds, 6 has the highest crest.
const opening = "v=1&p=lag-cliff&lag=0&seed=6&speed=8000&t=18000:lag=8" +
	"&b=t%3D18000%3Alag%3D8%2C40000%3Acorrection%3Dnone"

// Lab returns the fragment that the Lab opens: the address's own, or the opening experiment if that names no run.
// Theme and other view keys of the address stay.
func Lab(fragment string) string {
	l := Parse(fragment)
	if len(l.Settings) > 0 || l.From.Run != "" || l.Embed() || Last(l.View, columnKey) != "" {
		return fragment
	}
	first := Parse(opening)
	first.Version, first.View = l.Version, append(first.View, l.View...)
	return first.String()
}

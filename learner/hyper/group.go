package hyper

// Group is where a setting stands: on the page, and in the list that `impalab settings` prints.
type Group uint8

// The groups, in reading order.
const (
	GroupMain Group = iota // the six in sight
	GroupRun
	GroupTargets
	GroupLearning
	GroupVMPO
	GroupSTAC
	GroupNetwork
	GroupReplay
	GroupActors
	groups
)

// Title is the group's heading.
func (g Group) Title() string {
	return [groups]string{
		GroupMain: "In sight", GroupRun: "The run", GroupTargets: "Correction and targets", GroupLearning: "Learning",
		GroupVMPO: "V-MPO", GroupSTAC: "STAC", GroupNetwork: "Network", GroupReplay: "Replay",
		GroupActors: "Actors and learners",
	}[g]
}

// Groups lists them all.
func Groups() []Group {
	all := make([]Group, groups)
	for i := range all {
		all[i] = Group(i)
	}
	return all
}

// Of reports whether an algorithm has the setting at all. Whether it changes anything is InForce's to say.
func (r *Row) Of(algo Algo) bool { return r.of == nil || r.of((&Config{Algo: algo}).Algorithm()) }

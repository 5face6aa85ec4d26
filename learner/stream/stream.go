// Package stream is the table of a run's streams of chance. Every user of a run's seed draws from a stream of its own
// (envs.NewRand(seed, stream)), so that none moves the draws of another.
package stream

// Streams below 1<<20 belong to the copies of worlds and networks that count up from 0. Actors and Sharers begin a
// range of Many streams; the others are one stream each.
const (
	Replay     = 1 << 20  // draws of the replay store
	Actors     = 2 << 20  // one for each actor
	Sharers    = 4 << 20  // the seeds of the other agents that share the replay, one for each
	Watch      = 5 << 20  // the copy of the world that people watch
	HeldOut    = 6 << 20  // held-out episodes, which measure the values
	Population = 7 << 20  // a population, whose members are runs with seeds of their own
	ValueBias  = 8 << 20  // episodes played after a run
	PageWatch  = 9 << 20  // the copy of the world that a page plays itself
	PageGame   = 10 << 20 // a person's game in the page
	Evaluate   = 12 << 20 // whole episodes of `impalab eval`
	Poses      = 13 << 20 // the poses that a page without a canvas shows

	// Many is how many streams Actors and Sharers have each.
	Many = 1 << 20

	// OfAgent lies between the streams of two agents that share a replay, which tells their actors apart by them.
	OfAgent = 1 << 24
)

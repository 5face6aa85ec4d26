package learner

// Streams of a run's seed: every user of chance has one of its own, so that none moves the draws of another.
const (
	streamReplay     = 1 << 20
	streamActors     = 1 << 21  // and those that follow, one for each actor
	streamSharers    = 1 << 22  // and those that follow: the seeds of the other agents, one each
	StreamWatch      = 5 << 20  // the copy that people watch
	streamHeldOut    = 6 << 20  // held-out episodes
	streamBias       = 1 << 23  // episodes after a run
	streamEvaluate   = 12 << 20 // whole episodes of eval
	StreamPopulation = 1 << 23  // of a population, whose members are runs with seeds of their own

	streamsOfAgent = 1 << 24 // between those of two agents that share a replay, which knows their actors by them
)

package hyper

// The settings that are a choice are types, so that the compiler finds a misspelt value. Links, JSON and snapshots
// hold their text. The types of corrections, relevances, advantages and reward transforms are in learner/correct and
// learner/loss.

// None is the text of a list with nothing in it: hidden layers, or what tunes itself.
const None = "none"

type (
	Switch     string // a setting that is on or off
	Mode       string // how actors and learner keep time
	Arithmetic string // the rounding of sums of products, by learner/kernel's names; one arithmetic gives the same bytes
	Anneal     string // how the learning rate changes
	Reduce     string // whether a loss is a mean or a sum over its batch and time
	Optimiser  string // the rule that turns gradients into steps
	OptForm    string // whose form of the optimiser
	Policy     string // the meaning of the policy's numbers
	Torso      string // the layers between an image and the hidden layers
	Activation string // the hidden layers' nonlinearity
	Torsos     string // whether policy and value stand on one torso
	PopArt     string // whether the value head has statistics, and whether they move
	Init       string // the first parameters
	Behave     string // the policy that actors follow
	Memory     string // how long a core remembers
	ReplayBy   string // the unit that the replay draws
	Recall     string // the source of a replayed unroll's recurrent state
	Sampling   string // how the replay draws
	Sharing    string // the kind of the other agents that share the replay
	Inference  string // the network that live actors ask for actions
	Collect    string // how the copies of a reference run's world are played
	Psi        string // the weights of V-MPO's better half
	EtaMean    string // the denominator of the mean in V-MPO's loss of η
)

const (
	On  Switch = "on"
	Off Switch = "off"

	Reference Mode = "reference" // deterministic, lag exact
	Live      Mode = "live"      // asynchronous actors, lag measured

	AutoArithmetic Arithmetic = "auto" // the machine's own; a continued run keeps its first one
	Fused          Arithmetic = "fused"
	Plain          Arithmetic = "plain"

	AnnealConstant Anneal = "constant"
	AnnealLinear   Anneal = "linear" // to 0 at the end of the budget

	Mean Reduce = "mean"
	Sum  Reduce = "sum"

	RMSProp Optimiser = "rmsprop"
	Adam    Optimiser = "adam"

	FormPapers     OptForm = "papers"
	FormTensorFlow OptForm = "tensorflow"
	FormPyTorch    OptForm = "pytorch"

	Softmax  Policy = "softmax"
	Gaussian Policy = "gaussian"
	Squashed Policy = "tanh" // a Gaussian through tanh

	FlatTorso    Torso = "flat" // none
	ShallowTorso Torso = "shallow"
	DeepTorso    Torso = "deep"

	Tanh Activation = "tanh"
	ReLU Activation = "relu"

	Shared   Torsos = "shared"
	Separate Torsos = "separate"

	PopArtOff   PopArt = "off"
	PopArtOn    PopArt = "on"
	PopArtFixed PopArt = "fixed" // a value for each task, and statistics that never move

	InitRandom  Init = "random"
	SoftOptimal Init = "soft-optimal"
	InitLearned Init = "learned"

	BehavePolicy  Behave = "policy"
	BehaveUniform Behave = "uniform"

	MemoryEpisode Memory = "episode"
	MemoryUnroll  Memory = "unroll"

	ByUnroll  ReplayBy = "unroll"
	ByEpisode ReplayBy = "episode"

	RecallStored  Recall = "stored"
	RecallRebuild Recall = "rebuild"
	RecallBurnIn  Recall = "burn-in"

	SampleUniform     Sampling = "uniform"
	SamplePrioritised Sampling = "prioritised"

	ShareSweep    Sharing = "sweep"
	ShareSame     Sharing = "same"
	ShareRandom   Sharing = "random"
	ShareContrary Sharing = "contrary"

	InferOwn     Inference = "own"
	InferBatched Inference = "batched"

	CollectStep       Collect = "step"
	CollectTrajectory Collect = "trajectory"

	PsiExp     Psi = "exp"
	PsiUniform Psi = "uniform"

	MeanOfWeights EtaMean = "weights"
	MeanOfCount   EtaMean = "count"
)

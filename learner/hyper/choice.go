package hyper

// The settings that are a choice are types, so that the compiler finds a misspelt value. Links, JSON and snapshots
// hold their text. The types of corrections, relevances, advantages and reward transforms are in learner/correct and
// learner/loss.

// None is the text of a list with nothing in it: hidden layers, or what tunes itself.
const None = "none"

// Switch is a setting that is on or off.
type Switch string

const (
	On  Switch = "on"
	Off Switch = "off"
)

// Mode is how actors and learner keep time.
type Mode string

const (
	Reference Mode = "reference" // deterministic, lag exact
	Live      Mode = "live"      // asynchronous actors, lag measured
)

// Arithmetic is the rounding of sums of products, by learner/kernel's names. Runs of one arithmetic give the same
// bytes.
type Arithmetic string

const (
	AutoArithmetic Arithmetic = "auto" // the machine's own; a continued run keeps its first one
	Fused          Arithmetic = "fused"
	Plain          Arithmetic = "plain"
)

// Anneal is what becomes of the learning rate.
type Anneal string

const (
	AnnealConstant Anneal = "constant"
	AnnealLinear   Anneal = "linear" // to 0 at the end of the budget
)

// Reduce says whether a loss is a mean or a sum over its batch and time.
type Reduce string

const (
	Mean Reduce = "mean"
	Sum  Reduce = "sum"
)

// Optimiser makes steps of gradients.
type Optimiser string

const (
	RMSProp Optimiser = "rmsprop"
	Adam    Optimiser = "adam"
)

// OptForm is whose form of an optimiser it is.
type OptForm string

const (
	FormPapers     OptForm = "papers"
	FormTensorFlow OptForm = "tensorflow"
	FormPyTorch    OptForm = "pytorch"
)

// Policy is the meaning of the policy's numbers.
type Policy string

const (
	Softmax  Policy = "softmax"
	Gaussian Policy = "gaussian"
	Squashed Policy = "tanh" // a Gaussian through tanh
)

// Torso is the layers between an image and the hidden layers.
type Torso string

const (
	FlatTorso    Torso = "flat" // none
	ShallowTorso Torso = "shallow"
	DeepTorso    Torso = "deep"
)

// Activation is the hidden layers' nonlinearity.
type Activation string

const (
	Tanh Activation = "tanh"
	ReLU Activation = "relu"
)

// Torsos is whether policy and value stand on one torso.
type Torsos string

const (
	Shared   Torsos = "shared"
	Separate Torsos = "separate"
)

// Init is where the parameters start.
type Init string

const (
	InitRandom  Init = "random"
	SoftOptimal Init = "soft-optimal"
)

// Behave is what actors follow.
type Behave string

const (
	BehavePolicy  Behave = "policy"
	BehaveUniform Behave = "uniform"
)

// Recall is where the recurrent state of a replayed unroll comes from.
type Recall string

const (
	RecallStored  Recall = "stored"
	RecallRebuild Recall = "rebuild"
	RecallBurnIn  Recall = "burn-in"
)

// Sampling is how the replay draws.
type Sampling string

const (
	SampleUniform     Sampling = "uniform"
	SamplePrioritised Sampling = "prioritised"
)

// Sharing is the kind of the other agents that share the replay.
type Sharing string

const (
	ShareSweep    Sharing = "sweep"
	ShareSame     Sharing = "same"
	ShareRandom   Sharing = "random"
	ShareContrary Sharing = "contrary"
)

// Inference is whom live actors ask for actions.
type Inference string

const (
	InferOwn     Inference = "own"
	InferBatched Inference = "batched"
)

// Collect is how the copies of a reference run's world are played.
type Collect string

const (
	CollectStep       Collect = "step"
	CollectTrajectory Collect = "trajectory"
)

// Psi is what V-MPO weights its better half by.
type Psi string

const (
	PsiExp     Psi = "exp"
	PsiUniform Psi = "uniform"
)

// EtaMean is what V-MPO's loss of η is a mean over.
type EtaMean string

const (
	MeanOfWeights EtaMean = "weights"
	MeanOfCount   EtaMean = "count"
)

// oneOf lists a choice's texts in the order in which the page shows them.
func oneOf[T ~string](values ...T) func() []string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = string(v)
	}
	return func() []string { return texts }
}

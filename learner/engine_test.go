package learner

import (
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/schedule"
)

// here is the engine of this package's tests, unless a test names another.
var here = Engine{Lower: graph.Lower}

func New(cfg hyper.Config) (*Learner, error) { return here.New(cfg) }
func Resume(blob []byte) (*Learner, error)   { return here.Resume(blob) }
func NewOn(cores *schedule.Share, cfg hyper.Config) (*Learner, error) {
	return Engine{Lower: graph.Lower, Cores: cores}.New(cfg)
}
func ResumeOn(cores *schedule.Share, blob []byte) (*Learner, error) {
	return Engine{Lower: graph.Lower, Cores: cores}.Resume(blob)
}

package learner

import (
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/work"
)

// What the tests of this package compute on, unless they say something else.
var here = Engine{Lower: graph.Lower}

func New(cfg hyper.Config) (*Learner, error) { return here.New(cfg) }
func Resume(blob []byte) (*Learner, error)   { return here.Resume(blob) }
func NewOn(cores *work.Share, cfg hyper.Config) (*Learner, error) {
	return Engine{Lower: graph.Lower, Cores: cores}.New(cfg)
}
func ResumeOn(cores *work.Share, blob []byte) (*Learner, error) {
	return Engine{Lower: graph.Lower, Cores: cores}.Resume(blob)
}

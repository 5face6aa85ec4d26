package firstpage

import (
	"strconv"

	"impalab/learner/hyper"
)

// Link returns the page's link to everything that happened.
func (s *Story) Link() string {
	runs := s.Runs()
	link := s.start(runs[0].Config().Get("seed"))
	for i, key := range [...]string{"a", "b"} {
		if turns := hyper.FormatPlan(runs[i].Changes()); turns != "" {
			link += "&" + key + "=" + turns
		}
	}
	if theme := runs[0].Link.Theme(); theme != "" {
		link += "&theme=" + theme
	}
	return link
}

// Again returns the link to the same story with the next seed, or, where the correction came too late, with this seed
// and the correction from the turn on.
func (s *Story) Again() string {
	if seed := s.Runs()[0].Config().Get("seed"); s.tooLate() {
		turned, _ := s.dragged()
		lag := strconv.FormatUint(turned, 10) + ":lag=" + strconv.Itoa(s.waited())
		return s.start(seed) + "&a=" + lag + "&b=" + lag + "," + strconv.FormatUint(turned, 10) + ":correction=" + s.cure()
	}
	return s.start(strconv.FormatUint(s.Runs()[0].Config().Seed+1, 10))
}

// start returns the link to both runs before any change, with a seed.
func (s *Story) start(seed string) string {
	link := "#" + s.of.Name
	if seed != s.of.Seed {
		link += "&seed=" + seed
	}
	if speed := s.Runs()[0].Config().Get("speed"); speed != s.of.Speed {
		link += "&speed=" + speed
	}
	return link
}

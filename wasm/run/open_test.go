package run

// open is a page's only run.
func open(fragment string) *Run { return New(fragment, new(Speech)) }

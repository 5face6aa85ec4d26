package model

import "time"

// Pace thins the values of a slider that is dragged: the first goes out at once, then at most one every Every, and
// always the last one. Each key has its own pace.
type Pace struct {
	Every time.Duration
	After func(time.Duration, func()) // the clock
	Send  func(key, value string)

	held map[string]string // what waits; a key with nothing waiting but not yet rested has ""
}

// Offer hands in a value.
func (p *Pace) Offer(key, value string) {
	if p.held == nil {
		p.held = map[string]string{}
	}
	if _, busy := p.held[key]; busy {
		p.held[key] = value
		return
	}
	p.held[key] = ""
	p.Send(key, value)
	p.After(p.Every, func() { p.rest(key) })
}

// Flush sends what waits for a key at once: the drag is over.
func (p *Pace) Flush(key string) {
	if value := p.held[key]; value != "" {
		p.held[key] = ""
		p.Send(key, value)
	}
}

// FlushAll sends all that waits.
func (p *Pace) FlushAll() {
	for key := range p.held {
		p.Flush(key)
	}
}

func (p *Pace) rest(key string) {
	value := p.held[key]
	delete(p.held, key)
	if value != "" {
		p.Offer(key, value)
	}
}

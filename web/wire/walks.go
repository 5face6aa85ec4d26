package wire

// The walk of each message visits its fields in the order of the frame.

func (m *Hello) walk(w *walk) {
	w.text(&m.Run, MaxName, "Run")
	w.text(&m.Key, MaxName, "Key")
	w.u64(&m.After)
	w.origin(&m.From)
	w.settings(&m.Settings)
}

func (m *Set) walk(w *walk) {
	w.u32(&m.Seq)
	w.text(&m.Key, MaxName, "Key")
	w.text(&m.Value, MaxValue, "Value")
}

func (m *Do) walk(w *walk) {
	w.u32(&m.Seq)
	w.u8(&m.Verb)
}

func (m *Want) walk(w *walk) {
	w.flag(&m.Frames, "Frames")
	w.flag(&m.Weights, "Weights")
}

func (m *Welcome) walk(w *walk) {
	w.text(&m.Run, MaxName, "Run")
	w.text(&m.Key, MaxName, "Key")
	w.flag(&m.Steers, "Steers")
	w.text(&m.Build, MaxName, "Build")
	w.u64(&m.Event)
	w.flag(&m.Fresh, "Fresh")
	w.u8(&m.State)
	w.origin(&m.From)
	w.settings(&m.Settings)
	w.texts(&m.Unknown, MaxSettings, MaxName, "Unknown")
	w.texts(&m.Figures, MaxFigures, MaxName, "Figures")
}

func (m *Changed) walk(w *walk) {
	w.u64(&m.Event)
	w.u32(&m.Intent)
	w.u64(&m.Step)
	w.u64(&m.Update)
	w.text(&m.Key, MaxName, "Key")
	w.text(&m.From, MaxValue, "From")
	w.text(&m.To, MaxValue, "To")
}

func (m *Status) walk(w *walk) {
	w.u64(&m.Event)
	w.u8(&m.State)
	w.sentence(&m.Reason, "Reason")
}

func (m *Point) walk(w *walk) {
	w.u64(&m.Event)
	w.u64(&m.Step)
	w.u64(&m.Update)
	w.u64(&m.Episodes)
	w.f32(&m.Return)
	w.f32(&m.Recent)
	w.f32(&m.Low)
	w.f32(&m.High)
	w.u32(&m.Ended)
	w.traces(&m.Traces)
	w.f32s(&m.Figures, MaxFigures, "Figures")
}

func (m *Judged) walk(w *walk) {
	w.u64(&m.Event)
	w.u64(&m.Step)
	w.u64(&m.Update)
	w.f32(&m.ValueError)
	w.u32(&m.States)
}

func (m *XRay) walk(w *walk) {
	w.u64(&m.Step)
	w.u64(&m.Update)
	w.u64(&m.Episodes)
	w.f32(&m.StepsPerSecond)
	w.f32s(&m.Figures, MaxFigures, "Figures")
	w.u32s(&m.Ratios, MaxBins, "Ratios")
	w.u32s(&m.Ages, MaxBins, "Ages")
	w.f32s(&m.Returns, MaxTasks, "Returns")
}

func (m *Frame) walk(w *walk) {
	w.u64(&m.Number)
	w.text(&m.World, MaxValue, "World")
	w.blob(&m.State, MaxState, "State")
	w.u8(&m.Action)
	w.f32(&m.Reward)
	w.f32(&m.Return)
	w.u32(&m.Length)
	w.u8(&m.End)
	w.u8(&m.Policy)
	w.f32s(&m.Behaviour, MaxActions, "Behaviour")
	w.f32s(&m.Target, MaxActions, "Target")
	w.f32s(&m.Control, MaxActions, "Control")
	w.f32(&m.Value)
	w.f32(&m.Ratio)
	w.f32(&m.Rho)
	w.f32(&m.C)
}

func (m *Gauge) walk(w *walk) {
	w.f32(&m.Behaviour)
	w.f32(&m.Target)
	w.f32(&m.Implied)
	w.f32(&m.Learned)
	w.f32(&m.FromTarget)
	w.f32(&m.FromImplied)
	w.f32(&m.Contraction)
	w.f32(&m.Worst)
	w.f32(&m.Best)
}

func (m *Weights) walk(w *walk) {
	w.u64(&m.Update)
	w.f32s(&m.Scale, MaxTasks, "Scale")
	w.f32s(&m.Shift, MaxTasks, "Shift")
	w.many(&m.Target, MaxParameters, "Target")
	w.many(&m.Behaviour, MaxParameters, "Behaviour")
}

func (m *Refused) walk(w *walk) {
	w.u32(&m.Intent)
	w.text(&m.Key, MaxName, "Key")
	w.sentence(&m.Reason, "Reason")
}

func (m *Bye) walk(w *walk) { w.sentence(&m.Reason, "Reason") }

func (m *Join) walk(w *walk) {
	w.text(&m.Run, MaxName, "Run")
	w.text(&m.Key, MaxName, "Key")
	w.text(&m.Name, MaxName, "Name")
	w.text(&m.Build, MaxName, "Build")
}

func (s *Stand) walk(w *walk) {
	w.blob(&s.Worlds, MaxBlock, "Worlds")
	w.u64(&s.Chance[0])
	w.u64(&s.Chance[1])
	w.many(&s.Core, MaxBlock, "Core")
	w.many(&s.Last, MaxBlock, "Last")
}

func (m *Place) walk(w *walk) {
	w.settings(&m.Settings)
	w.text(&m.Arithmetic, MaxName, "Arithmetic")
	w.u32(&m.Copies)
	w.u64(&m.Stream)
	w.u64(&m.Played)
	w.f32s(&m.Returns, MaxCopies, "Returns")
	w.u32s(&m.Lengths, MaxCopies, "Lengths")
	m.Stand.walk(w)
}

func (m *Order) walk(w *walk) {
	w.u64(&m.Number)
	w.u64(&m.Version)
	w.many(&m.Theta, MaxParameters, "Theta")
}

func (m *Block) walk(w *walk) {
	w.u64(&m.Number)
	w.many(&m.Obs, MaxBlock, "Obs")
	w.many(&m.Mu, MaxBlock, "Mu")
	w.many(&m.Real, MaxBlock, "Real")
	w.many(&m.Reward, MaxBlock, "Reward")
	w.blob(&m.Action, MaxBlock, "Action")
	w.blob(&m.End, MaxBlock, "End")
	w.many(&m.Cut, MaxBlock, "Cut")
	m.Stand.walk(w)
}

func (m *Leave) walk(w *walk) {
	w.sentence(&m.Reason, "Reason")
	w.flag(&m.Again, "Again")
}

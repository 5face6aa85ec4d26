package correct

// Outward compares probabilities in place of their ratio:
//
//	c_t = 0 if A > 0 and π(a) − μ(a) > δ, or A < 0 and π(a) − μ(a) < −δ
//	c_t = w otherwise, at ±δ too
//
// A rare action has a large ratio and a small difference: it stays. DPPO (arXiv:2602.04879, §4.3, eq. 12 to 14, total
// variation; δ .15, in its scaling runs .2 with w cut at 5). Its authors' code cuts w at 10
// (compute_policy_loss_with_mask in verl/trainer/ppo/core_algos.py of sail-sg/Stable-RL, 22ce6d35), TRL's at 20; eq. 12
// and this do not. prime-rl's IPO leaves out both directions, whatever the sign of A.
func (l Limits) Outward(s Step) float64 {
	apart := s.Pi - s.Pi/s.Ratio // μ = π/w; where π = 0 this is no number, and w = 0 is returned
	if s.Advantage > 0 && apart > l.Shift || s.Advantage < 0 && apart < -l.Shift {
		return 0
	}
	return s.Ratio
}

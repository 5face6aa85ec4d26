package correct

// Clip is the weight that PPO's minimum has. The slope of min(w·A, clip(w, 1−ε_low, 1+ε_high)·A) in θ is
// c_t·A·∇log π with
//
//	c_t = 0 if A > 0 and w > 1 + ε_high, or A < 0 and w < 1 − ε_low: the step has gone far enough in A's direction
//	c_t = w otherwise, at 1 ± ε too
//
// It bounds no ratio: it stops rewarding a step that leads further out. PPO (arXiv:1707.06347, §3, eq. 7; ε .2); two
// bounds as in DAPO (arXiv:2503.14476, eq. 10; .2 and .28). As a mask beside the ratio: MiniMax-M1 (arXiv:2506.13585,
// eq. 7). There the ratio is to the learner before its step. Here it is to the policy that acted, as in verl's bypass
// mode (compute_policy_loss_vanilla in verl/trainer/ppo/core_algos.py, 018f23b5) and in prime-rl's type="ppo".
func (l Limits) Clip(s Step) float64 {
	if s.Advantage > 0 && s.Ratio > 1+l.ClipHigh || s.Advantage < 0 && s.Ratio < 1-l.ClipLow {
		return 0
	}
	return s.Ratio
}

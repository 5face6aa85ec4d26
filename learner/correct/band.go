package correct

// Band keeps w within [floor, ceiling] and leaves other steps out, whatever their advantage. Both ends belong to it:
//
//	c_t = w·1[floor ≤ w ≤ ceiling]
//
// IcePop (Ring-1T, arXiv:2510.18855, §2.3.2, eq. 1 to 3; .5 and 5), with one optimiser step a batch: its ratio is then
// π/μ, and PPO's clip beside it never binds. verl's rollout_is_threshold "0.5_5.0" is the same
// (compute_rollout_correction_weights in verl/trainer/ppo/rollout_corr_helper.py, 20c30bf8). Masked importance sampling
// has floor 0 in TRL and ms-swift, and both ends in score centring's repository. A step left out counts in the mean
// over the batch, as in IcePop; where verl rejects a token it does not.
func (l Limits) Band(s Step) float64 {
	if s.Ratio >= l.Floor && s.Ratio <= l.Ceiling {
		return s.Ratio
	}
	return 0
}

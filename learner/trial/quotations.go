package trial

import "fmt"

// Quotation is a passage of a paper, word for word.
type Quotation struct{ Paper, Place, Text string }

// String is the passage with its source.
func (q Quotation) String() string { return fmt.Sprintf("“%s” (%s, %s)", q.Text, q.Paper, q.Place) }

// Quotations holds every passage that a study quotes. Each was compared with the paper letter by letter; formulas are
// written in Unicode.
var Quotations = map[string]Quotation{
	"rho-1": {"IMPALA", "§5.2.2", "Out of ρ̄ ∈ [1, 10, 100] we found that ρ̄ = 1 worked best."},
	"one-step": {"IMPALA", "§5.2.2", "This suggests that the cruder 1-step importance sampling approximation becomes " +
		"insufficient as the target and behaviour policies deviate from each other more strongly."},
	"policy-lag": {"IMPALA", "fig. E.1", "As the policy-lag (the number of update steps the actor policy is behind " +
		"learner policy) increases, learning with V-trace is more robust compared to ϵ-correction and pure on-policy " +
		"learning."},
	"pure-replay": {"LASER", "fig. 2", "Learning entirely off-policy from experience replay fails, while combining " +
		"on-policy data with experience replay leads to improved data efficiency"},
	"capacity": {"LASER", "fig. 2", "Data-efficiency improves with larger capacity."},
	"ratios": {"LASER", "§5.3", "We have considered ratios of 1/2, 3/4, and 7/8 and observed stable training for all of " +
		"them. Observe that among those values, larger ratios are more data-efficient as they take advantage of more " +
		"replayed experience per training step."},
	"sharing": {"LASER", "fig. 3", "Naively sharing experience between distinct agents in a hyper-parameter sweep " +
		"fails (green) and is worse than the no-replay baseline (blue). The proposed trust region estimator mitigates the " +
		"issue (red)."},
	"larger-rho": {"LASER", "fig. 4", "Increasing the V-trace clipping constant ρ̄ does not enable shared experience " +
		"replay."},
	"priorities": {"LASER", "§5.2", "Experiments provided in Figure 4 in the appendix showed little benefit of actor " +
		"critic prioritized replay on DMLab-30."},
	"burn-in": {"LASER", "appendix A.2", "We note that those solutions can only partially mitigate the fundamental " +
		"issue and that counter examples such as arbitrarily long T-Mazes (Tolman, 1948; Olton, 1979) can be constructed " +
		"easily."},
	"stale-states": {"LASER", "appendix A.2", "An even more cost efficient approach would be to not refresh LSTM states " +
		"at all. […] We investigate this in Figure 4 (right) and observe that it is not viable."},
	"popart": {"V-MPO", "§4.1", "We observed benefits in using PopArt even in the single-task setting, partly due to " +
		"the fact that we do not tune the relative weighting of the policy evaluation and policy improvement losses"},
	"top-half": {"V-MPO", "§4.2.1", "We found that learning improves substantially if we take only the samples " +
		"corresponding to the highest 50% of advantages in each batch for the E-step"},
	"no-bound": {"V-MPO", "§5.2", "For this task we also demonstrate the importance of the parametric KL constraint, " +
		"without which the agent learns poorly."},
	"population": {"V-MPO", "§5.1", "Fig. 6 shows that with population-based tuning of hyperparameters even higher " +
		"performance is possible."},
	"robust": {"STAC", "§4.3", "While the performance of both STACX and IMPALA deteriorates in these experiments, the " +
		"effect on STACX is less severe."},
	"discount": {"STAC", "§4.3", "For example, the main head discount factor converges to the value in the outer loss " +
		"(0.995)."},
	"more-tuned": {"STAC", "§4.1", "Inspecting Fig. 2(b) we observe that the performance of STAC and STACX consistently " +
		"improves as they self-tune more metaparameters."},
}

package algo

import (
	"encoding/json"
	"math"
	"testing"

	"impalab/internal/goldens"
	"impalab/internal/oracle"
	"impalab/learner/loss"
)

type metaCase struct {
	Kind, Name  string
	S           int    `json:"n_states"`
	A           int    `json:"n_actions"`
	B           int    `json:"m"`
	T           int    `json:"n"`
	Heads       int    `json:"heads"`
	Hidden      int    `json:"hidden"`
	EntropyMode string `json:"entropy_mode"`
	LossRange   string `json:"loss_range"`
	InnerOpt    struct {
		Kind           string
		LR, Decay, Eps float64
	} `json:"inner_opt"`
	MetaOpt struct{ LR, B1, B2, Eps float64 } `json:"meta_opt"`
	Outer   struct {
		Gamma, Lambda, Alpha float64
		GV                   float64  `json:"g_v"`
		GP                   float64  `json:"g_p"`
		GE                   float64  `json:"g_e"`
		GKL                  float64  `json:"g_kl"`
		RhoBar               *float64 `json:"rho_bar"`
		CBar                 *float64 `json:"c_bar"`
	}
	Inputs struct {
		Theta   map[string]any
		OptMS   map[string]any `json:"opt_ms"`
		RawEta  [][]float64    `json:"raw_eta"`
		Batch   metaBatch
		Batches []metaBatch
	}
	Expected json.RawMessage
}

type metaBatch struct {
	X           [][]int
	A           [][]int32
	R, Mu, Cont [][]float64
}

type metaWant struct {
	Zeta      [][]float64
	Inner     map[string]float64 `json:"inner_losses_head1"`
	InnerGrad map[string]any     `json:"inner_grad"`
	ThetaNext map[string]any     `json:"theta_next"`
	OptMSNext map[string]any     `json:"opt_ms_next"`
	Outer     map[string]float64 `json:"outer_losses"`
	KL        float64
	OuterVS   [][]float64 `json:"outer_vs"`
	OuterA    [][]float64 `json:"outer_advantages"`
	OuterRho  [][]float64 `json:"outer_rho"`
	DOuter    [][]float64 `json:"d_outer_d_zeta"`
	DKL       [][]float64 `json:"d_kl_d_zeta"`
	DOuterRaw [][]float64 `json:"d_outer_d_raw"`
	DKLRaw    [][]float64 `json:"d_kl_d_raw"`
	MetaGrad  [][]float64 `json:"meta_grad_raw"`
}

// order is how the parts of θ lie in our flat vector.
func (c *metaCase) order() []string {
	if c.Kind != "stacx" {
		return []string{"logits", "v"}
	}
	names := []string{"h"}
	for p := range c.Heads {
		names = append(names, "U"+string(rune('0'+p)), "u"+string(rune('0'+p)))
	}
	return names
}

func (c *metaCase) flat(parts map[string]any) (theta []float64) {
	var walk func(any)
	walk = func(v any) {
		if x, ok := v.(float64); ok {
			theta = append(theta, x)
			return
		}
		for _, branch := range v.([]any) {
			walk(branch)
		}
	}
	for _, name := range c.order() {
		if parts[name] != nil {
			walk(parts[name])
		}
	}
	return theta
}

// model is the case's network: a table, or for STACX a shared table under linear heads.
func (c *metaCase) model(state []int) model {
	return func(theta []dual, head, row int) (logits []dual, value dual) {
		s, a, h := state[row], c.A, c.Hidden
		if c.Kind != "stacx" {
			return append([]dual(nil), theta[s*a:(s+1)*a]...), theta[c.S*a+s]
		}
		at := c.S*h + head*h*(a+1) // U [h][a], then u [h]
		logits = make([]dual, a)
		for k := range h {
			y := theta[s*h+k].tanh()
			for j := range a {
				logits[j] = logits[j].plus(y.times(theta[at+k*a+j]))
			}
			value = value.plus(y.times(theta[at+h*a+k]))
		}
		return logits, value
	}
}

// batch turns a case's batch round to time-major rows, with the state of each.
func (c *metaCase) batch(t *testing.T, in metaBatch) (b *twinBatch, state []int) {
	bar := func(x *float64) float64 {
		if x == nil {
			return math.Inf(1)
		}
		return *x
	}
	b = &twinBatch{T: c.T, B: c.B, A: c.A, scale: 1, rhoBar: bar(c.Outer.RhoBar), cBar: bar(c.Outer.CBar),
		rPG: bar(c.Outer.RhoBar)}
	switch c.EntropyMode {
	case "bonus":
		b.literal = 1
	case "literal":
		b.literal = -1
	default:
		t.Fatalf("%s: unknown entropy mode %q", c.Name, c.EntropyMode)
	}
	for step := range c.T {
		for i := range c.B {
			state = append(state, in.X[i][step])
			b.action = append(b.action, in.A[i][step])
			b.reward = append(b.reward, in.R[i][step])
			b.mu = append(b.mu, in.Mu[i][step])
			b.goes = append(b.goes, in.Cont[i][step])
			if c.LossRange == "n_minus_1" {
				counts := 1.0
				if step == c.T-1 {
					counts = 0
				}
				b.counts = append(b.counts, counts)
			} else if c.LossRange != "n" {
				t.Fatalf("%s: unknown range of the losses %q", c.Name, c.LossRange)
			}
		}
	}
	for i := range c.B {
		state = append(state, in.X[i][c.T])
	}
	return b, state
}

func (c *metaCase) rule(t *testing.T) rule {
	switch c.InnerOpt.Kind {
	case "sgd":
		return sgd(c.InnerOpt.LR)
	case "rmsprop_tf":
		return rmsprop(c.InnerOpt.LR, c.InnerOpt.Decay, c.InnerOpt.Eps)
	}
	t.Fatalf("%s: unknown inner optimiser %q", c.Name, c.InnerOpt.Kind)
	return nil
}

// six folds our seven into the file's six: one α.
func six(m loss.Meta) []float64 {
	return []float64{m[0], m[1], m[2] + m[3], m[4], m[5], m[6]}
}

func (c *metaCase) outer() loss.Meta {
	o := &c.Outer
	return loss.Meta{o.Gamma, o.Lambda, o.Alpha, o.Alpha, o.GV, o.GP, o.GE}
}

// zeta is the hyperparameters of raw η, and how each moves with its own.
func (c *metaCase) zeta(raw []float64) (zeta loss.Meta, chain []float64) {
	coefficient := []float64{1, 1, 1, c.Outer.GV, c.Outer.GP, c.Outer.GE}
	values := make([]float64, 6)
	chain = make([]float64, 6)
	for k, x := range raw {
		share, slope := loss.Squash(x)
		values[k], chain[k] = share*coefficient[k], slope*coefficient[k]
	}
	return loss.Meta{values[0], values[1], values[2], values[2], values[3], values[4], values[5]}, chain
}

func TestGoldenMetagradient(t *testing.T) {
	const name = "metagradient.json"
	var file struct {
		Tolerance struct{ F64 goldens.Tolerance }
		Cases     []metaCase
	}
	goldens.Decode(t, name, &file)
	tol := file.Tolerance.F64
	if len(file.Cases) == 0 || tol.Rtol == 0 {
		t.Fatalf("%s holds no cases or no tolerance", name)
	}
	kinds, numbers := map[string]int{}, 0
	for i := range file.Cases {
		c := &file.Cases[i]
		kinds[c.Kind]++
		t.Run(c.Name, func(t *testing.T) {
			same := func(what string, got, want []float64) {
				t.Helper()
				if len(got) != len(want) {
					t.Fatalf("%s: %d numbers, want %d", what, len(got), len(want))
				}
				for i := range got {
					numbers++
					if !tol.Near(got[i], want[i]) {
						t.Errorf("%s[%d]: %v, want %v", what, i, got[i], want[i])
					}
				}
			}
			switch c.Kind {
			case "single_step", "stacx":
				goldenStep(t, c, same)
			case "loop":
				goldenLoop(t, c, same)
			default:
				t.Fatalf("unknown kind of case %q", c.Kind)
			}
		})
	}
	t.Logf("%s: %d cases %v, %d numbers", name, len(file.Cases), kinds, numbers)
}

func (c *metaCase) losses(x *twinHead, zeta loss.Meta, literal float64) []float64 {
	v, p, e := zeta[loss.MetaValueCost]*x.terms.value, zeta[loss.MetaPolicyCost]*x.terms.policy,
		literal*zeta[loss.MetaEntropyCost]*x.terms.entropy
	return []float64{v, p, e, v + p + e}
}

func inWords(m map[string]float64) []float64 {
	return []float64{m["value"], m["policy"], m["entropy"], m["total"]}
}

func goldenStep(t *testing.T, c *metaCase, same func(string, []float64, []float64)) {
	var want metaWant
	if err := json.Unmarshal(c.Expected, &want); err != nil {
		t.Fatal(err)
	}
	b, state := c.batch(t, c.Inputs.Batch)
	var zetas []loss.Meta
	var chains [][]float64
	for h, raw := range c.Inputs.RawEta {
		zeta, chain := c.zeta(raw)
		zetas, chains = append(zetas, zeta), append(chains, chain)
		same("zeta", []float64{zeta[0], zeta[1], zeta[2], zeta[4], zeta[5], zeta[6]}, want.Zeta[h])
	}
	if len(zetas) != c.Heads {
		t.Fatalf("%d sets of metaparameters for %d heads", len(zetas), c.Heads)
	}
	theta := c.flat(c.Inputs.Theta)
	nu := c.flat(c.Inputs.OptMS)
	w := iterate(c.model(state), theta, nu, zetas, c.outer(), b, c.rule(t), math.Inf(1))

	same("inner losses", c.losses(w.heads[0], zetas[0], b.literal), inWords(want.Inner))
	same("inner gradient", w.grad, c.flat(want.InnerGrad))
	same("theta_next", w.next, c.flat(want.ThetaNext))
	if c.InnerOpt.Kind == "rmsprop_tf" {
		same("opt_ms_next", w.nu, c.flat(want.OptMSNext))
	}
	same("outer losses", c.losses(w.outer, c.outer(), b.literal), inWords(want.Outer))
	same("kl", []float64{w.kl}, []float64{want.KL})
	for i := range c.B { // the file may list fewer steps where the sums are shorter
		for step := range want.OuterVS[i] {
			at := step*c.B + i
			same("outer v", w.outer.targets.VS[at:at+1], want.OuterVS[i][step:step+1])
		}
		for step := range want.OuterA[i] {
			at := step*c.B + i
			same("outer advantage", w.outer.targets.Advantage[at:at+1], want.OuterA[i][step:step+1])
			same("outer rho", w.outer.targets.Rho[at:at+1], want.OuterRho[i][step:step+1])
		}
	}
	for h := range zetas {
		byOuter, byKL := six(w.byOuter[h]), six(w.byKL[h])
		same("d_outer_d_zeta", byOuter, want.DOuter[h])
		same("d_kl_d_zeta", byKL, want.DKL[h])
		whole := make([]float64, 6)
		for k, slope := range chains[h] {
			byOuter[k] *= slope
			byKL[k] *= slope
			whole[k] = byOuter[k] + c.Outer.GKL*byKL[k]
		}
		same("d_outer_d_raw", byOuter, want.DOuterRaw[h])
		same("d_kl_d_raw", byKL, want.DKLRaw[h])
		same("meta_grad_raw", whole, want.MetaGrad[h])
	}
}

func goldenLoop(t *testing.T, c *metaCase, same func(string, []float64, []float64)) {
	var want struct {
		Iterations []struct {
			Theta      map[string]any
			RawEta     [][]float64 `json:"raw_eta"`
			MetaGrad   [][]float64 `json:"meta_grad_raw"`
			KL         float64
			OuterTotal float64 `json:"outer_total"`
		}
	}
	if err := json.Unmarshal(c.Expected, &want); err != nil {
		t.Fatal(err)
	}
	if len(want.Iterations) != len(c.Inputs.Batches) || len(c.Inputs.Batches) == 0 {
		t.Fatalf("%d batches, %d iterations", len(c.Inputs.Batches), len(want.Iterations))
	}
	theta, nu := c.flat(c.Inputs.Theta), c.flat(c.Inputs.OptMS)
	raw := c.Inputs.RawEta
	first, second := make([][]float64, c.Heads), make([][]float64, c.Heads)
	for h := range raw {
		first[h], second[h] = make([]float64, 6), make([]float64, 6)
	}
	for k, in := range c.Inputs.Batches {
		b, state := c.batch(t, in)
		var zetas []loss.Meta
		var chains [][]float64
		for _, r := range raw {
			zeta, chain := c.zeta(r)
			zetas, chains = append(zetas, zeta), append(chains, chain)
		}
		w := iterate(c.model(state), theta, nu, zetas, c.outer(), b, c.rule(t), math.Inf(1))
		theta, nu = w.next, w.nu
		for h := range raw {
			grad := make([]float64, 6)
			byOuter, byKL := six(w.byOuter[h]), six(w.byKL[h])
			for i, slope := range chains[h] {
				grad[i] = slope * (byOuter[i] + c.Outer.GKL*byKL[i])
			}
			same("meta_grad_raw", grad, want.Iterations[k].MetaGrad[h])
			oracle.StepAdam(raw[h], first[h], second[h], grad, c.MetaOpt.LR, c.MetaOpt.B1, c.MetaOpt.B2, c.MetaOpt.Eps,
				uint64(k+1))
			same("raw_eta", raw[h], want.Iterations[k].RawEta[h])
		}
		same("theta", theta, c.flat(want.Iterations[k].Theta))
		same("kl", []float64{w.kl}, []float64{want.Iterations[k].KL})
		same("outer total", c.losses(w.outer, c.outer(), b.literal)[3:], []float64{want.Iterations[k].OuterTotal})
	}
}

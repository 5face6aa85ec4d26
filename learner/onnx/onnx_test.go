package onnx

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"impalab/learner/correct"
	"impalab/learner/kernel"
	"impalab/learner/net"
)

// runtimeVersion is the version of onnxruntime-web that checks our models.
const runtimeVersion = "1.20.1"

// onnxRuntime returns a folder in which node finds onnxruntime-web. It installs the package from npm once for this
// machine, and skips the test where that fails.
func onnxRuntime(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("onnxruntime is 100 MB from npm; the comparison runs without -short")
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skip("no folder for onnxruntime:", err)
	}
	dir := filepath.Join(cache, "impalab-onnxruntime-"+runtimeVersion)
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "onnxruntime-web", "package.json")); err == nil {
		return dir
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Skip("no folder for onnxruntime:", err)
	}
	install := exec.CommandContext(t.Context(), "npm", "install", "--prefix", dir, "--ignore-scripts", "--no-audit",
		"--no-fund", "onnxruntime-web@"+runtimeVersion)
	if out, err := install.CombinedOutput(); err != nil {
		t.Skipf("npm cannot install onnxruntime-web: %v\n%s", err, out)
	}
	return dir
}

// play runs models in node, step by step, and prints their outputs as JSON. With a state it passes next_state on.
const play = `
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
const [dir, file] = process.argv.slice(1);
const ort = createRequire(dir + "/package.json")("onnxruntime-web");
ort.env.wasm.numThreads = 1;
const all = {};
for (const [network, { model, steps }] of Object.entries(JSON.parse(readFileSync(file, "utf8")))) {
	const session = await ort.InferenceSession.create(Buffer.from(model, "base64"));
	all[network] = [];
	let state;
	for (const step of steps) {
		const feeds = {};
		for (const [name, { data, dims }] of Object.entries(step))
			feeds[name] = new ort.Tensor("float32", Float32Array.from(data), dims);
		if (state) feeds.state = state;
		const got = await session.run(feeds);
		state = got.next_state;
		all[network].push(Object.fromEntries(Object.entries(got).map(([name, t]) => [name, [...t.data]])));
	}
}
console.log(JSON.stringify(all));
`

// feed is a tensor of two dimensions, as play reads it.
type feed struct {
	Data []float32 `json:"data"`
	Dims [2]int    `json:"dims"`
}

// steps is one network's model and its inputs at each step, as play reads it.
type steps struct {
	Model []byte            `json:"model"`
	Steps []map[string]feed `json:"steps"`
}

// outputsOf plays models through their steps, and returns the outputs of each at each step.
func outputsOf(t *testing.T, runtime string, all map[string]steps) (out map[string][]map[string][]float64) {
	t.Helper()
	asked := filepath.Join(t.TempDir(), "asked.json")
	text, err := json.Marshal(all)
	if err == nil {
		err = os.WriteFile(asked, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), "node", "--input-type=module", "-e", play, runtime, asked)
	command.Stderr = os.Stderr
	said, err := command.Output()
	if err != nil {
		t.Fatalf("node: %v\n%s", err, said)
	}
	if err := json.Unmarshal(said, &out); err != nil {
		t.Fatalf("%v: %.200s", err, said)
	}
	return out
}

// networks are one network for each part that a model can have.
var networks = map[string]net.Spec{
	"linear": {Obs: 7, Actions: 3},
	"flat":   {Obs: 4, Hidden: []int{64, 64}, Activation: kernel.Tanh, Actions: 2},
	"board": {Obs: 10 * 10 * 4, Image: [3]int{10, 10, 4}, Torso: net.Shallow, Hidden: []int{128}, Activation: kernel.ReLU,
		Actions: 6},
	"picture": {Obs: 42 * 36 * 3, Image: [3]int{42, 36, 3}, Torso: net.Shallow, Hidden: []int{32}, Activation: kernel.ReLU,
		Actions: 4},
	"deep": {Obs: 21 * 17 * 3, Image: [3]int{21, 17, 3}, Torso: net.Deep, Hidden: []int{32}, Activation: kernel.ReLU,
		Actions: 5},
	"lstm": {Obs: 5, Hidden: []int{16}, Activation: kernel.Tanh, LSTM: 24, Feedback: 4, Actions: 3},
	"separate lstms": {Obs: 5, Hidden: []int{16}, Activation: kernel.Tanh, LSTM: 8, Separate: true,
		Actions: 3},
	"two lstms": {Obs: 5, LSTM: 8, CoreLayers: 2, Actions: 3},
	"gaussian":  {Obs: 3, Hidden: []int{32}, Activation: kernel.ReLU, Policy: net.Gaussian, Actions: 4, Feedback: 3},
	"tanh":      {Obs: 3, Hidden: []int{32}, Activation: kernel.ReLU, Policy: net.Tanh, Separate: true, Actions: 4},
	"heads": {Obs: 4, Hidden: []int{32}, Activation: kernel.ReLU, HeadHidden: []int{16}, Heads: 3,
		Actions: 2},
	"linear heads": {Obs: 4, Hidden: []int{32}, Activation: kernel.ReLU, Heads: 2, Actions: 3},
	"cells": {Obs: 6 * 4, Image: [3]int{6, 4, 1}, CellSide: 2, Hidden: []int{16}, Activation: kernel.ReLU,
		HeadHidden: []int{8}, Actions: 3},
	"tasks": {Obs: 6, Hidden: []int{32}, Activation: kernel.ReLU, Actions: 4, Values: 3},
}

func TestATransformerIsRefused(t *testing.T) {
	spec := net.Spec{Obs: 4, Actions: 3, TrXL: 6, CoreHeads: 2, CoreMemory: 5}
	_, err := Model(&Policy{Spec: spec, Theta: make([]float32, spec.Params())})
	if err == nil || !strings.Contains(err.Error(), "a Transformer-XL is not written as ONNX") {
		t.Errorf("%v", err)
	}
}

// most is the largest allowed deviation between onnxruntime and our own forward pass, for numbers around 1.
const most = 2e-5

func TestModelsComputeOurPolicy(t *testing.T) {
	runtime := onnxRuntime(t)
	all, want := map[string]steps{}, map[string][]map[string][]float32{}
	for name, spec := range networks {
		all[name], want[name] = played(t, spec)
	}
	outputs := outputsOf(t, runtime, all)
	for name, want := range want {
		t.Run(name, func(t *testing.T) {
			got, worst, compared := outputs[name], 0.0, 0
			if len(got) != len(want) {
				t.Fatalf("%d steps, not %d", len(got), len(want))
			}
			for i, got := range got {
				if len(got) != len(want[i]) {
					t.Fatalf("outputs %v, not %v", got, want[i])
				}
				for name, values := range want[i] {
					if len(got[name]) != len(values) {
						t.Fatalf("%s has %d numbers, not %d", name, len(got[name]), len(values))
					}
					for k, v := range values {
						compared++
						off := math.Abs(got[name][k]-float64(v)) / max(1, math.Abs(float64(v)))
						if worst = max(worst, off); !(off <= most) {
							t.Fatalf("step %d, %s[%d] is %v, ours %v", i, name, k, got[name][k], v)
						}
					}
				}
			}
			t.Logf("%d bytes, %d numbers compared, largest deviation %.1e", len(all[name].Model), compared, worst)
		})
	}
}

// played returns a network's model and its inputs at four steps, and the outputs of our own passes.
func played(t *testing.T, spec net.Spec) (steps, []map[string][]float32) {
	t.Helper()
	const rows = 3
	spec.HeadScale = 1
	chance := rand.New(rand.NewPCG(1, 2))
	theta := make([]float32, spec.Params())
	spec.Init(theta, 1)
	for i := range theta { // biases start at 0
		theta[i] += float32(chance.NormFloat64()) / 50
	}
	n := max(1, spec.Values)
	p := &Policy{Spec: spec, Theta: theta, Doc: "a test", About: [][2]string{{"run", "none"}}}
	for k := range n {
		p.Scale, p.Shift = append(p.Scale, 1+float32(k)/4), append(p.Shift, float32(k)-0.5)
	}
	model, err := Model(p)
	if err != nil {
		t.Fatal(err)
	}
	ours, state := net.NewForward(spec, rows), make([]float32, rows*spec.States())
	asked := steps{Model: model}
	var want []map[string][]float32
	for range 4 {
		input := make([]float32, rows*spec.Inputs())
		for i := range input {
			input[i] = float32(chance.NormFloat64())
		}
		one := map[string]feed{"observation": {Dims: [2]int{rows, spec.Obs}}}
		last := feed{Dims: [2]int{rows, spec.Feedback}}
		for r := range rows {
			row, o := input[r*spec.Inputs():(r+1)*spec.Inputs()], one["observation"]
			o.Data = append(o.Data, row[:spec.Obs]...)
			one["observation"], last.Data = o, append(last.Data, row[spec.Obs:]...)
		}
		if spec.Feedback > 0 {
			one["feedback"] = last
		}
		if spec.LSTM > 0 && len(asked.Steps) == 0 {
			one["state"] = feed{append([]float32(nil), state...), [2]int{rows, spec.States()}}
		}
		asked.Steps = append(asked.Steps, one)
		want = append(want, expected(&spec, p, ours, input, state, rows))
	}
	return asked, want
}

// expected computes a model's outputs with our own passes. state becomes the next one.
func expected(spec *net.Spec, p *Policy, ours *net.Forward, input, state []float32, rows int) map[string][]float32 {
	logits, values := ours.Run(p.Theta, input, state, rows)
	out := map[string][]float32{"value": append([]float32(nil), values...)}
	for i := range values {
		k := i % len(p.Scale)
		out["value"][i] = p.Scale[k]*values[i] + p.Shift[k]
	}
	if spec.LSTM > 0 {
		out["next_state"] = append([]float32(nil), state...)
	}
	if n := spec.Reals(); n > 0 {
		both := make([]float32, len(logits))
		correct.Gaussian(both, nil, logits, n, spec.Policy.Spread())
		for r := range rows {
			out["mean"] = append(out["mean"], both[r*2*n:r*2*n+n]...)
			out["deviation"] = append(out["deviation"], both[r*2*n+n:(r+1)*2*n]...)
		}
		return out
	}
	out["logits"] = append([]float32(nil), logits...)
	for r := range rows {
		row, sum := logits[r*spec.Actions:(r+1)*spec.Actions], 0.0
		for _, l := range row {
			sum += math.Exp(float64(l)) // the logits are around 1
		}
		for _, l := range row {
			out["probabilities"] = append(out["probabilities"], float32(math.Exp(float64(l))/sum))
		}
	}
	return out
}

func TestAModelOfOtherParametersIsRefused(t *testing.T) {
	spec := net.Spec{Obs: 4, Actions: 2}
	if _, err := Model(&Policy{Spec: spec, Theta: make([]float32, spec.Params()-1)}); err == nil ||
		fmt.Sprint(err) != "onnx: 14 parameters for a network of 15" {
		t.Errorf("%v", err)
	}
	if _, err := Model(&Policy{}); err == nil {
		t.Error("a network without an observation is written")
	}
}

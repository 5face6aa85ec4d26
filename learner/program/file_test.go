package program_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"reflect"
	"slices"
	"strings"
	"testing"

	"impalab/learner/graph"
	"impalab/learner/kernel"
	"impalab/learner/net"
	"impalab/learner/program"
)

// programs has every operation in it.
func programs(t testing.TB) map[string]*program.Program {
	t.Helper()
	board := net.Spec{Obs: 5 * 4 * 2, Image: [3]int{5, 4, 2}, Activation: kernel.Tanh, Hidden: []int{6}, Actions: 3}
	deep, all := board, board
	deep.Torso = net.Deep
	all.Torso, all.Feedback, all.LSTM, all.Separate, all.Values = net.Shallow, 4, 5, true, 2
	looking := net.Spec{Obs: 4, Actions: 3, TrXL: 6, CoreLayers: 2, CoreHeads: 3, CoreMemory: 4}
	out := map[string]*program.Program{}
	for name, spec := range map[string]net.Spec{"dense": wide, "deep": deep, "all of it": all, "looks back": looking} {
		p, err := graph.Lower(spec, 3, 2, spec.TrXL == 0)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = p
	}
	return out
}

func TestAProgramComesBackAsItWasWritten(t *testing.T) {
	for name, p := range programs(t) {
		bytes := p.Append(nil)
		back, err := program.Parse(bytes)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !reflect.DeepEqual(back, p) {
			t.Errorf("%s: another program came back", name)
		}
		if !slices.Equal(back.Append(nil), bytes) {
			t.Errorf("%s: its bytes change when it is written again", name)
		}
	}
}

// A program from the graph and the same program from a file give the same bits.
func TestAProgramFromAFileComputesTheSame(t *testing.T) {
	const rows = 6
	e := newExample(wide, rows, 1)
	p, err := lower(wide)(1, rows)
	if err != nil {
		t.Fatal(err)
	}
	back, err := program.Parse(p.Append(nil))
	if err != nil {
		t.Fatal(err)
	}
	var all [2][]float32
	for i, p := range []*program.Program{p, back} {
		h, grad := program.NewHost(kernel.Auto, p), make([]float32, len(e.theta))
		logits, values := h.Forward(e.theta, e.obs, nil, nil)
		h.Backward(grad, e.dLogits, e.dValues)
		tLogits, tValues := h.Tangent(e.theta)
		all[i] = slices.Concat(logits, values, grad, tLogits, tValues)
	}
	if !slices.Equal(all[0], all[1]) {
		t.Error("they differ")
	}
}

// sealed is bytes with the checksum that belongs to them.
func sealed(b []byte) []byte { return binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b)) }

func TestInvalidProgramBytesAreNamed(t *testing.T) {
	good := programs(t)["dense"].Append(nil)
	body := good[:len(good)-4]
	head := len("impalab program\n")
	newer := slices.Clone(body)
	newer[head] = program.Version + 1
	for want, b := range map[string][]byte{
		"these bytes are not": []byte("impalab tape"),
		"of version 2":        sealed(newer),
		"are damaged":         append(slices.Clone(body), 1, 2, 3, 4),
		"end too early":       sealed(slices.Clone(body[:len(body)/2])),
		"bytes are left over": sealed(append(slices.Clone(body), 0)),
	} {
		if _, err := program.Parse(b); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want …%s…", err, want)
		}
	}
	for n := range head + 5 {
		if _, err := program.Parse(good[:n]); err == nil {
			t.Errorf("%d bytes were enough", n)
		}
	}
}

func TestAProgramThatReachesOutOfItsMemoryIsRefused(t *testing.T) {
	for want, change := range map[string]func(p *program.Program){
		"no segment holds":     func(p *program.Program) { p.Forward[0].At[1] = p.Segments[program.Work].At - 1 },
		"may not write":        func(p *program.Program) { p.Forward[0].At[0] = p.Segments[program.Theta].At },
		"writes over input":    func(p *program.Program) { p.Forward[1].At[0] = p.Forward[0].At[0] + 1 },
		"nothing has computed": func(p *program.Program) { p.Forward = p.Forward[1:] },
		"in segment 6":         func(p *program.Program) { p.Forward[0].At[1] = p.Segments[program.Direction].At },
		"is unknown":           func(p *program.Program) { p.Forward[0].Op = 200 },
		"no form that adds":    func(p *program.Program) { p.Forward[0].Add = true },
		"no activation 4":      func(p *program.Program) { p.Forward[0].Act = 4 },
		"size 0 is 0":          func(p *program.Program) { p.Forward[0].Size[0] = 0 },
		"size 7 is 1":          func(p *program.Program) { p.Forward[0].Size[7] = 1 },
		"no input 5":           func(p *program.Program) { p.Forward[0].At[5] = 1 },
		"follow each other":    func(p *program.Program) { p.Segments[program.Input].At = 0 },
		"whole rows":           func(p *program.Program) { p.Segments[program.Input].N-- },
		"a derivative has the": func(p *program.Program) { p.Segments[program.Grad].N-- },
		"no forward pass":      func(p *program.Program) { p.Forward = nil },
		"at least 1 of each":   func(p *program.Program) { p.B = 0 },
		"has cores":            func(p *program.Program) { p.Cores = append(p.Cores, program.Core{}) },
	} {
		p := programs(t)["dense"]
		change(p)
		if err := p.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want …%s…", err, want)
		}
	}
	p := programs(t)["all of it"]
	p.Cores[0].At = p.Size()
	if err := p.Validate(); err == nil || !strings.Contains(err.Error(), "core 0") {
		t.Errorf("a core outside: %v", err)
	}
	p = programs(t)["looks back"]
	p.Cores[1].Memory++
	if err := p.Validate(); err == nil || !strings.Contains(err.Error(), "core 1") {
		t.Errorf("a memory beyond the state: %v", err)
	}
	p.Cores[1].Memory = 0
	if err := p.Validate(); err == nil || !strings.Contains(err.Error(), "neither an LSTM nor an attention") {
		t.Errorf("an attention without a memory: %v", err)
	}
}

// Whatever is accepted is written as the same bytes again, and can be run where there is memory for it.
func FuzzParse(f *testing.F) {
	for _, p := range programs(f) {
		f.Add(p.Append(nil))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 4 { // the checksum keeps damage out; behind it anything may stand
			b = sealed(slices.Clone(b[:len(b)-4]))
		}
		p, err := program.Parse(b)
		if err != nil {
			return
		}
		if !bytes.Equal(p.Append(nil), b) {
			t.Fatal("it is written in other bytes than it was read from")
		}
		if p.Size() > 1<<20 || len(p.Forward)+len(p.Backward)+len(p.Tangent) > 1000 {
			return
		}
		work := 0 // a few numbers can be asked to be multiplied for hours
		for _, list := range [][]program.Step{p.Forward, p.Backward, p.Tangent} {
			for i := range list {
				work += slices.Max(list[i].Size[:]) * slices.Max(list[i].Extents())
			}
		}
		if work > 1<<24 {
			return
		}
		h := program.NewHost(kernel.Auto, p)
		n := func(s program.Segment) []float32 { return make([]float32, p.Segments[s].N) }
		h.Forward(n(program.Theta), n(program.Input), n(program.State), n(program.Keep))
		h.Backward(n(program.Grad), n(program.DLogits), n(program.DValues))
		if p.Tangent != nil {
			h.Tangent(n(program.Direction))
		}
		for row := range min(p.Rows(), 8) {
			h.StateAfter(row, make([]float32, max(1, p.Width(program.State))))
		}
	})
}

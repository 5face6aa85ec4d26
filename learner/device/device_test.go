package device_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"impalab/learner"
	"impalab/learner/device"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/kernel"
	"impalab/learner/net"
	"impalab/learner/program"
)

// cores is a device that computes on this machine's cores, with faults for tests.
type cores struct {
	lie    program.Op     // one number of what this operation writes has its last bit turned; 0: of none
	flush  program.Op     // what this operation writes has zeros in place of subnormal numbers; 0: of none
	plan   func(*watched) // the fault of its plans; nil: none
	closed *int           // counts Close
}

func (c cores) Name() string { return "the cores once more" }
func (c cores) Close()       { *c.closed++ }

func (c cores) Run(steps []program.Step, arena []float32) error {
	program.Bind(steps, arena).Run()
	for i := range steps {
		s := &steps[i]
		out := arena[s.At[0]:][:s.Extents()[0]]
		if s.Op == c.lie {
			at := len(out) / 2
			out[at] = math.Float32frombits(math.Float32bits(out[at]) ^ 1)
			return nil
		}
		for at, v := range out {
			if s.Op == c.flush && v != 0 && math.Abs(float64(v)) < 0x1p-126 {
				out[at] = 0
			}
		}
	}
	return nil
}

func (c cores) Plan(make program.Maker, recurrent bool, t, b, shards int) (device.Plan, error) {
	s, err := program.NewSharded(kernel.Auto, make, recurrent, t, b, shards)
	w := &watched{Sharded: s}
	if c.plan != nil && err == nil {
		c.plan(w)
	}
	return w, err
}

// watched is a plan on the cores that may be slow, idle, or fail.
type watched struct {
	*program.Sharded
	idle  bool // it computes nothing
	slow  time.Duration
	lasts int // passes before it fails; 0: it does not
	done  int
}

func (w *watched) Forward(theta, input, state, keep []float32) (logits, values []float32) {
	time.Sleep(w.slow)
	if w.done++; w.idle {
		return nil, nil
	}
	return w.Sharded.Forward(theta, input, state, keep)
}

func (w *watched) Backward(grad, dLogits, dValues []float32) {
	if !w.idle {
		w.Sharded.Backward(grad, dLogits, dValues)
	}
}

func (w *watched) Err() error {
	if w.lasts > 0 && w.done > w.lasts {
		return errors.New("the card has been pulled out")
	}
	return nil
}

func driver(name string, c cores) (device.Driver, *int) {
	c.closed = new(int)
	return device.Driver{
		Name: name, Count: func() (int, error) { return 1, nil },
		Open: func(int) (device.Device, error) { return c, nil },
	}, c.closed
}

func needFused(t *testing.T) {
	t.Helper()
	if kernel.Arithmetic() != kernel.Fused {
		t.Skip("without vectors no device gives this machine's bits")
	}
}

func TestAnExaminationHasEveryOperationInEveryForm(t *testing.T) {
	seen := map[program.Op][2]int{}
	steps, _ := device.Examination()
	for i := range steps {
		if err := steps[i].Validate(); err != nil {
			t.Errorf("step %d, %s: %v", i, steps[i].Op, err)
		}
		n := seen[steps[i].Op]
		if steps[i].Add {
			n[1]++
		} else {
			n[0]++
		}
		seen[steps[i].Op] = n
	}
	op := program.Op(1)
	for ; op.String() != "no operation"; op++ {
		if n := seen[op]; n[0] == 0 != op.CoresOnly() || !op.CoresOnly() && (n[1] > 0) != op.Adds() {
			t.Errorf("%s: %v steps", op, n)
		}
	}
	if op < 20 {
		t.Errorf("only %d operations were found", op-1)
	}
}

func TestADeviceThatLiesIsRefusedByNameAndPassedOverOtherwise(t *testing.T) {
	needFused(t)
	for op := program.Op(1); !op.CoresOnly(); op++ {
		d, closed := driver("liar", cores{lie: op})
		_, err := device.Select("liar", []device.Driver{d})
		if err == nil || !strings.Contains(err.Error(), "the operation "+op.String()+" is") || *closed != 1 {
			t.Fatalf("%s: %v, closed %d times", op, err, *closed)
		}
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("more than a sentence: %q", err)
		}
	}
	d, _ := driver("liar", cores{lie: program.ColSum})
	s, err := device.Select(device.Auto, []device.Driver{d})
	if err != nil {
		t.Fatal(err)
	}
	choice := chosen(t, s)
	if choice.Name != device.CPU || !choice.Exact || !strings.Contains(choice.Why, "liar is passed over: ") {
		t.Errorf("auto: %+v", choice)
	}
	all := device.List([]device.Driver{d})
	if len(all) != 2 || all[0].Name != device.CPU || !all[0].Exact || all[1].Name != "liar" || all[1].Exact ||
		!strings.Contains(all[1].Why, "column sum") {
		t.Errorf("%+v", all)
	}
}

// An optimiser's mean squares decay to subnormal numbers, which some devices replace by 0 unless told otherwise.
func TestADeviceWhoseOptimiserLosesTheSmallestNumbersIsRefused(t *testing.T) {
	needFused(t)
	for _, op := range []program.Op{program.Scale, program.RMSProp, program.RMSPropMomentum, program.Adam} {
		d, _ := driver("flushing", cores{flush: op})
		_, err := device.Select("flushing", []device.Driver{d})
		if err == nil || !strings.Contains(err.Error(), "the operation "+op.String()+" is 0 ") {
			t.Errorf("%s: %v", op, err)
		}
	}
}

func TestAutoTakesTheFastestThatIsExact(t *testing.T) {
	needFused(t)
	slow, _ := driver("slow", cores{plan: func(w *watched) { w.slow = 50 * time.Millisecond }})
	byName, _ := driver("named", cores{})
	byName.ByName = true
	idle, _ := driver("idle", cores{plan: func(w *watched) { w.idle = true }})
	failing, _ := driver("failing", cores{plan: func(w *watched) { w.lasts = 1 }})
	for _, c := range []struct {
		drivers   []device.Driver
		name, why string
	}{
		{nil, device.CPU, "there is no other device"},
		{[]device.Driver{byName}, device.CPU, "there is no other device"},
		{[]device.Driver{slow}, device.CPU, "on slow"},
		{[]device.Driver{failing}, device.CPU, "failing is passed over: the card has been pulled out"},
		{[]device.Driver{slow, idle}, "idle", "a forward and a backward pass take"},
	} {
		s, err := device.Select(device.Auto, c.drivers)
		if err != nil {
			t.Fatal(err)
		}
		if got := chosen(t, s); got.Name != c.name || !got.Exact || !strings.Contains(got.Why, c.why) {
			t.Errorf("%+v, want %s because %s", got, c.name, c.why)
		}
		s.Close()
	}
	if got := chosen(t, nil); got.Name != device.CPU || got.Why == "" {
		t.Errorf("without any choice: %+v", got)
	}
}

func TestAMissingDeviceIsRefusedInASentence(t *testing.T) {
	needFused(t)
	here, _ := driver("here", cores{})
	gone := device.Driver{Name: "gone", Count: func() (int, error) { return 0, errors.New("no library") },
		Open: func(int) (device.Device, error) { return nil, errors.New("no library") }}
	for asked, want := range map[string]string{
		"gone": "no library", "her": "must be one of auto, cpu, here, gone", "here:x": "NAME:NUMBER",
		"here:-1": "NAME:NUMBER",
	} {
		if _, err := device.Select(asked, []device.Driver{here, gone}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", asked, err)
		}
	}
	if _, err := device.Select("here", nil); err == nil || !strings.Contains(err.Error(), "this build has no devices") {
		t.Errorf("a build without drivers: %v", err)
	}
	restore, _ := kernel.Compute(kernel.Plain)
	defer restore()
	if _, err := device.Select("here", []device.Driver{here}); err == nil || !strings.Contains(err.Error(), "plain") {
		t.Errorf("in plain arithmetic: %v", err)
	}
	if s, err := device.Select(device.Auto, []device.Driver{here}); err != nil ||
		!strings.Contains(chosen(t, s).Why, "plain") {
		t.Errorf("in plain arithmetic, auto: %v", err)
	}
}

// A run from a browser, or from a time without the device, has another arithmetic. A server computes it on the cores.
func TestARunOfAnotherArithmeticIsRefusedOrComputedOnTheCores(t *testing.T) {
	needFused(t)
	d, _ := driver("named", cores{})
	s, err := device.Select("named", []device.Driver{d})
	if err != nil {
		t.Fatal(err)
	}
	plain, err := kernel.In(kernel.Plain)
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = s.Plan(plain, lower, false, 20, 32, 4)
	if err == nil || !strings.Contains(err.Error(), "arithmetic=fused") {
		t.Errorf("plain arithmetic on a device: %v", err)
	}
	plan, choice, err := s.OrCores().Plan(plain, lower, false, 20, 32, 4)
	if err != nil || choice.Name != device.CPU || !strings.Contains(choice.Why, "this run in plain") {
		t.Fatalf("%+v, %v", choice, err)
	}
	plan.Close()
	if got := chosen(t, s.OrCores()); got.Name != "named" {
		t.Errorf("what the device has the arithmetic of: %+v", got)
	}
	if (*device.Selection)(nil).OrCores() != nil {
		t.Error("there is a device where none was selected")
	}
}

func TestARunWhoseDeviceFailsEndsWithItsErrorAndLearnsNothingMore(t *testing.T) {
	needFused(t)
	for _, learners := range []string{"1", "2"} {
		d, _ := driver("weak", cores{plan: func(w *watched) { w.lasts = 7 }})
		s, err := device.Select("weak", []device.Driver{d})
		if err != nil {
			t.Fatal(err)
		}
		cfg := config(t, "learners="+learners)
		l, err := learner.Engine{Lower: graph.Lower, Devices: s}.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		var before []float32
		result, err := l.Run(t.Context(), learner.Hooks{Between: func(l *learner.Learner) error {
			before = slices.Clone(l.Machine().Theta)
			return nil
		}})
		if err == nil || !strings.Contains(err.Error(), "pulled out") || result.Updates != 7 ||
			!slices.Equal(before, l.Machine().Theta) || result.Device.Name != "weak" {
			t.Errorf("%s learners: %d updates on %s: %v", learners, result.Updates, result.Device.Name, err)
		}
		l.Close()
	}
}

func config(t *testing.T, changes string) hyper.Config {
	t.Helper()
	cfg, err := hyper.FromPreset("catch")
	for _, pair := range strings.Fields("steps=4000 batch=4 hidden=16 " + changes) {
		key, value, _ := strings.Cut(pair, "=")
		err = errors.Join(err, cfg.Set(key, value))
	}
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

var little = net.Spec{Obs: 4, Hidden: []int{16}, Activation: kernel.Tanh, Actions: 3, HeadScale: 1}

func lower(t, b int) (*program.Program, error) { return graph.Lower(little, t, b, false) }

// chosen is what s chooses for a little network.
func chosen(t *testing.T, s *device.Selection) device.Choice {
	t.Helper()
	plan, choice, err := s.Plan(kernel.Auto, lower, false, 20, 32, 4)
	if err != nil {
		t.Fatal(err)
	}
	plan.Close()
	return choice
}

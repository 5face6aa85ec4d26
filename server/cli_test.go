package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"impalab/server/command"
)

// run runs the program and returns its output.
func run(t *testing.T, env []string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = NewMain(env, &out, &errs).Exec(t.Context(), args)
	return code, out.String(), errs.String()
}

func TestWrongInputNamesTheThingAndTheAllowedValues(t *testing.T) {
	for _, c := range []struct {
		env, args string
		want      []string // parts of standard error
	}{
		{"", "srve", []string{`unknown command "srve"`, "did you mean serve?", "Run impalab --help"}},
		{"", "serve --adr 1", []string{"--adr", "--addr"}},
		{"", "serve --addr nowhere", []string{`--addr "nowhere"`, "HOST:PORT", "127.0.0.1:8080"}},
		{"", "serve --metrics-addr 9090", []string{`--metrics-addr "9090"`, "HOST:PORT"}},
		{"", "serve --max-runs=-1", []string{"--max-runs -1", "1 to 10000"}},
		{"", "serve --max-memory 10", []string{"--max-memory 10", "128 to"}},
		{"", "serve --page-rate 0.1", []string{"--page-rate 0.1", "1 to 1000000"}},
		{"", "serve --base-url lab", []string{`--base-url "lab"`, "/lab/"}},
		{"", "serve --base-url ftp://example.org/", []string{"--base-url", "https://example.org/lab/"}},
		{"", "serve --data=", []string{"--data is empty", "give it a value"}},
		{"", "config --log-level loud", []string{"--log-level", "debug", "loud"}},
		{"", "train --world atlantis", []string{`unknown world "atlantis"`, "impalab worlds"}},
		{"", "train --algo magic", []string{`algo="magic"`, "impala"}},
		{"", "train --preset nothing", []string{`"nothing"`, "impalab presets"}},
		{"", "train --seed -1", []string{"seed"}},
		{"", "train --seed x", []string{`seed="x"`, "9007199254740991"}},
		{"", "train --steps many", []string{`steps="many"`, "whole number"}},
		{"", "train --set lag", []string{`--set "lag"`, "KEY=VALUE"}},
		{"", "train --set lag=2000", []string{`lag="2000"`, "0 to 1024"}},
		{"", "train --set lagg=2", []string{`"lagg"`, "did you mean lag?"}},
		{"", "train --set mix=0.5 --set replay-size=1", []string{"mix=0.5", "replay-size=1"}},
		{"", "train --seeds 5-1", []string{"5-1", "ends before it begins"}},
		{"", "train --seeds 1-3,2", []string{"seed 2", "twice"}},
		{"", "train --seeds 0-99999999", []string{"more than 10000"}},
		{"", "train --seeds 1-2 --seed 3", []string{"--seed", "--seeds"}},
		{"", "train --jobs -1", []string{"--jobs -1", "1 or more"}},
		{"", "train --jobs x", []string{`--jobs "x"`, "whole number"}},
		{"", "serve --hsts soon", []string{`--hsts "soon"`, "8760h"}},
		{"", "bench --seconds long", []string{`--seconds "long"`, "a number"}},
		{"", "replay", []string{"<tape> is missing"}},
		{"", "help trian", []string{`unknown command "trian"`, "did you mean train?"}},
		{"", "board tri", []string{`unknown command "board tri"`, "did you mean try?", "Run impalab board --help"}},
		{"", "train --world cartpol", []string{`unknown world "cartpol"`, "did you mean cartpole?"}},
		{"", "train --algo impla", []string{`algo="impla"`, "did you mean impala?"}},
		{"", "train --set roh=2", []string{`"roh"`, "did you mean rho?"}},
		{"", "train --save .", []string{`--save "."`, "folder"}},
		{"", "train --plot x.png/y.svg", []string{`--plot "x.png/y.svg"`, "no such"}},
		{"", "reproduce lag-clif", []string{`"lag-clif"`, "did you mean lag-cliff?"}},
		{"", "train --seeds 1-2 --save x", []string{`--save "x"`, "one run", "--seed"}},
		{"", "train --turn lag=4", []string{"--turn", "STEP:KEY=VALUE"}},
		{"", "train --turn 100:unroll=4", []string{"--turn 100:unroll=4", "cannot change during a run"}},
		{"", "train --turn 100:lag=4000", []string{"--turn", `lag="4000"`, "0 to 1024"}},
		{"", "train --turn 300000:lag=4", []string{"--turn 300000:lag=4", "ends at 250000 steps"}},
		{"", "train --preset a2c --turn 100:lag=4", []string{"--turn 100:lag=4", "algo=a2c with lag=4"}},
		{"", "train --seeds 1-2 --tape x", []string{`--tape "x"`, "one run", "--seed"}},
		{"", "train --tape cli_test.go", []string{`--tape "cli_test.go"`, "never overwritten"}},
		{"", "train --tape /nowhere/x", []string{`--tape "/nowhere/x"`, "no such"}},
		{"", "train --resume nowhere.snapshot", []string{"--resume", "nowhere.snapshot", "no such file", "train --save"}},
		{"", "train --resume cli_test.go", []string{"--resume", "not a snapshot"}},
		{"", "train --resume x --steps 3", []string{"--steps 3 beside x", "leave --steps out"}},
		{"", "train --set mode=live --save x", []string{`--save "x"`, "mode=reference"}},
		{"", "train --save /nowhere/x", []string{`--save "/nowhere/x"`, "cannot be written"}},
		{"", "eval --episodes 0", []string{"--episodes 0", "1 to 10000"}},
		{"", "eval --steps 0", []string{"steps=0", "--steps"}},
		{"", "eval nowhere.snapshot", []string{"nowhere.snapshot", "no such file", "train --save"}},
		{"", "eval cli_test.go", []string{"cli_test.go", "not a snapshot", "train --save"}},
		{"", "eval x --seed 3", []string{"--seed 3 beside x", "leave --seed out"}},
		{"", "eval x --set lag=3", []string{"--set lag=3 beside x", "leave --set out"}},
		{"", "bench --seconds 0", []string{"--seconds 0", "from 0.001 to 3600"}},
		{"", "bench --world cartpole --set lag=4", []string{"lag=4", "mode=live", "mode=reference"}},
		{"", "settings --preset nothing", []string{`"nothing"`, "impalab presets"}},
		{"", "healthcheck --addr x", []string{`--addr "x"`, "HOST:PORT"}},
		{"IMPALAB_ADR=:1", "worlds", []string{"IMPALAB_ADR", "did you mean IMPALAB_ADDR?"}},
		{"IMPALAB_WIBBLEWOBBLE=1", "worlds", []string{"IMPALAB_WIBBLEWOBBLE", "--addr"}},
		{"IMPALAB_HELP=true", "worlds", []string{"IMPALAB_HELP"}},
		{"IMPALAB_OPEN=maybe", "config", []string{"IMPALAB_OPEN", "maybe", "true"}},
		{"IMPALAB_LOG_LEVEL=loud", "config", []string{"IMPALAB_LOG_LEVEL", "debug"}},
		{"IMPALAB_DATA=a IMPALAB_DATA_FILE=b", "config", []string{"IMPALAB_DATA and IMPALAB_DATA_FILE"}},
		{"IMPALAB_DATA_FILE=/no/such/file", "config", []string{"IMPALAB_DATA_FILE", "/no/such/file"}},
		{"IMPALAB_LAG=8", "train", []string{"IMPALAB_LAG"}},
		{"", "train --unroll 3", []string{"unknown flag --unroll; unroll is a setting: use --set unroll=VALUE"}},
		{"", "train lag=3", []string{`unexpected argument "lag=3"; use --set lag=3`}},
		{"", "board", []string{"the command board needs one more word: tracks, try, export, close"}},
		{"", "evolve --members 1", []string{"--members 1: must be 2 to 1024"}},
		{"", "board try late-pole --set lag=0", []string{"lag is fixed at 16 on Late pole"}},
		{"", "train --turn x:lag=3", []string{`"x" is not a step number`}},
		{"", "actor --run x", []string{"--key is missing: use the key returned when the run was created"}},
	} {
		code, stdout, stderr := run(t, strings.Fields(c.env), strings.Fields(c.args)...)
		want := command.ExitUsage
		if strings.Contains(stderr, "no such file") {
			want = command.ExitNotFound
		}
		if code != want || stdout != "" {
			t.Errorf("%s %s: exit code %d, standard output %q", c.env, c.args, code, stdout)
		}
		for _, part := range c.want {
			if !strings.Contains(stderr, part) {
				t.Errorf("%s %s: %q does not say %q", c.env, c.args, stderr, part)
			}
		}
	}
}

func TestTheCommandLineWinsOverTheEnvironmentAndThatOverTheDefault(t *testing.T) {
	file, marked := filepath.Join(t.TempDir(), "addr"), filepath.Join(t.TempDir(), "marked")
	for name, content := range map[string]string{file: "from-file:1\n", marked: mark + "from-file:1\r\n"} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ name, env, args, value, from string }{
		{"default", "", "config", "127.0.0.1:8080", "default"},
		{"variable", "IMPALAB_ADDR=from-env:1", "config", "from-env:1", "IMPALAB_ADDR"},
		{"file", "IMPALAB_ADDR_FILE=" + file, "config", "from-file:1", "IMPALAB_ADDR_FILE"},
		{"file with a byte order mark", "IMPALAB_ADDR_FILE=" + marked, "config", "from-file:1", "IMPALAB_ADDR_FILE"},
		{"flag", "IMPALAB_ADDR=from-env:1", "config --addr typed:1", "typed:1", "command line"},
		{"flag over file", "IMPALAB_ADDR_FILE=" + file, "config --addr=typed:1", "typed:1", "command line"},
		{"not ours", "ADDR=other:1 IMPALABADDR=other:1", "config", "127.0.0.1:8080", "default"},
		{"of the kernels", "IMPALAB_SIMD=none", "config", "127.0.0.1:8080", "default"},
		{"of another command", "IMPALAB_SEEDS=1-3", "config", "127.0.0.1:8080", "default"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, stdout, stderr := run(t, strings.Fields(c.env), strings.Fields(c.args)...)
			if code != command.ExitOK {
				t.Fatalf("exit code %d: %s", code, stderr)
			}
			line := ""
			for l := range strings.Lines(stdout) {
				if strings.HasPrefix(l, "--addr ") {
					line = l
				}
			}
			if got := strings.Fields(line); len(got) < 3 || got[1] != c.value || strings.Join(got[2:], " ") != c.from {
				t.Errorf("%q: want %s from %s", line, c.value, c.from)
			}
		})
	}
}

func TestARepeatableFlagComesFromTheEnvironmentToo(t *testing.T) {
	code, stdout, stderr := run(t, []string{"IMPALAB_SET=batch=2 unroll=3", "IMPALAB_WORLD=catch", "IMPALAB_STEPS=12",
		"IMPALAB_JSON=true"}, "train")
	if code != command.ExitOK || !strings.Contains(stdout, `"steps":12,"updates":2,`) {
		t.Errorf("exit code %d: %s%s", code, stdout, stderr)
	}
}

func TestAWorldsOptionsAreNotTakenApart(t *testing.T) {
	code, stdout, stderr := run(t, nil, "train", "--json", "--steps", "40", "--set", "world=t-maze:length=20,repeat=2",
		"--set", "batch=1 unroll=4")
	if code != command.ExitOK || !strings.Contains(stdout, `"world":"t-maze:length=20,repeat=2"`) ||
		!strings.Contains(stdout, `"updates":10,`) {
		t.Errorf("exit code %d: %s%s", code, stdout, stderr)
	}
	if code, _, stderr := run(t, nil, "train", "--set", "batch=1,unroll=4"); code != command.ExitUsage ||
		!strings.Contains(stderr, `batch="1,unroll=4"`) {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

func TestHelpAndVersionAreWordsToo(t *testing.T) {
	_, want, _ := run(t, nil, "--help")
	if code, got, stderr := run(t, nil, "help"); code != command.ExitOK || got != want || stderr != "" {
		t.Errorf("help: exit code %d, %q%s", code, got, stderr)
	}
	_, want, _ = run(t, nil, "train", "--help")
	if code, got, _ := run(t, nil, "help", "train"); code != command.ExitOK || got != want {
		t.Errorf("help train: exit code %d, %q", code, got)
	}
	for _, word := range []string{"version", "--version"} {
		if code, got, stderr := run(t, nil, word); code != command.ExitOK ||
			!strings.HasPrefix(got, "impalab "+command.Release+", commit ") || stderr != "" {
			t.Errorf("%s: exit code %d, %q%s", word, code, got, stderr)
		}
	}
}

func TestHelpTeachesEachCommandAndRunsNothing(t *testing.T) {
	_, top, _ := run(t, nil, "--help")
	for _, name := range []string{"serve", "train", "evolve", "bench", "worlds", "algos", "presets", "settings", "config",
		"healthcheck", "version"} {
		code, stdout, stderr := run(t, nil, name, "--help")
		if code != command.ExitOK || !strings.Contains(stdout, "Usage: impalab "+name) || stderr != "" {
			t.Errorf("%s --help: exit code %d, %q, %q", name, code, stdout, stderr)
		}
		if !strings.Contains(top, "\n  "+name+" ") {
			t.Errorf("--help does not list %s", name)
		}
		if _, listed, _ := run(t, nil, name+"x"); listed != "" {
			t.Errorf("%sx printed %q", name, listed)
		}
	}
	if _, train, _ := run(t, nil, "train", "--help"); !strings.Contains(train, "[IMPALAB_SEEDS]") {
		t.Error("train --help does not name its environment variables")
	}
}

func TestHelpNamesDefaults(t *testing.T) {
	for args, want := range map[string]string{
		"serve": "(127.0.0.1:8080) [IMPALAB_ADDR]",
		"eval":  "(100) [IMPALAB_EPISODES]",
		"bench": "JSON object. [IMPALAB_JSON]",
	} {
		_, help, _ := run(t, nil, args, "--help")
		if help = strings.Join(strings.Fields(help), " "); !strings.Contains(help, want) {
			t.Errorf("%s --help does not say %q: %s", args, want, help)
		}
	}
}

// The program understands every example of itself in help and in the documents.
func TestExamplesCanBeTyped(t *testing.T) {
	texts := map[string]string{}
	for _, name := range []string{"serve", "train", "replay", "eval", "evolve", "bench", "devices", "reproduce",
		"static-site", "board try", "submit", "worker", "front", "actor", "backup", "restore"} {
		_, texts[name+" --help"], _ = run(t, nil, append(strings.Fields(name), "--help")...)
	}
	for _, pattern := range []string{"../*.md", "../docs/*.md", "../web/lesson/text/*.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			texts[file] = string(text)
		}
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "monday.impalab-backup"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(folder) // restore looks for it
	example := regexp.MustCompile("(?m)(^ {4}(?:[A-Z_]+=[^ ]+ )?|`)(?:impalab|go run ./server) ([^`#\\n]+)")
	alone := regexp.MustCompile("is missing|needs a NATS server|<EOL>")
	seen := 0
	for where, text := range texts {
		for _, line := range example.FindAllStringSubmatch(text, -1) {
			if strings.ContainsAny(line[2], "|[…\\") {
				continue // a pattern, not an example
			}
			seen++
			err := NewMain(nil, io.Discard, io.Discard).ParseFlags(typed(line[2]))
			if err != nil && line[1] == "`" && alone.MatchString(err.Error()) {
				continue // in a sentence, which may name a command or a flag alone
			}
			if err != nil {
				t.Errorf("%s: impalab %s: %v", where, line[2], err)
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d examples were found", seen)
	}
}

// typed splits a line as a shell does: at spaces outside double quotes, up to a redirection.
func typed(line string) (words []string) {
	line, _, _ = strings.Cut(line, " > ")
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	return words
}

func TestTheListsShowEveryRowOfTheirTables(t *testing.T) {
	for line, want := range map[string][]string{
		"worlds": {"cartpole", "mountain-car-continuous", "reacher", "tiny", "grid-5", "catch",
			"cliff", "four-rooms", "garnet"},
		"algos":                        {"impala", "laser", "arXiv:2002.12928", "Imitates the better half"},
		"presets":                      {"lag-cliff", "long-unrolls", "destination"},
		"settings":                     {"rho-pg", "lag", "replay-size", "IN SIGHT", "V-MPO eps-eta"},
		"settings --preset=lag-cliff ": {"lag                8  "},
	} {
		code, stdout, _ := run(t, nil, strings.Fields(line)...)
		squeezed := strings.Join(strings.Fields(stdout), " ")
		for _, name := range want {
			if code != command.ExitOK || !strings.Contains(squeezed, strings.Join(strings.Fields(name), " ")) {
				t.Errorf("%s: exit code %d, does not show %q", line, code, name)
			}
		}
	}
}

func TestAnInterruptedProgramSaysSoAndEndsCleanly(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs bytes.Buffer
	code := NewMain(nil, &out, &errs).Exec(ctx, []string{"bench", "--world", "catch", "--seconds", "60"})
	if code != command.ExitInterrupted || !strings.Contains(errs.String(), "interrupted") {
		t.Errorf("exit code %d: %s", code, errs.String())
	}
}

package main

import (
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"impalab/web/wire"
)

// The static site in a real browser, from a host that only has files.

// execute runs a command of this program in its own process and returns its output.
func execute(t *testing.T, args ...string) []byte {
	t.Helper()
	out, err := program(t.Output(), nil, args...).Output()
	if err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return out
}

const builtWorker = "../bin/worker.wasm"

// host writes the folder with the given arguments and serves it below a path of a file host. Cut ends its network.
func host(t *testing.T, args ...string) (url string, cut func()) {
	t.Helper()
	if _, err := os.Stat(builtWorker); err != nil {
		t.Fatal("the worker is not built: run make wasm first (make test does)")
	}
	dir := t.TempDir()
	execute(t, append([]string{"static-site", dir}, args...)...)
	files := httptest.NewServer(http.StripPrefix("/a/path/", http.FileServer(http.Dir(dir))))
	cut = func() {
		files.CloseClientConnections()
		files.Close()
	}
	t.Cleanup(cut)
	return files.URL + "/a/path/", cut
}

func TestTheFolderTellsTheStoryWithoutANetwork(t *testing.T) {
	t.Parallel()
	ctx := ownBrowser(t)
	url, cut := host(t)
	do(t, ctx, "a first visit", chromedp.Navigate(url+"learn"), until(`document.documentElement.dataset.kept === "true"`))
	cut()
	open(t, ctx, url+fast)
	do(t, ctx, "they learn", until(`Number(document.querySelector('[data-part="score"]').textContent) > 30`))
	if slow { // as in the test of the first page
		do(t, ctx, "the page moves the slider", until(saying+`.includes("64 updates ago. Only the left one")`))
		do(t, ctx, "the right one falls", at("held"))
		do(t, ctx, "the page gives it V-trace", at("mended"))
		do(t, ctx, "it waits", at("over"))
	}
	said := text(t, ctx, `document.querySelector('[data-part="where"]').textContent`)
	if said != "They learn in this browser" {
		t.Errorf("it says %q of where they learn", said)
	}
	do(t, ctx, "the Lab", chromedp.Navigate(text(t, ctx, `document.querySelector('[data-part="lab"]').href`)), columns(2))
	do(t, ctx, "it runs there", until(`document.body.dataset.state === "running"`))
	for _, act := range []string{"over-seeds", "sweep"} {
		button := fmt.Sprintf(`document.querySelector('[data-verb=%q]')`, act)
		do(t, ctx, act+" needs a server, and says so", js(button+`.click()`),
			until(`/server/.test(document.querySelector("#notice").textContent) && !document.querySelector("dialog[open]")`),
			js(`document.querySelector('#notice [data-part="close"]').click()`))
	}
	do(t, ctx, "a network that needs another program", js(`{
		const field = document.querySelector('[data-key="hidden"] input');
		field.value = "17";
		for (const event of ["input", "blur"]) field.dispatchEvent(new Event(event, {bubbles: true}));
	}`), until(`/needs a program that only a server makes/.test(
		document.querySelector('[data-key="hidden"] [data-part="error"]').textContent)`))
	do(t, ctx, "a lesson", chromedp.Navigate(url+"learn/late/"), until(`document.querySelector("#check .quiet") !== null`))
}

// inWorker are runs that a worker of the site trains while its page trains none.
type inWorker struct {
	t   *testing.T
	ctx context.Context
}

// startWorker opens a page of the site without a run, and starts a worker there.
func startWorker(t *testing.T) *inWorker {
	t.Helper()
	ctx := ownBrowser(t)
	url, _ := host(t)
	do(t, ctx, "the errata", chromedp.Navigate(url+"learn/errata/"), js(`fetch("../../lab/").then(r => r.text()).then(page => {
		const { dataset } = new DOMParser().parseFromString(page, "text/html").body;
		const at = (name) => new URL(dataset[name], new URL("../../lab/", document.baseURI)).href;
		top.runs = [];
		top.worker = new Worker(at("worker"));
		top.worker.onmessage = ({ data }) => {
			if (data.failed) top.failed = data.failed;
			const run = top.runs.find((r) => r.id && !r.sha);
			if (run && data.paramsSHA256) { run.sha = data.paramsSHA256; run.took = performance.now() - run.from; }
		};
		top.worker.postMessage({ start: { exec: at("exec"), kernels: at("kernels"), program: at("program"),
			programs: at("programs"), build: dataset.build, number: 0 } });
	}); 0`), until(`top.worker !== undefined`))
	return &inWorker{t, ctx}
}

// train makes the worker train a link's run to its end. It returns the hash of its parameters and the time.
func (w *inWorker) train(settings ...wire.Setting) (sha string, took time.Duration) {
	w.t.Helper()
	hello, err := wire.Append(nil, &wire.Hello{Settings: settings})
	if err != nil {
		w.t.Fatal(err)
	}
	do(w.t, w.ctx, "Hello", js(fmt.Sprintf(`{
		const { port1, port2 } = new MessageChannel(), run = { from: performance.now() };
		top.runs.push(run);
		port1.onmessage = ({ data }) => { run.first ??= btoa(String.fromCharCode(...data)); };
		top.worker.postMessage({ port: port2 }, [port2]);
		port1.postMessage(Uint8Array.from(atob(%q), (c) => c.charCodeAt(0)));
	}`, base64.StdEncoding.EncodeToString(hello))), until(`top.failed || top.runs.at(-1).first`))
	if failed := text(w.t, w.ctx, `top.failed || ""`); failed != "" {
		w.t.Fatal(failed)
	}
	frame, err := base64.StdEncoding.DecodeString(text(w.t, w.ctx, `top.runs.at(-1).first`))
	if err != nil {
		w.t.Fatal(err)
	}
	said, err := wire.DecodeAll(frame, wire.FromServer)
	if err != nil {
		w.t.Fatal(err)
	}
	welcome, ok := said[0].(*wire.Welcome)
	if !ok {
		w.t.Fatalf("%+v came for a Welcome", said[0])
	}
	do(w.t, w.ctx, "the end of the run", js(fmt.Sprintf(`{
		const run = top.runs.at(-1);
		run.id = %q;
		const ask = () => { if (!run.sha) { top.worker.postMessage({ ended: run.id }); setTimeout(ask, 50); } };
		ask();
	}`, welcome.Run)), until(`top.failed || top.runs.at(-1).sha`))
	ms, err := time.ParseDuration(text(w.t, w.ctx, `top.runs.at(-1).took`) + "ms")
	if err != nil {
		w.t.Fatal(err)
	}
	return text(w.t, w.ctx, `top.runs.at(-1).sha`), ms
}

func TestEveryAlgorithmComesToTheSameParametersInABrowserAsInAPlainBuild(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	w := startWorker(t)
	const steps = "1600"
	for _, preset := range []string{"cartpole", "stac-lag", "stacx", "vmpo", "laser", "a2c", "t-maze"} {
		var plain struct {
			SHA256 string `json:"params_sha256"`
		}
		out := execute(t, "train", "--arithmetic", "plain", "--preset", preset, "--seed", "1101", "--steps", steps, "--json")
		if err := json.Unmarshal(out, &plain); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		got, _ := w.train(wire.Setting{Key: "preset", Value: preset}, wire.Setting{Key: "seed", Value: "1101"},
			wire.Setting{Key: "steps", Value: steps}, wire.Setting{Key: "speed", Value: "inf"})
		if got != plain.SHA256 || len(got) != 64 {
			t.Errorf("%s: %s in a browser, %s in a plain build", preset, got, plain.SHA256)
		}
	}
	const many = 100_000
	_, took := w.train(wire.Setting{Key: "preset", Value: "cartpole"}, wire.Setting{Key: "speed", Value: "inf"},
		wire.Setting{Key: "steps", Value: fmt.Sprint(many)})
	t.Logf("CartPole in a worker: %.0f steps a second", many/took.Seconds())
}

// TestTheWorkerIsASmallDownload: brotli packs the worker to 1.66 MB and gzip to 2.31.
func TestTheWorkerIsASmallDownload(t *testing.T) {
	body, err := os.ReadFile(filepath.FromSlash(builtWorker))
	if err != nil {
		t.Skip("the worker is not built: run make wasm first (make test does)")
	}
	var packed counter
	z, _ := gzip.NewWriterLevel(&packed, 6) // the level is valid
	z.Write(body)
	z.Close()
	if most := counter(2.85e6); packed > most {
		t.Errorf("the worker takes %d bytes as gzip; 2.85 MB are 2.1 MB as brotli", packed)
	}
}

// counter counts the bytes written to it.
type counter int

func (c *counter) Write(b []byte) (int, error) { *c += counter(len(b)); return len(b), nil }

var _ io.Writer = new(counter)

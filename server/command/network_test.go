package command

import (
	"bufio"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"impalab/internal/kit"
	"impalab/server/site"
)

// TestARequestWithAnUnreadBodyIsCut announces a body to every kind of path and sends none. A server that waits for
// it waits as long as a request may take.
func TestARequestWithAnUnreadBodyIsCut(t *testing.T) {
	r := opened(t)
	for _, c := range []struct{ line, status string }{
		{"POST /healthz", "405"}, {"GET /healthz", "200"}, {"GET /lab", "200"}, {"POST /nowhere", "404"}, {"GET /ws", "400"},
		{"POST /static/page.css", "405"}, {"GET /static/page.css", "200"}, {"POST /api/programs", "405"},
		{"POST /api/send", "410"},
	} {
		began := time.Now()
		got := kit.Heard(t, kit.Dial(t, r.url, c.line+" HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n"))
		if !strings.HasPrefix(got, "HTTP/1.1 "+c.status) || !strings.Contains(got, "Connection: close") {
			t.Errorf("%s with a body that never comes: %.200q", c.line, got)
		}
		if waited := time.Since(began); waited >= site.Usual.Request {
			t.Errorf("%s: the body was waited for, %v", c.line, waited)
		}
	}
}

func TestAHugeHeaderIsRefused(t *testing.T) {
	r := opened(t)
	if answer, _ := ask(t, "GET", r.url+"lab", "X-A", strings.Repeat("a", site.MaxHeader/2)); answer.StatusCode != 200 {
		t.Errorf("a header of %d bytes: %s", site.MaxHeader/2, answer.Status)
	}
	c := kit.Dial(t, r.url, "GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ")
	go io.WriteString(c, strings.Repeat("a", 1<<20)) // ends when the server closes
	answer, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil || answer.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("a header of 1 MB: %v, %v", answer, err)
	}
}

func TestAPageUnderAForeignNameIsRefused(t *testing.T) {
	r := opened(t, func(s *Serve) {
		s.AllowHost, s.BaseURL, s.MetricsAddr = []string{"lab.example.org"}, "https://example.org/lab", "127.0.0.1:0"
	})
	metrics := regexp.MustCompile(`http://127\.0\.0\.1:\d+/metrics`).FindString(r.stderr.String())
	port := strings.Split(strings.Split(r.url, "/")[2], ":")[1]
	upgrade := "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " +
		"dGhlIHNhbXBsZSBub25jZQ==\r\n"
	for _, c := range []struct{ url, line, host, more, status string }{
		{r.url, "GET /lab/", "evil.com:" + port, "", "421"},
		{r.url, "GET /lab/ws", "evil.com:" + port, "Origin: http://evil.com:" + port + "\r\n" + upgrade, "421"},
		{r.url, "GET /lab/api/stream", "evil.com:" + port, "Origin: http://evil.com:" + port + "\r\n", "421"},
		{r.url, "GET /lab/healthz", "", "", "421"},
		{r.url, "GET /lab/healthz", "localhost", "", "200"},
		{r.url, "GET /lab/healthz", "lab.example.org", "", "200"},
		{r.url, "GET /lab/healthz", "example.org", "", "200"},
		{r.url, "GET /lab/ws", "localhost:" + port, "Origin: http://localhost:" + port + "\r\n" + upgrade, "101"},
		{r.url, "GET /lab/ws", "localhost:" + port, "Origin: https://example.org\r\n" + upgrade, "101"},
		{r.url, "GET /lab/ws", "localhost:" + port, "Origin: http://evil.com\r\n" + upgrade, "403"},
		{r.url, "GET /lab/ws", "localhost:" + port, "Sec-Fetch-Site: cross-site\r\n" + upgrade, "403"},
		{r.url, "GET /lab/api/stream", "localhost:" + port, "Sec-Fetch-Site: same-site\r\n", "403"},
		{metrics, "GET /metrics", "evil.com", "", "421"},
		{metrics, "GET /metrics", "127.0.0.1", "", "200"},
	} {
		conn := kit.Dial(t, c.url, c.line+" HTTP/1.1\r\nHost: "+c.host+"\r\n"+c.more+"\r\n")
		status, err := bufio.NewReader(conn).ReadString('\n')
		if err != nil || !strings.HasPrefix(status, "HTTP/1.1 "+c.status) {
			t.Errorf("%s under %q with %q: %q, %v; want %s", c.line, c.host, c.more, status, err, c.status)
		}
		conn.Close()
	}
	_, body := ask(t, "GET", metrics)
	for _, want := range []string{`impalab_refused_total{reason="host"} 5`, `impalab_refused_total{reason="origin"} 3`,
		"impalab_connections "} {
		if !strings.Contains(body, want) {
			t.Errorf("the metrics lack %s", want)
		}
	}
}

func TestBrowsersRememberHTTPSWhenAsked(t *testing.T) {
	const header = "Strict-Transport-Security"
	r := opened(t, func(s *Serve) { s.BaseURL, s.HSTS = "https://example.org/", 24*time.Hour })
	if answer, _ := ask(t, "GET", r.url); answer.Header.Get(header) != "max-age=86400" {
		t.Errorf("%s: %q", header, answer.Header.Get(header))
	}
	r = opened(t)
	if answer, _ := ask(t, "GET", r.url); answer.Header.Get(header) != "" {
		t.Errorf("not asked for, %s: %q", header, answer.Header.Get(header))
	}
}

func TestTheOpenerPolicyIsSentWhereBrowsersHeedIt(t *testing.T) {
	plain := opened(t, func(s *Serve) { s.AllowHost = []string{"lan.example"} })
	https := opened(t, func(s *Serve) {
		s.BaseURL, s.AllowHost = "https://example.org/", []string{"lan.example"}
	})
	for _, c := range []struct {
		url, host string
		sent      bool
	}{{plain.url, "localhost", true}, {plain.url, "127.0.0.1:80", true}, {plain.url, "lan.example", false},
		{https.url, "lan.example", true}} {
		conn := kit.Dial(t, c.url, "GET /healthz HTTP/1.1\r\nHost: "+c.host+"\r\nConnection: close\r\n\r\n")
		if got := strings.Contains(kit.Heard(t, conn), "Cross-Origin-Opener-Policy: same-origin"); got != c.sent {
			t.Errorf("%s as %s: %v", c.url, c.host, got)
		}
	}
}

// TestPagesCountForTheirVisitorBehindAProxy opens more pages than one address may have, for two visitors of one proxy.
func TestPagesCountForTheirVisitorBehindAProxy(t *testing.T) {
	r := opened(t, func(s *Serve) { s.TrustedProxy = []string{"127.0.0.1"} })
	open := func(visitor string) string {
		const begin = "GET /api/stream HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 9.9.9.9, "
		c := kit.Dial(t, r.url, begin+visitor+"\r\n\r\n")
		status, err := bufio.NewReader(c).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(status)
	}
	const most, refused = 200, "HTTP/1.1 503 Service Unavailable" // pages of one address
	opened := 0
	for opened < 5*most && open("198.51.100.1") != refused { // a page that says nothing ends after a while
		opened++
	}
	if opened < most || opened == 5*most {
		t.Errorf("%d pages of one visitor were let in", opened)
	}
	if got := open("198.51.100.2"); got != "HTTP/1.1 200 OK" {
		t.Errorf("another visitor: %s", got)
	}
}

// TestConnectionsAreLimitedByWhatTheSystemAllows also holds that a school, which is one address, fits even where a
// process may have few files open: 35 browsers open six connections each, and a websocket.
func TestConnectionsAreLimitedByWhatTheSystemAllows(t *testing.T) {
	for files, want := range map[int][2]int{50: {10, 5}, 1024: {924, 462}, 20_000: {8192, 512}, manyFiles: {8192, 512}} {
		got := (&networkFlags{}).limits(files, nil)
		if got.Total != want[0] || got.PerAddress != want[1] {
			t.Errorf("with %d open files: %d, and %d for one address; want %v", files, got.Total, got.PerAddress, want)
		}
		if files >= 1024 && got.PerAddress < 35*7 {
			t.Errorf("with %d open files a class does not fit: %d", files, got.PerAddress)
		}
	}
	own := &networkFlags{MaxConns: 700, MaxConnsPerAddress: 30}
	limits := own.limits(1024, []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")})
	if limits.Total != 700 || limits.PerAddress != 30 || !limits.Exempt(netip.MustParseAddr("10.1.1.1")) ||
		limits.Exempt(netip.MustParseAddr("11.1.1.1")) {
		t.Errorf("%+v", limits)
	}
}

func TestAServerThatCannotKeepAnythingDoesNotStart(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc, a folder that takes no files even from root")
	}
	code, _, stderr := run(t, "serve", "--addr", "127.0.0.1:0", "--data", "/proc")
	if code != 1 || !strings.Contains(stderr, "the data folder cannot be written") || !strings.Contains(stderr, "--data") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

func TestReadinessFollowsTheDataFolder(t *testing.T) {
	var log buffer
	now := time.Unix(0, 0)
	path := t.TempDir()
	d, err := openData(path, slog.New(slog.NewTextHandler(&log, nil)), func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if d.result() != nil {
		t.Error("it tried again at once")
	}
	now = now.Add(recheck)
	if d.result() == nil || !strings.Contains(log.String(), "cannot be written") {
		t.Errorf("the folder is gone, and the log says %q", log.String())
	}
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Fatal(err)
	}
	now = now.Add(recheck)
	if err := d.result(); err != nil || !strings.Contains(log.String(), "can be written again") {
		t.Errorf("the folder is back: %v, and the log says %q", err, log.String())
	}
}

func TestReadinessTellsNoSecret(t *testing.T) {
	fails := &checked{log: slog.New(slog.DiscardHandler), now: time.Now, check: func() error {
		return errors.New("dial unix /run/postgresql/.s.PGSQL.5432: password=hunter2")
	}}
	works := &checked{log: fails.log, now: time.Now, check: func() error { return nil }}
	for _, err := range []error{storable(works, fails), storable(fails, works)} {
		if err == nil || strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "/run/") {
			t.Errorf("%v", err)
		}
	}
	if err := storable(works, works); err != nil {
		t.Error(err)
	}
}

func TestNetworkFlagsThatCannotBeAreNamed(t *testing.T) {
	for args, want := range map[string]string{
		"--allow-host http://a":                   `--allow-host "http://a"`,
		"--allow-host a:80":                       "without a port",
		"--allow-host *":                          "like lab.example.org",
		"--trusted-proxy 10.0.0.0/99":             "like 10.0.0.0/8",
		"--trusted-proxy nginx":                   `--trusted-proxy "nginx"`,
		"--hsts 1h":                               "--base-url",
		"--hsts 1h --base-url http://example.org": "https",
		"--max-conns 3":                           "10 to 1000000",
		"--max-conns 1000000":                     "this process may open",
	} {
		code, _, stderr := run(t, append([]string{"config"}, strings.Fields(args)...)...)
		if code != ExitUsage || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit code %d, %q", args, code, stderr)
		}
	}
}

func TestConfigShowsNoSecret(t *testing.T) {
	code, out, _ := run(t, "config", "--admin-token", "opensesame-opensesame", "--database-url",
		"postgres://lab:hush@db.example/lab")
	if code != ExitOK || strings.Contains(out, "opensesame-opensesame") || strings.Contains(out, "hush") {
		t.Errorf("exit code %d: %s", code, out)
	}
	if !strings.Contains(out, "db.example") || !strings.Contains(out, "set, but not shown") {
		t.Errorf("it does not say that they are set: %s", out)
	}
	if _, out, _ = run(t, "config", "--database-url", "host=db.example password=hush"); strings.Contains(out, "hush") {
		t.Errorf("a database by words: %s", out)
	}
	if _, out, _ = run(t, "config", "--cluster", "--nats-url", "nats://hush@a.example,nats://b.example", "--nats-token",
		"opensesame-opensesame"); strings.Contains(out, "hush") || strings.Contains(out, "opensesame-opensesame") {
		t.Errorf("a token of NATS: %s", out)
	}
}

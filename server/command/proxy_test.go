package command

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"impalab/internal/kit"
	"impalab/web/wire"
)

// proxied is a proxy before a server, and a browser that believes the proxy to be lab.example.org.
type proxied struct {
	t    *testing.T
	url  string
	dial func(context.Context, string, string) (net.Conn, error)
	http http.Client
}

// through starts a server below a path and a proxy before it, with a block of docs/hosting.md that change has changed.
func through(t *testing.T, program, path string, change *strings.Replacer) *proxied {
	t.Helper()
	server := opened(t, func(s *Serve) {
		s.BaseURL, s.HSTS = "https://lab.example.org"+path, 365*24*time.Hour
		s.TrustedProxy = []string{"127.0.0.1"}
	})
	upstream := regexp.MustCompile(`127\.0\.0\.1:\d+`).FindString(server.url)
	port := freePort(t)
	dir := t.TempDir()
	cert, key := selfSigned(t, dir, 1)
	guide, err := os.ReadFile("../../docs/hosting.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?s)```" + program + "\n(.*?)```").FindSubmatch(guide)
	if found == nil {
		t.Fatalf("docs/hosting.md has no block for %s", program)
	}
	block := change.Replace(string(found[1]))
	var command *exec.Cmd
	switch program {
	case "nginx":
		block = strings.NewReplacer("listen 443", "listen 127.0.0.1:"+port, "127.0.0.1:8080", upstream,
			"/etc/ssl/lab.pem", cert, "/etc/ssl/lab.key", key).Replace(block)
		whole := "daemon off; master_process off; pid nginx.pid; error_log stderr; events {}\nhttp { access_log off;\n"
		for _, folder := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
			whole += folder + "_temp_path " + folder + ";\n"
		}
		block = whole + block + "}\n"
		command = exec.Command(installed(t, "sbin/nginx"), "-p", dir, "-c", filepath.Join(dir, "config"))
	case "caddy":
		block = strings.NewReplacer("lab.example.org {", "lab.example.org:"+port+" {\nbind 127.0.0.1\ntls "+cert+" "+key,
			"127.0.0.1:8080", upstream).Replace(block)
		block = "{\nadmin off\nauto_https disable_redirects\n}\n" + block
		command = exec.Command(installed(t, "bin/caddy"), "run", "--adapter", "caddyfile", "--config",
			filepath.Join(dir, "config"))
		command.Env = append(os.Environ(), "HOME="+dir)
	}
	if err := os.WriteFile(filepath.Join(dir, "config"), []byte(block), 0o600); err != nil {
		t.Fatal(err)
	}
	said := &buffer{}
	command.Stdout, command.Stderr = said, said
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		command.Process.Kill()
		command.Wait()
		if t.Failed() {
			t.Log(said)
		}
	})
	kit.Until(t, program+" listens", func() bool {
		c, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err == nil {
			c.Close()
		}
		return err == nil
	})
	p := &proxied{t: t, url: "https://lab.example.org" + path}
	p.dial = func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp", "127.0.0.1:"+port)
	}
	p.http.Transport = &http.Transport{DialContext: p.dial, TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
		ForceAttemptHTTP2: true}
	t.Cleanup(p.http.CloseIdleConnections)
	return p
}

// installed returns the program from PATH, or from where tools/proxies.sh has put it.
func installed(t *testing.T, name string) string {
	t.Helper()
	if found, err := exec.LookPath(filepath.Base(name)); err == nil {
		return found
	}
	unpacked, err := filepath.Abs("../../bin/proxies/usr/" + name)
	if err == nil {
		_, err = os.Stat(unpacked)
	}
	if err != nil {
		t.Skip("there is no", filepath.Base(name), "here: sh tools/proxies.sh")
	}
	return unpacked
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

func (p *proxied) get(path string, header ...string) (*http.Response, string) {
	p.t.Helper()
	request, err := http.NewRequestWithContext(p.t.Context(), "GET", p.url+path, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	answer, err := p.http.Do(request)
	if err != nil {
		p.t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return answer, string(body)
}

// streams reports whether the first event of a stream comes through while the stream is open.
func (p *proxied) streams() {
	p.t.Helper()
	answer, err := p.http.Get(p.url + "api/stream")
	if err != nil {
		p.t.Fatal(err)
	}
	defer answer.Body.Close()
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "data: ") {
			return
		}
	}
	p.t.Errorf("the stream has no event: %s", answer.Status)
}

// socket opens a websocket and starts a run over it. It reports whether a binary frame comes back.
func (p *proxied) socket(origin string) (status int, frames bool) {
	p.t.Helper()
	raw, err := p.dial(p.t.Context(), "", "")
	if err != nil {
		p.t.Fatal(err)
	}
	conn := tls.Client(raw, &tls.Config{InsecureSkipVerify: true, ServerName: "lab.example.org"})
	defer conn.Close()
	fmt.Fprintf(conn, "GET %sws HTTP/1.1\r\nHost: lab.example.org\r\nOrigin: %s\r\nConnection: Upgrade\r\n"+
		"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
		strings.TrimPrefix(p.url, "https://lab.example.org"), origin)
	in := bufio.NewReader(conn)
	answer, err := http.ReadResponse(in, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	if answer.StatusCode != http.StatusSwitchingProtocols {
		return answer.StatusCode, false
	}
	hello, err := wire.Append(nil, &wire.Hello{Settings: []wire.Setting{{Key: "world", Value: "catch"}}})
	if err != nil {
		p.t.Fatal(err)
	}
	const binary = 0x82 // a whole message, RFC 6455 §5.2; the mask of a browser's message is 0 here
	if _, err := conn.Write(append([]byte{binary, 0x80 | byte(len(hello)), 0, 0, 0, 0}, hello...)); err != nil {
		p.t.Fatal(err)
	}
	first, err := in.ReadByte()
	return answer.StatusCode, err == nil && first == binary
}

func TestAProxyOfTheGuidePassesEverything(t *testing.T) {
	below := map[string]*strings.Replacer{
		"nginx": strings.NewReplacer("location / {", "location /impalab/ {"),
		"caddy": strings.NewReplacer("reverse_proxy 127.0.0.1:8080", "handle /impalab/* {\nreverse_proxy 127.0.0.1:8080\n}"),
	}
	for _, program := range []string{"nginx", "caddy"} {
		for path, change := range map[string]*strings.Replacer{"/": strings.NewReplacer(), "/impalab/": below[program]} {
			t.Run(program+path, func(t *testing.T) {
				p := through(t, program, path, change)
				answer, body := p.get("lab")
				if answer.StatusCode != 200 || answer.ProtoMajor != 2 || !strings.Contains(body, `"`+path+`static/`) ||
					!strings.HasPrefix(answer.Header.Get("Strict-Transport-Security"), "max-age=31536000") {
					t.Errorf("the Lab: %s %s %v", answer.Proto, answer.Status, answer.Header)
				}
				if status, frames := p.socket("https://lab.example.org"); status != 101 || !frames {
					t.Errorf("a websocket: %d, frames %v", status, frames)
				}
				if status, _ := p.socket("https://example.com"); status != 403 {
					t.Errorf("a websocket of another site: %d", status)
				}
				p.streams()
			})
		}
	}
}

// A proxy that removes the path, or passes no Upgrade header, is the usual mistake. The answer says so.
func TestAProxyThatIsSetUpWronglyIsNamed(t *testing.T) {
	stripped := through(t, "nginx", "/impalab/",
		strings.NewReplacer("location / {", "location /impalab/ {", ":8080;", ":8080/;"))
	answer, body := stripped.get("lab", "Accept", "text/html")
	if answer.StatusCode != 404 || !strings.Contains(body, "/impalab/") || !strings.Contains(body, "proxy") {
		t.Errorf("without the path: %s %s", answer.Status, body)
	}
	bare := through(t, "nginx", "/", strings.NewReplacer("proxy_set_header Upgrade $http_upgrade;", "",
		"proxy_set_header Connection $connection_header;", ""))
	answer, body = bare.get("ws")
	if answer.StatusCode != 400 || !strings.Contains(body, "Upgrade") || !strings.Contains(body, "proxy") {
		t.Errorf("without Upgrade: %s %s", answer.Status, body)
	}
	bare.streams()
}

package broker

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"go.yaml.in/yaml/v3"
)

func TestABrokerIsNotOpenToOthersWithoutATokenAndACertificate(t *testing.T) {
	for _, c := range []struct{ addr, token, says string }{
		{"127.0.0.1:0", "", "without a token"},
		{":0", "secret", "needs a certificate"},
		{"0.0.0.0:0", "secret", "needs a certificate"},
		{"[::]:0", "secret", "needs a certificate"},
		{"192.0.2.1:4222", "secret", "needs a certificate"},
		{"lab.example.org:4222", "secret", "needs a certificate"},
		{"127.0.0.1", "secret", "want HOST:PORT"},
		{"127.0.0.1:http", "secret", "want a port"},
	} {
		b, err := Start(Options{Addr: c.addr, Token: c.token, MaxPayload: 1 << 20})
		if err == nil {
			b.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q with token %q: %v, want %q", c.addr, c.token, err, c.says)
		}
	}
}

func TestOnlyWhoHasTheTokenMayConnect(t *testing.T) {
	b, err := Start(Options{Addr: "127.0.0.1:0", Token: "secret", TLS: &tls.Config{}, MaxPayload: 1 << 20})
	if err != nil {
		t.Fatal(err) // the certificate is for others: on this machine none is asked for
	}
	defer b.Close()
	for _, token := range []string{"", "wrong"} {
		if nc, err := nats.Connect(b.Address, nats.Token(token)); err == nil {
			nc.Close()
			t.Errorf("token %q was let in", token)
		}
	}
	nc, err := nats.Connect(b.Address, nats.Token("secret"))
	if err != nil {
		t.Fatal(err)
	}
	nc.Close()
}

// A page that a browser has open may post to any port of this machine.
func TestWhatABrowserPostsIsNotHeard(t *testing.T) {
	b, err := Start(Options{Addr: "127.0.0.1:0", Token: "secret", MaxPayload: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	witness, err := nats.Connect(b.Address, nats.Token("secret"))
	if err != nil {
		t.Fatal(err)
	}
	defer witness.Close()
	heard, err := witness.SubscribeSync("impalab.steer")
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", strings.TrimPrefix(b.Address, "nats://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	body := "CONNECT {\"auth_token\":\"secret\",\"verbose\":false}\r\nPUB impalab.steer 2\r\nhi\r\nPING\r\n"
	fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\n\r\n%s", conn.RemoteAddr(), len(body), body)
	conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	said, err := io.ReadAll(bufio.NewReader(conn))
	if ne, ok := err.(net.Error); ok && ne.Timeout() {
		t.Errorf("the connection stays open after %q", said)
	}
	if m, err := heard.NextMsg(300 * time.Millisecond); err == nil {
		t.Errorf("it was heard: %q", m.Data)
	}
}

// What hosts copy has a configuration in it that a NATS server understands, and that lets the largest message through.
func TestANATSServerUnderstandsTheComposeFile(t *testing.T) {
	text, err := os.ReadFile("../../host/compose.fronts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Configs map[string]struct{ Content string }
	}
	if err := yaml.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	conf := filepath.Join(t.TempDir(), "nats.conf")
	if err := os.WriteFile(conf, []byte(file.Configs["nats"].Content), 0o600); err != nil {
		t.Fatal(err)
	}
	o, err := server.ProcessConfigFile(conf)
	if err != nil {
		t.Fatal(err)
	}
	if o.MaxPayload < 27<<18 /* wire.MaxToBrowser */ || o.Authorization == "" {
		t.Errorf("messages of %d bytes, token %q", o.MaxPayload, o.Authorization)
	}
}

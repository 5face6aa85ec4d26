package command

import (
	"bufio"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// selfSigned writes a certificate for 127.0.0.1 with a serial number, and its key, into a folder.
func selfSigned(t *testing.T, dir string, serial int64) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(serial), NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	text, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for path, block := range map[string]*pem.Block{
		cert: {Type: "CERTIFICATE", Bytes: text}, key: {Type: "PRIVATE KEY", Bytes: secret},
	} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

func TestServeSpeaksHTTPS(t *testing.T) {
	cert, key := selfSigned(t, t.TempDir(), 1)
	r := opened(t, func(s *Serve) { s.TLSCert, s.TLSKey, s.HSTS = cert, key, 8760*time.Hour })
	addr := strings.TrimSuffix(strings.TrimPrefix(r.url, "https://"), "/")
	if !strings.HasPrefix(r.url, "https://127.0.0.1:") {
		t.Fatalf("it prints %s", r.url)
	}
	text, err := os.ReadFile(cert)
	if err != nil {
		t.Fatal(err)
	}
	known := x509.NewCertPool()
	known.AppendCertsFromPEM(text)
	secure := &tls.Config{RootCAs: known}
	answer, err := (&http.Client{Transport: &http.Transport{TLSClientConfig: secure, ForceAttemptHTTP2: true}}).
		Get(r.url + "lab")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != 200 || answer.ProtoMajor != 1 ||
		answer.Header.Get("Strict-Transport-Security") != "max-age=31536000" {
		t.Errorf("the page: %s %s %v", answer.Proto, answer.Status, answer.Header)
	}

	conn, err := tls.Dial("tcp", addr, secure)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "GET /ws HTTP/1.1\r\nHost: %s\r\nOrigin: https://%s\r\nConnection: Upgrade\r\n"+
		"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n", addr, addr)
	if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.Contains(line, " 101 ") {
		t.Errorf("a websocket is answered %q, %v", line, err)
	}

	plain, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	io.WriteString(plain, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	if said, _ := io.ReadAll(plain); !strings.Contains(string(said), "400") {
		t.Errorf("plain HTTP is answered %q", said)
	}

	other, _ := selfSigned(t, t.TempDir(), 2)
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--tls-cert", cert}, ExitOK, "ready"},
		{[]string{"--tls-cert", other}, ExitFailed, "does not show the certificate"},
		{[]string{"--tls-cert", key}, ExitUsage, "must begin with a certificate in PEM"},
		{nil, ExitFailed, "400"},
	} {
		code, stdout, stderr := run(t, append([]string{"healthcheck", "--addr", addr}, c.args...)...)
		if code != c.code || !strings.Contains(stdout+stderr, c.says) {
			t.Errorf("healthcheck %v: exit code %d, %s%s", c.args, code, stdout, stderr)
		}
	}
}

func TestARenewedCertificateIsShownAndABrokenOneIsNot(t *testing.T) {
	dir := t.TempDir()
	cert, key := selfSigned(t, dir, 1)
	var log bytes.Buffer
	c := &certificate{cert: cert, key: key, log: slog.New(slog.NewTextHandler(&log, nil))}
	if err := c.load(); err != nil {
		t.Fatal(err)
	}
	shown := func(want int64, when string) {
		t.Helper()
		leaf, err := x509.ParseCertificate(c.current().Certificate[0])
		if err != nil || leaf.SerialNumber.Int64() != want {
			t.Errorf("%s: it shows number %v, want %d: %v\n%s", when, leaf.SerialNumber, want, err, log.String())
		}
	}
	shown(1, "at first")
	old, err := os.ReadFile(key)
	if err != nil {
		t.Fatal(err)
	}
	selfSigned(t, dir, 2)
	new2, err := os.ReadFile(key)
	if err != nil {
		t.Fatal(err)
	}
	later := time.Now().Add(time.Minute)
	write := func(text []byte) {
		if err := os.WriteFile(key, text, 0o600); err != nil {
			t.Fatal(err)
		}
		later = later.Add(time.Second)
		os.Chtimes(key, later, later) // whatever the file system's clock can tell apart
	}
	write(old) // the new certificate is there, its key not yet
	shown(1, "between the two files")
	if !strings.Contains(log.String(), "the previous one stays") {
		t.Errorf("nothing was said: %s", log.String())
	}
	write(new2)
	shown(2, "when both are there")
	os.Remove(cert)
	shown(2, "without a file")
}

func TestHalfATLSPairIsRefusedByName(t *testing.T) {
	cert, key := selfSigned(t, t.TempDir(), 1)
	_, other := selfSigned(t, t.TempDir(), 2)
	for _, args := range [][]string{
		{"--tls-cert", cert}, {"--tls-key", key}, {"--tls-cert", cert, "--tls-key", other},
		{"--tls-cert", cert, "--tls-key", "none"}, {"--tls-cert", key, "--tls-key", key},
	} {
		code, _, stderr := run(t, append([]string{"serve", "--addr", "127.0.0.1:0", "--data", t.TempDir()}, args...)...)
		want := ExitUsage
		if args[len(args)-1] == "none" {
			want = ExitNotFound
		}
		if code != want || !strings.Contains(stderr, "--tls-cert") {
			t.Errorf("%v: exit code %d, %s", args, code, stderr)
		}
	}
}

package command

// The certificate that --tls-cert and --tls-key name. Whoever renews it writes the files anew; the server sees that
// and needs no restart and no signal.

import (
	"bytes"
	"crypto/tls"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// tlsFlags have the server speak HTTPS itself.
type tlsFlags struct {
	TLSCert string `name:"tls-cert" help:"Speak HTTPS, with the certificate and its chain in this file (PEM); it is read again when it changes." placeholder:"FILE"`
	TLSKey  string `name:"tls-key" help:"The private key of --tls-cert." placeholder:"FILE"`
}

func (f *tlsFlags) check() error {
	if (f.TLSCert == "") != (f.TLSKey == "") {
		return errors.New("--tls-cert and --tls-key belong together: give both, or neither")
	}
	return nil
}

// scheme is that of the addresses the server prints.
func (f *tlsFlags) scheme() string {
	if f.TLSCert != "" {
		return "https"
	}
	return "http"
}

// config is how the server speaks HTTPS; nil: it does not. It is HTTP/1.1 only: limits count connections, and one of
// HTTP/2 holds many requests.
func (f *tlsFlags) config(log *slog.Logger) (*tls.Config, error) {
	if f.TLSCert == "" {
		return nil, nil
	}
	c := &certificate{cert: f.TLSCert, key: f.TLSKey, log: log, now: time.Now}
	if err := c.load(); err != nil {
		return nil, err
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.current(), nil }}, nil
}

// looksEvery is how often a certificate's files are looked at, at most.
const looksEvery = 5 * time.Second

// certificate is what the two files held when they last made sense together.
type certificate struct {
	cert, key string
	log       *slog.Logger
	now       func() time.Time

	mu     sync.Mutex
	pair   *tls.Certificate
	seen   [2]stamp
	looked time.Time
}

// stamp tells a file from the one it was.
type stamp struct {
	changed time.Time
	size    int64
}

func (c *certificate) stamps() (now [2]stamp, err error) {
	for i, path := range []string{c.cert, c.key} {
		info, err := os.Stat(path)
		if err != nil {
			return now, err
		}
		now[i] = stamp{info.ModTime(), info.Size()}
	}
	return now, nil
}

// load reads the files.
func (c *certificate) load() error {
	seen, err := c.stamps()
	if err != nil {
		return fmt.Errorf("--tls-cert and --tls-key: %w", Named(err))
	}
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err != nil {
		return fmt.Errorf("--tls-cert %s with --tls-key %s: %w", c.cert, c.key, err)
	}
	c.pair, c.seen, c.looked = &pair, seen, c.now()
	return nil
}

// current is the certificate to show. While new files make no sense, as between the writing of the one and of the
// other, it stays the one before.
func (c *certificate) current() *tls.Certificate {
	c.mu.Lock()
	defer c.mu.Unlock()
	if since := c.now().Sub(c.looked); since >= 0 && since < looksEvery {
		return c.pair
	}
	c.looked = c.now()
	now, err := c.stamps()
	if err == nil && now == c.seen {
		return c.pair
	}
	if err == nil {
		err = c.load()
	}
	if err != nil {
		c.log.Warn("the new certificate cannot be used; the one before stays", "error", err)
		return c.pair
	}
	c.log.Info("the certificate was read again", "file", c.cert)
	return c.pair
}

// shows has a client trust the certificate in a file, whatever name or date is in it, and no other: what the server on
// this machine shows is known.
func shows(path string) (*tls.Config, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("--tls-cert: %w", Named(err))
	}
	block, _ := pem.Decode(text)
	if block == nil || block.Type != "CERTIFICATE" {
		return nil, fmt.Errorf("--tls-cert %s: must begin with a certificate in PEM", path)
	}
	return &tls.Config{InsecureSkipVerify: true, VerifyConnection: func(s tls.ConnectionState) error {
		if !bytes.Equal(s.PeerCertificates[0].Raw, block.Bytes) {
			return fmt.Errorf("the server shows another certificate than %s holds", path)
		}
		return nil
	}}, nil
}

package command

import (
	"bytes"
	"crypto/tls"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"sync"
)

// tlsFlags let the server use HTTPS itself.
type tlsFlags struct {
	TLSCert string `name:"tls-cert" help:"Use HTTPS, with the certificate and its chain in this file (PEM); it is read again when it changes." placeholder:"FILE"`
	TLSKey  string `name:"tls-key" help:"The private key of --tls-cert." placeholder:"FILE"`
}

// scheme returns the scheme of the addresses that the server prints.
func (f *tlsFlags) scheme() string {
	if f.TLSCert != "" {
		return "https"
	}
	return "http"
}

// config returns the server's TLS configuration, or nil if it uses none. It allows only HTTP/1.1: limits count
// connections, and a connection of HTTP/2 carries many requests.
func (f *tlsFlags) config(log *slog.Logger) (*tls.Config, error) {
	if f.TLSCert == "" {
		return nil, nil
	}
	c := &certificate{cert: f.TLSCert, key: f.TLSKey, log: log}
	if err := c.load(); err != nil {
		return nil, err
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.current(), nil }}, nil
}

// certificate is a certificate and its key. It is read again when its files change, without a restart.
type certificate struct {
	cert, key string
	log       *slog.Logger

	mu   sync.Mutex
	pair *tls.Certificate // of the last files that belonged together
	seen string           // the stamp of the last files
}

// stamp returns a text that changes when one of the files does.
func (c *certificate) stamp() (text string) {
	for _, path := range []string{c.cert, c.key} {
		if info, err := os.Stat(path); err == nil {
			text += fmt.Sprintln(info.ModTime().UnixNano(), info.Size())
		}
	}
	return text
}

// load reads the files.
func (c *certificate) load() error {
	c.seen = c.stamp()
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("--tls-cert and --tls-key: %w", Named(err))
	}
	if err != nil {
		return fmt.Errorf("--tls-cert %s with --tls-key %s: %w", c.cert, c.key, err)
	}
	c.pair = &pair
	return nil
}

// current returns the certificate to show. It keeps the previous one while the files do not belong together: a renewal
// replaces one file after the other.
func (c *certificate) current() *tls.Certificate {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stamp() == c.seen {
		return c.pair
	}
	if err := c.load(); err != nil {
		c.log.Warn("the new certificate cannot be used; the previous one stays", "error", err)
	} else {
		c.log.Info("the certificate was read again", "file", c.cert)
	}
	return c.pair
}

// shows returns a client configuration that trusts exactly the certificate in a file, whatever its name and dates.
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
			return fmt.Errorf("the server does not show the certificate in %s", path)
		}
		return nil
	}}, nil
}

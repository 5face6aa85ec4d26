// Package broker is a NATS server in this process, for who wants several front ends and has no NATS server.
package broker

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Options of a broker.
type Options struct {
	Addr       string // HOST:PORT; port 0 takes any free one
	Token      string // that every connection must bring
	TLS        *tls.Config
	MaxPayload int32 // bytes of a message
}

// connections is more than there are front ends; each needs one.
const connections = 1000

// settle refuses a broker that strangers could listen to: beyond this machine a token travels, and keys of runs.
func (o *Options) settle() error {
	host, _, err := net.SplitHostPort(o.Addr)
	if err != nil {
		return fmt.Errorf("%q: want HOST:PORT, like 127.0.0.1:4222", o.Addr)
	}
	if o.Token == "" {
		return errors.New("a broker without a token is open to every program of this machine")
	}
	if ip := net.ParseIP(host); host == "localhost" || ip != nil && ip.IsLoopback() {
		o.TLS = nil // a certificate is for the name that others know
	} else if o.TLS == nil {
		return fmt.Errorf("%s is open to other machines, which needs a certificate: give --tls-cert and --tls-key, or "+
			"listen on 127.0.0.1", o.Addr)
	}
	return nil
}

// Broker is a NATS server at work. Programs in this process connect to it through InProcessConn.
type Broker struct {
	*server.Server
	Address string // that others connect to
}

// Close ends it.
func (b *Broker) Close() { b.Shutdown() }

// Start starts a broker.
func Start(o Options) (*Broker, error) {
	if err := o.settle(); err != nil {
		return nil, err
	}
	host, text, _ := net.SplitHostPort(o.Addr) // checked above
	port, err := strconv.Atoi(text)
	if err != nil || port < 0 || port > 65535 {
		return nil, fmt.Errorf("%q: want a port from 0 to 65535", o.Addr)
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	if host == "" {
		host = server.DEFAULT_HOST
	}
	// The server itself ends the process when it cannot listen.
	probe, err := net.Listen("tcp", o.Addr)
	if err != nil {
		return nil, err
	}
	probe.Close()
	s, err := server.NewServer(&server.Options{
		ServerName: "impalab", Host: host, Port: port, Authorization: o.Token, TLSConfig: o.TLS, TLS: o.TLS != nil,
		TLSTimeout: 5, MaxPayload: o.MaxPayload, MaxConn: connections, NoLog: true, NoSigs: true,
	})
	if err != nil {
		return nil, err
	}
	s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		s.Shutdown()
		return nil, fmt.Errorf("%s: the NATS server did not begin to listen", o.Addr)
	}
	return &Broker{s, s.ClientURL()}, nil
}

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"io"
	"net/http"
	"strings"
	"testing"

	"impalab/server/session"
	"impalab/web/wire"
)

// talk is a page's conversation with a server over the event stream.
type talk struct {
	t           *testing.T
	ctx         context.Context
	url, secret string
	lines       *bufio.Scanner
	came        []wire.Message
}

// hail opens a stream and says hello. It ends with the test.
func hail(t *testing.T, url string, hello *wire.Hello) *talk {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), patience)
	t.Cleanup(stop)
	request, err := http.NewRequestWithContext(ctx, "GET", url+"api/stream", nil)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stream.Body.Close() })
	k := &talk{t: t, ctx: ctx, url: url, lines: bufio.NewScanner(stream.Body)}
	k.lines.Buffer(nil, 2*wire.MaxToBrowser)
	k.secret = k.data()
	k.say(hello)
	return k
}

func (k *talk) data() string {
	k.t.Helper()
	for k.lines.Scan() {
		if data, ok := strings.CutPrefix(k.lines.Text(), "data: "); ok {
			return data
		}
	}
	k.t.Fatalf("the stream ended: %v", k.lines.Err())
	return ""
}

func (k *talk) say(m wire.Message) {
	k.t.Helper()
	frame, err := wire.Append(nil, m)
	if err != nil {
		k.t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(k.ctx, "POST", k.url+"api/send", bytes.NewReader(frame))
	if err != nil {
		k.t.Fatal(err)
	}
	request.Header.Set(session.SecretHeader, k.secret)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		k.t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode >= 300 {
		text, _ := io.ReadAll(answer.Body)
		k.t.Fatalf("%s %s", answer.Status, text)
	}
}

// hear returns the next message.
func (k *talk) hear() wire.Message {
	k.t.Helper()
	for len(k.came) == 0 {
		frame, err := base64.StdEncoding.DecodeString(k.data())
		if err != nil {
			k.t.Fatal(err)
		}
		if k.came, err = wire.DecodeAll(frame, wire.FromServer); err != nil {
			k.t.Fatal(err)
		}
	}
	m := k.came[0]
	k.came = k.came[1:]
	return m
}

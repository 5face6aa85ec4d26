package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// tap passes connections on to a server and records all bytes that it receives.
type tap struct {
	mu   sync.Mutex
	sent bytes.Buffer
}

func (p *tap) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sent.Write(b)
}

func (p *tap) all() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sent.String()
}

// tapped returns a tap before the server of an address, and its own address.
func tapped(t *testing.T, url string) (*tap, string) {
	t.Helper()
	to := strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/")
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	p := &tap{}
	go func() { // ends with the listener
		for {
			browser, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", to)
			if err != nil {
				browser.Close()
				continue
			}
			go func() { io.Copy(io.MultiWriter(server, p), browser); server.Close() }() // both end with their connection
			go func() { io.Copy(browser, server); browser.Close() }()
		}
	}()
	return p, "http://" + listener.Addr().String() + "/"
}

// writes replaces the program in a student's page.
func writes(source string) chromedp.Action[chromedp.Void] {
	return js(fmt.Sprintf(`(() => {
		const text = document.querySelector("#student textarea");
		text.value = %s;
		text.dispatchEvent(new Event("input", { bubbles: true }));
	})()`, strconv.Quote(source)))
}

// A student writes V-trace in the page. Every kind of program has its own sentence, and the server receives only its
// numbers.
func TestAStudentsProgramRunsInThePageAndOnlyItsNumbersAreSent(t *testing.T) {
	t.Parallel()
	server := serve(t)
	traffic, url := tapped(t, server)
	phone := browser(t)
	r := newTaught(t, server, "exercises")
	r.send("PATCH", "", `{"step": 13, "follow": true}`, nil)
	resize(t, phone, 390, 844)
	do(t, phone, "join", chromedp.Navigate(url+"class/"+r.code), until(`!document.querySelector("#door").hidden`),
		js(fmt.Sprintf(focusOn, "#join-room input")), chromedp.KeyEvent("Ada\r"), says("Write V-trace"))
	const mark = "unusual_name_7391"
	source := func(name string) string {
		text, err := os.ReadFile("../wasm/starlark/testdata/" + name + ".star")
		if err != nil {
			t.Fatal(err)
		}
		return "# " + mark + "\n" + mark + " = \"" + mark + "\"\nprint(" + mark + ")\n" + string(text)
	}
	said := func(words ...string) chromedp.Action[chromedp.Void] {
		list, _ := json.Marshal(words) // of strings
		const lacks = `document.querySelector("#student .lacks").textContent`
		return until(fmt.Sprintf(`%s.some(words => %s.includes(words))`, list, lacks))
	}
	// A busy machine stops a program at its five seconds, before it reaches its limit of steps or of memory.
	const late = "ran for 5 seconds and was stopped"
	printed := until(fmt.Sprintf(`document.querySelector("#student pre.printed").textContent.includes(%q)`, mark))
	began := time.Now()
	do(t, phone, "as it starts", pressing("Check"), says("vs[2] is wrong first"),
		until(`document.querySelector("#student pre.printed").textContent.startsWith("vs is [2.0, 1.0, 3.0]")`))
	t.Logf("from the first press to the verdict: %s", time.Since(began).Round(time.Millisecond))
	do(t, phone, "a wrong sign", writes(source("wrong-sign")), pressing("Check"), says("vs[2] is wrong first"), printed)
	fits(t, phone, 390, "a program's verdict")
	do(t, phone, "an endless loop", writes(source("right")+"while True:\n    "+mark+" += \"\"\n"), pressing("Check"),
		said("steps. Does a loop never end?", late))
	do(t, phone, "a huge list", writes("# "+mark+"\nx = [0] * 1000000000\n"), pressing("Check"),
		said("Line 2: this list would be too long"))
	do(t, phone, "a huge text", writes("# "+mark+"\ns = \"ab\"\nfor i in range(40):\n    s = s + s\n"), pressing("Check"),
		said("needs too much memory", late))
	do(t, phone, "one step that takes for ever", writes("x = 3\nfor i in range(60):\n    x = x * x\n"), pressing("Check"),
		said(late))
	do(t, phone, "no Starlark", writes("# "+mark+"\ndef vtrace(r)\n    return r\n"), pressing("Check"),
		said("Line 2: got newline, want ':'"))
	fits(t, phone, 390, "an error")
	do(t, phone, "right", writes(source("right")), pressing("Check"), says("Right on the public unrolls"),
		pressing("Hand in"), pressing("Hand it in"), says("Handed in: 1 of 1"), says("Yes: all of it"))
	do(t, phone, "the draft after a reload", chromedp.Reload(), says("Handed in: 1 of 1"),
		until(fmt.Sprintf(`document.querySelector("#student textarea").value === %s`, strconv.Quote(source("right")))))
	do(t, phone, "begin again", pressing("Begin again"),
		until(`document.querySelector("#student textarea").value.startsWith("# It runs in this page only")`))
	all := traffic.all()
	if !strings.Contains(all, `"targets"`) || !strings.Contains(all, "/unrolls/write-vtrace?kind=hand-in") {
		t.Error("the traffic was not seen")
	}
	for _, secret := range []string{mark, "return vs", "rho_bar,", "reversed", "x * x"} {
		if strings.Contains(all, secret) {
			t.Errorf("the server received %q", secret)
		}
	}
}

package site

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"impalab/internal/kit"
)

// routed are the paths that a site answers to GET at once, with a word put in for each part that varies.
func routed(s *Site, word string) (paths []string) {
	varies := regexp.MustCompile(`:[a-z]+|\*`)
	for _, r := range s.Routes() {
		if (r.Method == http.MethodGet || r.Method == echo.RouteNotFound) && r.Path != "/api/stream" {
			paths = append(paths, varies.ReplaceAllLiteralString(r.Path, word))
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// answered sends a path as it is, which a client of net/http would tidy, and gives status, Location and body.
func answered(t *testing.T, address, path string) (status int, to, body string) {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(kit.Patience))
	fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: %s\r\nAccept: text/html\r\nConnection: close\r\n\r\n", path, address)
	answer, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Errorf("%s: %v", path, err)
	}
	return answer.StatusCode, answer.Header.Get("Location"), string(text)
}

// TestNoPathLeadsOutOfTheServedFiles climbs from every route that there is.
func TestNoPathLeadsOutOfTheServedFiles(t *testing.T) {
	s, _ := made(t, func(*Options) {})
	server := httptest.NewServer(s)
	defer server.Close()
	address := strings.TrimPrefix(server.URL, "http://")
	for _, climb := range []string{"../../../../../etc/passwd", "..%2f..%2f..%2f..%2f..%2fetc%2fpasswd",
		"%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd", "..%5c..%5c..%5cetc%5cpasswd", "....//....//....//etc/passwd",
		"%252e%252e%252fetc%252fpasswd", "/etc/passwd", "//evil.example/", "embed.go", "x%00/etc/passwd"} {
		for _, path := range routed(s, climb) {
			status, to, body := answered(t, address, path)
			if strings.Contains(body, "root:") || strings.Contains(body, "package static") || status >= 500 {
				t.Errorf("%s is answered %d %.60q", path, status, body)
			}
			if u, err := url.Parse(to); err != nil || u.Host != "" && u.Host != address || strings.HasPrefix(to, "//") {
				t.Errorf("%s leads to %q", path, to)
			}
		}
	}
}

// TestMarkupInAnAddressComesBackAsText puts markup into every part of every address.
func TestMarkupInAnAddressComesBackAsText(t *testing.T) {
	s, _ := made(t, func(*Options) {})
	server := httptest.NewServer(s)
	defer server.Close()
	address := strings.TrimPrefix(server.URL, "http://")
	const markup = `"'><script>alert(1)</script><img src=x onerror=alert(1)>`
	word := url.PathEscape(markup)
	query := url.Values{}
	for _, key := range []string{"theme", "update", "preset", "lesson", "lang", "form", "limit", "cursor", "v", "q"} {
		query.Set(key, markup)
	}
	for _, path := range routed(s, word) {
		status, _, body := answered(t, address, path+"?"+query.Encode())
		if status >= 500 || strings.Contains(body, "<script>alert") || strings.Contains(body, "<img src=x") {
			t.Errorf("%s is answered %d, with the markup in it", path, status)
		}
	}
}

// TestMarkupInANameComesBackAsText gives a room and its members such names and looks at all that is told of them.
func TestMarkupInANameComesBackAsText(t *testing.T) {
	p := newProgram(t)
	var room struct{ Code, Key string }
	p.call("POST", "/rooms", 201, `{"title": "<img src=x onerror=alert(1)>", "plan": "exercises"}`, &room)
	var seat struct{ Secret string }
	p.call("POST", "/rooms/"+room.Code+"/members", 201, `{"nickname": "<b>Ada</b>"}`, &seat)
	for _, key := range []string{room.Key, seat.Secret} {
		p.key = key
		text, answer := p.send("GET", "/rooms/"+room.Code+"/view", "")
		if !strings.Contains(text, "onerror=alert(1)") {
			t.Errorf("the title is not told: %.200s", text)
		}
		if h := answer.Header; !strings.HasPrefix(h.Get("Content-Type"), "application/json") ||
			h.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("a browser may take it for HTML: %v", h)
		}
	}
	for _, path := range []string{"class/" + room.Code, "class"} {
		if _, body := ask(t, "GET", strings.TrimSuffix(p.url, "api/v1")+path); strings.Contains(body, "<img src=x") {
			t.Errorf("/%s has the title's markup in it", path)
		}
	}
}

// description is the part of openapi.json that the tests read.
type description struct {
	Paths map[string]map[string]struct {
		Body struct {
			Content map[string]struct {
				Schema struct {
					Ref string `json:"$ref"`
				} `json:"schema"`
			} `json:"content"`
		} `json:"requestBody"`
	} `json:"paths"`
	Components struct {
		Schemas map[string]struct {
			Properties map[string]json.RawMessage `json:"properties"`
		} `json:"schemas"`
	} `json:"components"`
}

func described(t *testing.T, at string) (d description) {
	t.Helper()
	_, text := ask(t, "GET", at+"api/v1/openapi.json")
	if err := json.Unmarshal([]byte(text), &d); err != nil || len(d.Paths) < 10 {
		t.Fatalf("openapi.json: %d paths, %v", len(d.Paths), err)
	}
	return d
}

// TestScoresPoliciesAndTrajectoriesAreRefused: what counts, the server has trained itself.
func TestScoresPoliciesAndTrajectoriesAreRefused(t *testing.T) {
	d := described(t, opened(t))
	looked := 0
	for path, methods := range d.Paths {
		for method, operation := range methods {
			for _, content := range operation.Body.Content {
				_, name, _ := strings.Cut(content.Schema.Ref, "schemas/")
				for field := range d.Components.Schemas[name].Properties {
					looked++
					if regexp.MustCompile(`score|return|reward|params|weights|policy|unroll|trajector|logits|snapshot|sha256`).
						MatchString(field) {
						t.Errorf("%s %s takes %s from whoever asks", method, path, field)
					}
				}
			}
		}
	}
	if looked < 10 {
		t.Errorf("only %d fields were looked at", looked)
	}
}

// exchange sends a request and reads the answer.
func exchange(request *http.Request) (body []byte, answer *http.Response, err error) {
	if answer, err = http.DefaultClient.Do(request); err != nil {
		return nil, nil, err
	}
	defer answer.Body.Close()
	body, err = io.ReadAll(io.LimitReader(answer.Body, 1<<20))
	return body, answer, err
}

// TestNoRequestBreaksTheAPI sends broken and half-right requests to everything in openapi.json. Each answer
// must be of the form that the API promises, and none a fault of ours.
func TestNoRequestBreaksTheAPI(t *testing.T) {
	var strangers atomic.Int64
	s, _ := made(t, func(o *Options) { // no limit of rate
		o.Address = func(*http.Request) string { return fmt.Sprint("stranger ", strangers.Add(1)) }
	})
	server := httptest.NewServer(s)
	defer server.Close()
	d := described(t, server.URL+"/")
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(from []string) string { return from[r.IntN(len(from))] }
	words := []string{"", "0", "-1", "1e999", "NaN", "catch", "lag", strings.Repeat("x", 300), "%00", "é", "<b>",
		"'; DROP TABLE runs", "BCDFGH", "0123456789abcdef0123456789abcdef", "null", "true", "18446744073709551616"}
	values := []string{"null", "true", "0", "-1", "1e400", `""`, `"catch"`, `"1-8"`, `{}`, `[]`, `[[[[[]]]]]`,
		`{"lag": 8}`, `{"lag": {}}`, `[{"key": "lag", "values": [1, "x"]}]`, `"\u0000"`, `"\ud800"`, `9`,
		`"` + strings.Repeat("y", 5000) + `"`}
	bodies := []string{"", "{", "null", "[]", `"x"`, "{}{}", "\xff\xfe", strings.Repeat("[", 20000),
		`{"a":` + strings.Repeat("9", 5000) + "}"}
	sent, kinds := 0, map[int]int{}
	for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
		for _, method := range slices.Sorted(maps.Keys(d.Paths[path])) {
			var fields []string
			for _, content := range d.Paths[path][method].Body.Content {
				_, name, _ := strings.Cut(content.Schema.Ref, "schemas/")
				fields = slices.Sorted(maps.Keys(d.Components.Schemas[name].Properties))
			}
			for range 25 {
				at := regexp.MustCompile(`\{[a-z]+\}`).ReplaceAllStringFunc(path, func(string) string {
					return url.PathEscape(pick(words[1:])) // without a word it is another path
				})
				body := pick(bodies)
				if len(fields) > 0 && r.IntN(4) > 0 {
					var pairs []string
					for range 1 + r.IntN(3) {
						pairs = append(pairs, fmt.Sprintf("%q: %s", pick(fields), pick(values)))
					}
					body = "{" + strings.Join(pairs, ", ") + "}"
				}
				request, err := http.NewRequestWithContext(t.Context(), strings.ToUpper(method), server.URL+"/api/v1"+at+
					"?limit="+url.QueryEscape(pick(words))+"&update="+url.QueryEscape(pick(words)), strings.NewReader(body))
				if err != nil {
					t.Fatal(err)
				}
				request.Header.Set("Content-Type", pick([]string{"application/json", "text/plain", ""}))
				if r.IntN(2) == 0 {
					request.Header.Set("Authorization",
						"Bearer "+pick([]string{"", "x", "0123456789abcdef", strings.Repeat("k", 64)}))
				}
				text, answer, err := exchange(request)
				if errors.Is(err, syscall.ECONNRESET) && len(body) > 4096 {
					continue // firewall.Bodies cuts a body that nothing reads, and the cut may overtake the answer
				}
				if err != nil {
					t.Fatalf("%s %s %.80q: %v", method, at, body, err)
				}
				sent++
				kinds[answer.StatusCode/100]++
				var said struct {
					Error *struct{ Code, Message string }
				}
				err = json.Unmarshal(text, &said)
				status := answer.StatusCode
				if status >= 500 && status != 503 ||
					status >= 400 && (err != nil || said.Error == nil || said.Error.Message == "") {
					t.Errorf("%s %s %.80q is answered %d %.100q", method, at, body, status, text)
				}
			}
		}
	}
	if sent < 500 || kinds[4] < sent/2 {
		t.Errorf("of %d requests %v were answered by hundreds", sent, kinds)
	}
}

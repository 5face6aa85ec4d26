package site

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"impalab/internal/kit"
	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/kernel"
	"impalab/server/board"
	"impalab/server/class"
	"impalab/server/firewall"
	"impalab/server/job"
	"impalab/server/lab"
	"impalab/server/session"
	"impalab/server/site/api"
	"impalab/server/store"
	"impalab/web/link"
)

// quick is a track that is trained in a moment.
var quick = readFile("../board/testdata/quick.yaml")

func readFile(name string) string {
	text, err := os.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// hall is a site with a board of one quick track, of which everything that leaves it is recorded.
type hall struct {
	*program
	base    string
	dir     string
	kept    *store.Store
	contest *board.Contest
	runs    *lab.Lab
	track   *board.Track
	metrics http.Handler

	mu       sync.Mutex
	recorded bytes.Buffer // answers with their headers, and the log
}

func (h *hall) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.recorded.Write(p)
}

// recorder passes answers on and records them.
type recorder struct {
	http.ResponseWriter
	to io.Writer
}

func (r *recorder) Write(p []byte) (int, error) {
	r.to.Write(p)
	return r.ResponseWriter.Write(p)
}
func (r *recorder) WriteHeader(status int) {
	r.Header().Write(r.to)
	r.ResponseWriter.WriteHeader(status)
}
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
func (r *recorder) Flush()                      { http.NewResponseController(r.ResponseWriter).Flush() }

func newHall(t *testing.T) *hall { return newHallOf(t, quick) }

// newHallOf is a site with a board of one track, of this text.
func newHallOf(t *testing.T, text string) *hall {
	t.Helper()
	track, err := board.Parse("quick", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	h := &hall{dir: t.TempDir(), track: track}
	log := slog.New(slog.NewTextHandler(h, &slog.HandlerOptions{Level: slog.LevelDebug}))
	if h.kept, err = store.Open(t.Context(), store.Options{Dir: h.dir, Log: log}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.kept.Close() })
	queue, err := job.Open(t.Context(), h.kept, job.Options{Build: "test", Arithmetic: kernel.Arithmetic(), Workers: 2,
		Host: true, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	if h.runs, err = lab.New(lab.Options{Build: "test", Store: h.kept, Log: log, Cores: 1}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.runs.Close)
	rooms, err := class.New(class.Options{Store: h.kept, Queue: queue, Runs: h.runs, Cores: h.runs.Cores()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(rooms.Close)
	h.contest = board.NewContest(board.ContestOptions{Store: h.kept, Cores: h.runs.Cores(), Log: log,
		Tracks: &board.Tracks{All: []*board.Track{track}}, Queue: queue})
	if err := queue.Start(h.contest.Kinds()...); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		queue.Close()
		h.contest.Close()
	})
	refused := NewRefusals()
	sameOrigin, err := firewall.SameOrigin(refused.Add)
	if err != nil {
		t.Fatal(err)
	}
	gate := session.New(t.Context(), h.runs, session.Options{Log: log, Address: Visitor(nil), Refused: refused.Add})
	s := New(Options{
		Web: Web{Base: "/", Hosts: firewall.NewHosts(), Log: log, SameOrigin: sameOrigin, Refused: refused.Add,
			Address: Visitor(nil), Closing: t.Context()},
		Build: "test", Board: h.contest, Gate: gate, Runs: h.runs, Rooms: rooms,
		Storable: func() error { return nil },
	})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Del("Accept-Encoding") // so that the record is readable
		s.ServeHTTP(&recorder{w, h}, r)
	}))
	t.Cleanup(server.Close)
	h.base = server.URL + "/"
	h.program = &program{t: t, url: h.base + "api/v1"}
	h.metrics = Metrics("test", gate, h.runs.Hub(), h.runs, func() int { return 0 }, refused)
	return h
}

// ranked waits for an entry.
func (h *hall) ranked(id string) (e api.Entry) {
	h.t.Helper()
	for until := time.Now().Add(kit.Patience); time.Now().Before(until); time.Sleep(50 * time.Millisecond) {
		e = api.Entry{}
		h.call("GET", "/board/quick/entries/"+id, 200, "", &e)
		if e.State == "done" && e.RankedOn == "secret" {
			return e
		}
		if e.State == "failed" {
			h.t.Fatal(e.Reason)
		}
	}
	h.t.Fatalf("it is not ranked: %+v", e)
	return e
}

func TestAConfigurationIsHandedInRankedAndReadOnItsPage(t *testing.T) {
	h := newHall(t)
	var first, same api.Entry
	h.call("POST", "/board/quick/entries", 201, `{"settings": {"rho": "2.0", "alpha": 0.5}, "nickname": "<b>Ada</b>"}`,
		&first)
	if first.Key == "" || first.Settings["rho"] != "2" || len(first.Left) != 1 || first.Left[0] != "alpha" {
		t.Errorf("%+v", first)
	}
	h.call("POST", "/board/quick/entries", 200, `{"settings": {"rho": 2}, "nickname": "Eve"}`, &same)
	if same.ID != first.ID || same.Tried != 2 || same.Key != "" || same.Nickname != "<b>Ada</b>" {
		t.Errorf("handed in again it is %+v", same)
	}
	h.key = first.Key
	if h.call("POST", "/board/quick/entries", 200, `{"settings": {"rho": 2}, "nickname": "Ada"}`, &same); same.Nickname !=
		"Ada" {
		t.Errorf("by its own key it is called %s", same.Nickname)
	}
	done := h.ranked(first.ID)
	if done.Rank == "" || done.Provisional || len(done.Public.Each) != 8 || len(done.Public.Params) != 8 ||
		done.Secret.Seeds[7] != "secret:7" || done.Secret.Each != nil || done.Secret.Params != nil {
		t.Errorf("%+v %+v", done, done.Secret)
	}
	_, page := ask(t, "GET", h.base+"board/quick", "Accept", "text/html")
	for _, want := range []string{`href="` + done.Page + `"`, ">Ada<", "3 ×", "ρ̄", "Season 1", "static/board"} {
		if !strings.Contains(page, want) {
			t.Errorf("the track's page lacks %s", want)
		}
	}
	answer, row := ask(t, "GET", h.base+strings.TrimPrefix(done.Page, "/"), "Accept", "text/html")
	for _, want := range []string{"<h1 id=\"title\">Ada</h1>", "3 times", done.Public.Params[3],
		"impalab board try quick --set rho=2 --json", "8 secret seeds", `href="/lab#v=1`} {
		if !strings.Contains(html.UnescapeString(row), want) {
			t.Errorf("%d: the row's page lacks %s", answer.StatusCode, want)
		}
	}
	for _, path := range []string{"board/quick/" + strings.Repeat("0", 32), "board/quik", "board/quick?season=9"} {
		if answer, _ := ask(t, "GET", h.base+path); answer.StatusCode != 404 {
			t.Errorf("/%s: %d", path, answer.StatusCode)
		}
	}
}

// A person's own correction is an entry: it is ranked on secret seeds, and its row opens in the Lab with the program.
func TestAnOwnCorrectionIsHandedInRankedAndOpenedInTheLab(t *testing.T) {
	h := newHallOf(t, strings.NewReplacer("lag=1", "lag=1 correction=own", "alpha: any", "program: any").Replace(quick))
	const program = "def weight(ratio, adv, pi, mu, age):\n" +
		"    if ratio > 1 and mu < 2: # \"far\" <b>\n        return 1\n    return ratio"
	body := func(program string) string {
		text, err := json.Marshal(map[string]any{"settings": map[string]string{"program": program}, "nickname": "Ada"})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for text, want := range map[string]string{
		"def weight(ratio, adv, pi, mu, age):\n    return agee": "program: line 2: there is no agee here",
		strings.Repeat("#", 4001):                               "program of 4001 bytes: must be a function weight",
		" ":                                                     "program of 0 bytes: must be a function weight",
	} {
		if _, sentence := h.refused("POST", "/board/quick/entries", 422, body(text)); !strings.Contains(sentence, want) {
			t.Errorf("%.40q: %s", text, sentence)
		}
	}
	var first, same api.Entry
	h.call("POST", "/board/quick/entries", 201, body(program), &first)
	h.call("POST", "/board/quick/entries", 200, body("\n"+program+"\n"), &same)
	done := h.ranked(first.ID)
	if same.ID != first.ID || done.Settings["program"] != program || done.Rank == "" ||
		done.Secret.Seeds[7] != "secret:7" {
		t.Errorf("%+v, handed in again %s", done, same.ID)
	}
	_, row := ask(t, "GET", h.base+strings.TrimPrefix(done.Page, "/"), "Accept", "text/html")
	lab := regexp.MustCompile(`href="/lab(#[^"]*)"`).FindStringSubmatch(row)
	if !strings.Contains(row, "<pre>"+html.EscapeString(program)+"</pre>") ||
		!strings.Contains(html.UnescapeString(row), "board try quick --set 'program="+program+"' --json") || lab == nil {
		t.Fatalf("the row's page lacks the program, its command or the Lab (%q)", lab)
	}
	l := link.Parse(html.UnescapeString(lab[1]))
	if cfg, _, problems := l.Config(); cfg.Program != program || cfg.Correction != correct.MethodOwn || cfg.Lag != 1 ||
		len(problems) > 0 {
		t.Errorf("the Lab opens %q, %v", cfg.Program, problems)
	}
	_, form := ask(t, "GET", h.base+"board/quick?settings="+url.QueryEscape(hyper.Text([]hyper.Setting{{Key: "program",
		Value: program}})), "Accept", "text/html")
	if !strings.Contains(html.UnescapeString(form), `data-text="program"`) || strings.Contains(form, "must be KEY=VALUE") ||
		!strings.Contains(html.UnescapeString(form), `value="program=`+strconv.Quote(program)+`"`) {
		t.Error("the form does not hold the program of its address")
	}
}

func TestANicknameIsTextOnEveryPage(t *testing.T) {
	h := newHall(t)
	var e api.Entry
	h.call("POST", "/board/quick/entries", 201, `{"settings": {"rho": 2}, "nickname": "<img src=x onerror=1>"}`, &e)
	for _, path := range []string{"board/quick", "board/quick?part=live", strings.TrimPrefix(e.Page, "/")} {
		_, page := ask(t, "GET", h.base+path, "Accept", "text/html")
		if !strings.Contains(page, "&lt;img src=x") || strings.Contains(page, "<img src=x") {
			t.Errorf("/%s shows the nickname as markup, or not at all", path)
		}
	}
}

func TestATrackRefusesASettingByNameOnThePageAndInTheAPI(t *testing.T) {
	h := newHall(t)
	for body, want := range map[string]string{
		`{"settings": {}}`:                                                   "change at least one setting: this is the start of Quick, which the board has already; these may change: rho, alpha",
		`{"settings": {"rho": 1}}`:                                           "change at least one setting: this is the start",
		`{"settings": {"alpha": 0.5}}`:                                       "alpha has no effect here",
		`{"settings": {"lag": 0}}`:                                           "lag is fixed at 1 on Quick; these may change: rho, alpha",
		`{"settings": {"rho": 0.01}}`:                                        "rho=0.01: must be a number from 0.1 to inf, on Quick",
		`{"settings": {"roh": 1}}`:                                           "did you mean rho?",
		`{"settings": {"lag": 0, "rho": 0.01}}`:                              "; rho=0.01",
		`{"score": 500}`:                                                     `unknown field "score"`,
		`{"settings": {"rho": 2}, "model": "x"}`:                             `unknown field "model"`,
		`{"settings": {"rho": 2}, "nickname": "a\u202eb"}`:                   "nickname",
		`{"settings": {"rho": 2}, "run": "` + strings.Repeat("0", 32) + `"}`: "",
	} {
		status := 422
		if want == "" {
			status = 404
		}
		if _, sentence := h.refused("POST", "/board/quick/entries", status, body); !strings.Contains(sentence, want) {
			t.Errorf("%s: %s", body, sentence)
		}
	}
	h.refused("POST", "/board/quik/entries", 404, `{"settings": {}}`)
	_, page := ask(t, "GET", h.base+"board/quick?part=check&settings=lag%3D0")
	if !strings.Contains(html.UnescapeString(page), "lag is fixed at 1 on Quick") {
		t.Error("the page does not say what the API says")
	}
	var all api.Entries
	if h.call("GET", "/board/quick/entries", 200, "", &all); all.Season != nil || len(all.Entries) != 0 {
		t.Errorf("something was kept: %+v", all)
	}
}

func TestARunLeadsToTheTrackThatTakesItsSettings(t *testing.T) {
	h := newHall(t)
	fits := h.start(`{"preset": "catch", "settings": {"lag": 1, "rho": 2}, "steps": 1000}`)
	other := h.start(`{"preset": "catch", "settings": {"lag": 3}, "steps": 2000}`)
	_, page := ask(t, "GET", h.base+"r/"+fits, "Accept", "text/html")
	leads := "/board/quick?run=" + fits + "&settings=rho%3D2#hand-in"
	if !strings.Contains(html.UnescapeString(page), `href="`+leads+`"`) {
		t.Errorf("the run's page does not lead to %s", leads)
	}
	_, form := ask(t, "GET", h.base+strings.TrimPrefix(leads, "/"), "Accept", "text/html")
	if !strings.Contains(form, `value="rho=2"`) || !strings.Contains(form, `value="`+fits+`"`) {
		t.Error("the form is not filled in")
	}
	_, page = ask(t, "GET", h.base+"r/"+other, "Accept", "text/html")
	if !strings.Contains(html.UnescapeString(page), "lag is fixed at 1 on Quick") {
		t.Error("a run that fits no track does not say why")
	}
	_, sentence := h.refused("POST", "/board/quick/entries", 422, `{"settings": {"rho": 3}, "run": "`+fits+`"}`)
	if !strings.Contains(sentence, "its settings are others") {
		t.Errorf("a run of other settings: %s", sentence)
	}
}

// Until the season is over, no secret seed is in anything that the server sends or logs: answers, pages, event streams,
// metrics, tapes and the log. Afterwards the server publishes all of them.
func TestASecretSeedIsNowhereBeforeItsSeasonIsOver(t *testing.T) {
	h := newHall(t)
	var e api.Entry
	h.call("POST", "/board/quick/entries", 201, `{"settings": {"rho": 2}}`, &e)
	events := make(chan struct{})
	go func() { // a page that looks on; it ends with the test's server
		defer close(events)
		request, err := http.NewRequestWithContext(t.Context(), "GET", h.url+"/board/quick/events", nil)
		if err != nil {
			return
		}
		if answer, err := http.DefaultClient.Do(request); err == nil {
			io.Copy(io.Discard, answer.Body)
			answer.Body.Close()
		}
	}()
	run := h.start(`{"preset": "catch", "settings": {"lag": 1, "rho": 2}, "steps": 2000}`)
	h.ranked(e.ID)
	look := func() string {
		for _, path := range []string{"board", "board/quick", "board/quick?part=live",
			strings.TrimPrefix(e.Page, "/"), strings.TrimPrefix(e.Page, "/") + "?part=live", "r/" + run,
			"r/" + run + "/frozen.html",
			"api/v1/board", "api/v1/board/quick/entries", "api/v1/runs/" + run + "/tape", "api/v1/openapi.json"} {
			if answer, text := ask(t, "GET", h.base+path, "Accept", "text/html"); answer.StatusCode != 200 {
				t.Errorf("/%s: %d %s", path, answer.StatusCode, text)
			}
		}
		metrics := httptest.NewRecorder()
		h.metrics.ServeHTTP(metrics, httptest.NewRequest("GET", "/metrics", nil))
		h.mu.Lock()
		defer h.mu.Unlock()
		return metrics.Body.String() + "\n" + h.recorded.String()
	}
	var seasons []store.BoardSeason
	err := h.kept.View(t.Context(), func(tx *store.Tx) (err error) { seasons, err = tx.Seasons(); return err })
	if err != nil || len(seasons) != 1 || len(seasons[0].Key) != 32 {
		t.Fatal(err, seasons)
	}
	secrets := []string{fmt.Sprintf("%x", seasons[0].Key)}
	for i := range h.track.Secret {
		mac := hmac.New(sha256.New, seasons[0].Key)
		fmt.Fprintf(mac, "%s\x00%d", h.track.Name, i)
		seed := binary.BigEndian.Uint64(mac.Sum(nil)) >> 11
		secrets = append(secrets, fmt.Sprint(seed), fmt.Sprintf("%x", seed))
	}
	said := look()
	for _, words := range []string{"secret:7", "event: rows", e.ID} {
		if !strings.Contains(said, words) {
			t.Errorf("what was recorded has no %s: is it recorded?", words)
		}
	}
	for _, secret := range secrets {
		if at := strings.Index(said, secret); at >= 0 {
			t.Errorf("a secret was said: …%q…", said[max(0, at-60):min(len(said), at+60)])
		}
	}
	if _, err := board.CloseSeason(t.Context(), h.kept, time.Now().Add(-time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := board.EndSeasons(t.Context(), h.kept, time.Now()); err != nil {
		t.Fatal(err)
	}
	var all api.Entries
	kit.Until(t, "the standings, which may be a second old, are of after the season", func() bool {
		time.Sleep(time.Second) // an address may ask for them twice a second
		all = api.Entries{}
		h.call("GET", "/board/quick/entries", 200, "", &all)
		return all.Season.Key != ""
	})
	if all.Season.Key != secrets[0] || len(all.Season.Seeds) != 8 {
		t.Errorf("after the season: %+v", all.Season)
	}
	said = look()
	for i := 1; i < len(secrets); i += 2 {
		if !strings.Contains(said, secrets[i]) {
			t.Errorf("seed %s is not told after the season", secrets[i])
		}
	}
	h.refused("GET", "/board/quick/entries?season=2", 404, "")
}

func TestTheRowsOfABoardAreThereForProgramsAndAsAnExport(t *testing.T) {
	h := newHall(t)
	var e api.Entry
	run := h.start(`{"preset": "catch", "settings": {"lag": 1, "rho": 2}, "steps": 1000}`)
	h.call("POST", "/board/quick/entries", 201, `{"settings": {"rho": 2}, "nickname": "Ada", "run": "`+run+`"}`, &e)
	h.ranked(e.ID)
	var file api.Entries
	h.call("GET", "/board/quick/entries", 200, "", &file)
	at := slices.IndexFunc(file.Entries, func(r api.Entry) bool { return r.ID == e.ID })
	if len(file.Entries) != 2 || file.Entries[at].Nickname != "Ada" || file.Entries[at].Public == nil ||
		file.Season.Number != 1 || file.Entries[at].Secret.Seeds[0] != "secret:0" {
		t.Errorf("%+v", file)
	}
	h.ended(run)
	for until, kept := time.Now().Add(kit.Patience), 0; kept == 0; time.Sleep(20 * time.Millisecond) {
		h.kept.View(t.Context(), func(tx *store.Tx) error { all, err := tx.Snapshots(run); kept = len(all); return err })
		if time.Now().After(until) {
			t.Fatal("no snapshot of the run is kept")
		}
	}
	var left []string
	dir, tracks := t.TempDir(), &board.Tracks{All: []*board.Track{h.track}}
	err := ExportBoard(t.Context(), BoardCopy{Tracks: tracks, Kept: h.kept, Build: "test", Write: Into(dir),
		Left: func(row string, why error) { left = append(left, row+": "+why.Error()) }})
	if err != nil || left != nil {
		t.Fatal(err, left)
	}
	files := walked(t, dir)
	for _, name := range []string{"quick.html", "quick/" + e.ID + ".html"} {
		page := files[name]
		if !strings.Contains(page, "Ada") || strings.Contains(page, "<script") || strings.Contains(page, "hand-in") {
			t.Errorf("%s lacks the row, or has what needs a server", name)
		}
	}
	if film := files["quick/"+e.ID+".gif"]; !strings.HasPrefix(film, "GIF89a") {
		t.Errorf("the row's page shows no episode of the agent, but %.20q", film)
	}
}

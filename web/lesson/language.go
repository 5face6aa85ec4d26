package lesson

import "encoding/json"

// Language is every word of a lesson's page that is not the lesson's own. A second language is another value; a test
// finds what it leaves out.
type Language struct {
	Code, Name string

	Lesson, All, Short, Whole, Skip        string
	NoScript, Guess, Show, Measured        string
	Curious, Next, Live, LiveName, Open    string
	Check, CheckRun, Answer, Drag, YourOwn string
	ByNumber, After, Of, Alone, Foreign    string // Foreign is said of a page that is there in English alone

	Script  Script
	Verdict Verdicts
}

// Script is what the page's script says; {x}, {y} and {unit} are filled in.
type Script struct {
	Right   string `json:"right"`
	Wrong   string `json:"wrong"`
	Chosen  string `json:"chosen"`
	Not     string `json:"not"`
	Close   string `json:"close"`
	High    string `json:"high"`
	Low     string `json:"low"`
	Running string `json:"running"`
	Start   string `json:"start"`
	Silent  string `json:"silent"`
}

// Verdicts are what a check says, as formats.
type Verdicts struct {
	Number, Locked, Turned, Late, Early, Low, Passed, Is, More, Less, Gone string
}

// JSON is the script's words as the page carries them.
func (s Script) JSON() string {
	text, _ := json.Marshal(s) // a struct of strings
	return string(text)
}

// English is what every lesson has.
var English = &Language{
	Code: "en", Name: "English",
	Lesson: "Lesson %d of %d", All: "all lessons", Short: "Short, 3 minutes", Whole: "Whole, %d minutes",
	Skip: "Skip to the text",
	NoScript: "Without JavaScript nothing runs here and no answer is kept. Text, formulas and stored figures are all " +
		"below: open “Show what happens”.",
	Guess: "That is my guess", Show: "Show what happens", Measured: "How this was measured",
	Curious: "For the curious", Next: "Next:",
	Live:     "The live figure is a real run in the Lab. Its buttons start it; then it is yours to turn.",
	LiveName: "The live figure", Open: "Open it in the Lab",
	Check: "Check", CheckRun: "Check my run", Answer: "Your answer",
	Drag:    "Drag across the picture, or choose a point with Tab and move it with the arrow keys.",
	YourOwn: "%s, your guess", ByNumber: "%s, your guess as a number", After: "%s after %s steps", Of: " of ",
	Alone: "A server judges the answer, and this copy of the lessons has none.", Foreign: "in English",
	Script: Script{
		Right: "You said {x}{unit}: right.", Wrong: "You said {x}{unit}. It is {y}.",
		Chosen: "You chose right.", Not: "Not that one.", Close: "Your curve lies close to what it did.",
		High: "On average you were {x} too hopeful.", Low: "On average you were {x} too gloomy.",
		Running: "{x}. The figure is live: turn whatever you like.",
		Start:   "Start a run in the live figure first.", Silent: "The server did not answer; try again in a moment.",
	},
	Verdict: Verdicts{
		Number: "Type a number, like 0.25.",
		Locked: "%s is %s in this run; the task keeps it at %s.",
		Turned: "A setting was changed on the way. Choose first, then run it from zero with the same seed.",
		Late:   "The run is at %s steps; it had %s.", Early: "The run is at %s steps; it is judged from %s on.",
		Low: "The mean return is %.4g; %.4g is asked for.", Passed: "Passed: a mean return of %.4g after %s steps.",
		Is: "Passed: it is %.4g.", More: "It is more than that.", Less: "It is less than that.",
		Gone: "The server has no such run any more; start it again.",
	},
}

// German is a second language: lessons 1 to 3 are there in it.
var German = &Language{
	Code: "de", Name: "Deutsch",
	Lesson: "Lektion %d von %d", All: "alle Lektionen (englisch)", Short: "Kurz, 3 Minuten", Whole: "Ganz, %d Minuten",
	Skip: "Zum Text springen",
	NoScript: "Ohne JavaScript läuft hier nichts, und keine Antwort wird behalten. Text, Formeln und gespeicherte " +
		"Bilder " +
		"stehen alle unten: „Zeigen, was geschieht“ öffnet sie.",
	Guess: "So schätze ich", Show: "Zeigen, was geschieht", Measured: "Wie das gemessen wurde",
	Curious: "Für Neugierige", Next: "Weiter:",
	Live:     "Die Figur ist ein echter Lauf im Labor. Die Knöpfe starten ihn; dann gehört er Ihnen.",
	LiveName: "Die lebendige Figur", Open: "Im Labor öffnen",
	Check: "Prüfen", CheckRun: "Meinen Lauf prüfen", Answer: "Ihre Antwort",
	Drag:    "Ziehen Sie über das Bild, oder wählen Sie einen Punkt mit Tab und bewegen ihn mit den Pfeiltasten.",
	YourOwn: "%s, Ihre Schätzung", ByNumber: "%s, Ihre Schätzung als Zahl", After: "%s nach %s Schritten", Of: " von ",
	Alone: "Die Antwort prüft ein Server, und diese Kopie der Lektionen hat keinen.", Foreign: "auf Englisch",
	Script: Script{
		Right: "Ihre Schätzung {x}{unit} stimmt.", Wrong: "Ihre Schätzung war {x}{unit}. Es sind {y}.",
		Chosen: "Richtig gewählt.", Not: "Das ist es nicht.", Close: "Ihre Kurve liegt nahe an der wirklichen.",
		High: "Im Mittel lagen Sie um {x} zu hoch.", Low: "Im Mittel lagen Sie um {x} zu tief.",
		Running: "{x}. Die Figur lebt: Drehen Sie, woran Sie wollen.",
		Start:   "Starten Sie zuerst einen Lauf in der Figur.",
		Silent:  "Der Server hat nicht geantwortet; versuchen Sie es gleich noch einmal.",
	},
	Verdict: Verdicts{
		Number: "Geben Sie eine Zahl ein, etwa 0,25.",
		Locked: "%s ist in diesem Lauf %s; in der Aufgabe bleibt es bei %s.",
		Turned: "Unterwegs wurde eine Einstellung geändert. Wählen Sie zuerst, und starten Sie dann von vorn.",
		Late:   "Der Lauf ist bei %s Schritten; er hatte %s.",
		Early:  "Der Lauf ist bei %s Schritten; gewertet wird ab %s.",
		Low:    "Der mittlere Ertrag ist %.4g; verlangt sind %.4g.",
		Passed: "Bestanden: mittlerer Ertrag %.4g nach %s Schritten.",
		Is:     "Bestanden: Es sind %.4g.", More: "Es ist mehr.", Less: "Es ist weniger.",
		Gone: "Diesen Lauf hat der Server nicht mehr; starten Sie ihn noch einmal.",
	},
}

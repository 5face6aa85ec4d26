package kit

import "strings"

// FaultyPrograms are texts of a person's own correction that fail, for the tests of the ways by which settings arrive:
// flag, link, API, sweep, class and the learner in the browser. Sentence is a part of the author's sentence. A fault
// that Begins is in a call: its run begins, and ends with the sentence.
var FaultyPrograms = []struct {
	Program, Sentence string
	Begins            bool
}{
	{"weight = 1", "it defines no function def weight(ratio, adv, pi, mu, age)", false},
	{ownHead + "return agee", "line 2: there is no agee here", false},
	{ownHead + `return "one"`, "line 2: texts are not available", false},
	{ownHead + "return str(ratio)", "line 2: there is no str here", false},
	{ownHead + "while True:\n        pass", "line 2: while is not available; for i in range(n) is", false},
	{ownHead + "return [0] * 1000000000", "line 2: lists are not available", false},
	{ownHead + "return 1 #" + strings.Repeat("x", 100_000), "of at most 4000 bytes", false},
	{ownHead + "for i in range(1e300):\n        age = age + i\n    return 1", "line 2: stopped after 1000 steps", true},
	{"def f(x):\n    return f(x)\n" + ownHead + "return f(age)", "line 2: function f called recursively", true},
	{ownHead + "return 1 / (age - age)", "line 2: floating-point division by zero", true},
	{ownHead + "return log(-1)", "it returned NaN", true},
	{ownHead + "return adv > 0", "not a number", true},
}

const ownHead = "def weight(ratio, adv, pi, mu, age):\n    "

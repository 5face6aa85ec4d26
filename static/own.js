// The visitor's own names, stars and notes of runs. This browser stores them, and no server knows them.
"use strict";
const Own = (() => {
	const store = "impalab-names";
	const all = () => {
		try { return JSON.parse(localStorage.getItem(store)) ?? {}; } catch { return {}; }
	};
	// of returns { name, note, star } of a run; a field may be absent.
	const of = (id) => all()[id] ?? {};
	// set changes fields of a run. Empty ones are dropped.
	const set = (id, change) => {
		const now = all(), one = Object.fromEntries(Object.entries({ ...now[id], ...change }).filter(([, v]) => v));
		if (Object.keys(one).length) now[id] = one; else delete now[id];
		try { localStorage.setItem(store, JSON.stringify(now)); } catch { /* a browser that stores nothing */ }
	};
	return { of, set };
})();

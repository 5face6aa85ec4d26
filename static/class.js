// The common part of the rooms' pages: stored keys, calls of the API, and the stream of views. Texts of people are set
// as text, never as HTML.
// @ts-check
"use strict";
const Class = (() => {
	const { base, page } = document.body.dataset;
	const store = "impalab-class";
	let kept = {};
	try {
		kept = JSON.parse(localStorage.getItem(store)) || {};
	} catch {
		/* nothing is kept here */
	}
	const keep = (code, what) => {
		if (what) kept[code] = what;
		else delete kept[code];
		try {
			localStorage.setItem(store, JSON.stringify(kept));
			return true;
		} catch {
			return false; /* until the page is closed */
		}
	};

	// el makes an element: attributes, handlers by on…, and children, which are elements or text.
	const el = (name, attributes, ...children) => {
		const e = document.createElement(name);
		for (const [key, value] of Object.entries(attributes || {})) {
			if (key.startsWith("on")) e.addEventListener(key.slice(2), value);
			else if (value === true) e.setAttribute(key, "");
			else if (value !== false && value !== null && value !== undefined) e.setAttribute(key, value);
		}
		e.append(...children.flat().filter((c) => c !== null && c !== undefined && c !== false));
		return e;
	};
	const said = document.getElementById("said"),
		announce = document.getElementById("announce");
	const say = (words) => {
		said.textContent = words;
		said.hidden = !words;
	};
	const tell = (words) => {
		announce.textContent = words;
	};

	// call calls the API and returns the answer; an error has the server's sentence.
	const call = async (method, path, body, key) => {
		const headers = key ? { Authorization: "Bearer " + key } : {};
		let answer;
		try {
			answer = await fetch(base + "api/v1" + path, { method, headers, body: body && JSON.stringify(body) });
		} catch {
			throw Object.assign(new Error("The server does not answer. What you have written is still here: try again."), {
				status: 0,
			});
		}
		if (answer.ok) return answer;
		const fault = await answer.json().then(
			(a) => a.error,
			() => null,
		);
		const words = fault?.message || "the server answered " + answer.status;
		throw Object.assign(new Error(words[0].toUpperCase() + words.slice(1) + "."), { status: answer.status });
	};

	// sender returns a call for a room and a key, which shows an error on the page and then returns null.
	const sender = (code, key) => async (method, path, body) => {
		try {
			const answer = await call(method, `/rooms/${code}${path}`, body, key);
			say("");
			return answer;
		} catch (error) {
			say(error.message);
			return null;
		}
	};

	// countdown returns the time to a timer's end by the server's clock, like 2:05; "" after its end.
	const countdown = (timer, behind) => {
		const left = Math.ceil((timer - (Date.now() + behind)) / 1000);
		return left > 0 ? `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}` : "";
	};

	// follow streams the views of a room. It reconnects a broken line; every view is complete.
	const follow = (path, key, see, over) => {
		const stop = new AbortController();
		(async () => {
			for (let pause = 500; !stop.signal.aborted; pause = Math.min(2 * pause, 2000)) {
				try {
					const answer = await fetch(base + "api/v1" + path, {
						headers: { Authorization: "Bearer " + key },
						signal: stop.signal,
					});
					if (answer.status === 403 || answer.status === 404) {
						over((await answer.json()).error.message);
						return;
					}
					if (!answer.ok) throw new Error();
					const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
					for (let rest = "", part; !(part = await reader.read()).done; ) {
						const events = (rest + part.value).split("\n\n");
						rest = events.pop();
						for (const text of events) {
							const name = /^event: (.*)$/m.exec(text)?.[1],
								data = /^data: (.*)$/m.exec(text)?.[1];
							if (name === "over") {
								over(JSON.parse(data).message);
								return;
							}
							if (name !== "view") continue;
							if (pause > 500) say("");
							pause = 500;
							see(JSON.parse(data));
						}
					}
				} catch {
					/* joined again below */
				}
				if (stop.signal.aborted) return;
				say("The connection is lost. The page reconnects by itself, and keeps everything that you have sent.");
				await new Promise((go) => setTimeout(go, pause));
			}
		})();
		return () => stop.abort();
	};

	if (page === "start") {
		document.getElementById("enter").addEventListener("submit", (event) => {
			event.preventDefault();
			const asked = /** @type {HTMLFormElement} */ (event.target).code.value;
			location.href = base + "class/" + encodeURIComponent(asked.replace(/[\s-]/g, "").toUpperCase());
		});
		document.getElementById("make-room").addEventListener("submit", async (event) => {
			event.preventDefault();
			const form = /** @type {any} */ (event.target); // its fields by their names, title too
			try {
				const made = await (
					await call("POST", "/rooms", { title: form.title.value, plan: form.plan.value }, form.token?.value)
				).json();
				const here = keep(made.code, { key: made.key, title: form.title.value });
				location.href = `${base}class/${made.code}${here ? "" : `#key=${made.key}`}`;
			} catch (error) {
				say(error.message);
			}
		});
		const codes = Object.keys(kept);
		document.getElementById("kept").hidden = codes.length === 0;
		document
			.querySelector("[data-part=rooms]")
			.append(
				...codes.map((code) =>
					el(
						"li",
						{},
						el("a", { href: base + "class/" + code }, code),
						" ",
						kept[code].key ? "as its teacher" : "as " + kept[code].nickname,
						kept[code].title ? ` · ${kept[code].title}` : "",
					),
				),
			);
	}
	return { base, kept, keep, el, say, tell, call, sender, countdown, follow };
})();

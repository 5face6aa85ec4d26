// Begins sweeps. The key of this browser's runs goes with a request, and the key of a first sweep stays in the browser.
"use strict";
const Sweeps = (() => {
	const { base } = document.body.dataset;
	let key = "";
	try { key = localStorage.getItem("impalab-key") ?? ""; } catch { /* a browser that stores nothing */ }
	const auth = () => key ? { Authorization: "Bearer " + key } : {};
	// post sends a request of the API.
	const post = (path, body) => fetch(base + "api/v1/" + path,
		{ method: "POST", headers: { "Content-Type": "application/json", ...auth() }, body: JSON.stringify(body) });
	// begin starts a sweep and returns its id. It throws a sentence for people.
	async function begin(body) {
		const answer = await post("sweeps", body).catch(() => { throw new Error("The server does not answer. Try again."); });
		const made = await answer.json();
		if (!answer.ok) throw new Error(made.error.message);
		if (!key) {
			key = made.key;
			try { localStorage.setItem("impalab-key", key); } catch { /* it cannot be cancelled after a reload */ }
		}
		return made.id;
	}
	return { auth, post, begin };
})();

// The sheet under "To the board": the server draws it for the selected run, and this sends its form.
"use strict";
(() => {
	const sheet = document.getElementById("to-board"), button = document.querySelector('[popovertarget="to-board"][data-run-link]');
	const { base } = sheet.dataset;
	const stored = (name) => { try { return localStorage.getItem(name) ?? ""; } catch { return ""; } };
	const store = (name, value) => { try { localStorage.setItem(name, value); } catch { /* this browser stores nothing */ } };
	sheet.addEventListener("beforetoggle", async (event) => {
		if (event.newState !== "open") return;
		sheet.textContent = "Asking which track accepts this run.";
		try {
			const answer = await fetch(button.getAttribute("href")), text = await answer.text();
			if (!answer.ok) throw new Error();
			sheet.innerHTML = text; // our own server drew it
		} catch { sheet.textContent = "The server does not answer. Try again."; }
	});
	sheet.addEventListener("submit", async (event) => {
		event.preventDefault();
		const form = event.target, said = form.querySelector("[data-part=said]"), key = stored("impalab-key");
		said.textContent = "Submitting…";
		try {
			const answer = await fetch(`${base}api/v1/board/${form.dataset.track}/entries`, {
				method: "POST", headers: key ? { Authorization: "Bearer " + key } : {},
				body: JSON.stringify({ settings: JSON.parse(form.dataset.settings), nickname: form.nickname.value.trim(), run: "" }),
			});
			const entry = await answer.json();
			if (!answer.ok) { said.textContent = entry.error.message; return; }
			if (entry.key) store("impalab-key", entry.key);
			let own = [];
			try { own = JSON.parse(stored("impalab-entries")) ?? []; } catch { /* none is known */ }
			store("impalab-entries", JSON.stringify(own.filter((id) => id !== entry.id).concat(entry.id).slice(-100)));
			location.href = entry.page;
		} catch { said.textContent = "The server does not answer. Try again."; }
	});
})();

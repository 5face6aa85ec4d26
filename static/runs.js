// Lists the runs of this browser's key, newest first.
"use strict";
(() => {
	const { base } = document.body.dataset;
	const part = (name) => document.querySelector(`[data-part=${name}]`);
	const rows = part("rows"), said = part("said");
	if (!rows) return;
	let key = "";
	try { key = localStorage.getItem("impalab-key") ?? ""; } catch { /* a browser that keeps nothing */ }

	const el = (name, attributes, ...children) => {
		const e = document.createElement(name);
		for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
		e.append(...children);
		return e;
	};
	const row = (run) => el("tr", {},
		el("th", { scope: "row" }, run.preset || run.settings.world),
		el("td", {}, run.settings.seed),
		el("td", { class: "number" }, run.return_mean_100 === null ? "–" : String(Number(run.return_mean_100.toPrecision(4)))),
		el("td", { class: "number" }, run.steps.toLocaleString("en")),
		el("td", {}, run.state),
		el("td", {}, el("a", { href: `${base}r/${run.id}` }, "Page")));

	(async () => {
		if (!key) { said.textContent = "This browser has begun no run. The Lab begins one."; return; }
		said.textContent = "Asking the server.";
		try {
			const answer = await fetch(`${base}api/v1/runs?limit=200`, { headers: { Authorization: "Bearer " + key } });
			const { runs, error } = await answer.json();
			if (error) throw new Error(error.message);
			rows.append(...runs.map(row));
			rows.parentElement.hidden = runs.length === 0;
			said.textContent = runs.length ? "" : "The server has no run of this browser.";
		} catch (error) { said.textContent = "The list is missing: " + error.message; }
	})();
})();

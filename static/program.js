// Draws the curve of the correction that a person writes in the Lab. The server computes it from the text itself.
"use strict";
(() => {
	const control = document.querySelector("[data-kind=lines]"), weigh = control.dataset.weigh;
	if (!weigh) return; // pages without a server
	const text = control.querySelector("textarea"), curve = control.querySelector("[data-part=curve]");
	const lag = document.querySelector("#setting-lag");
	let drawn = "", busy = false;
	const draw = async () => {
		const query = new URLSearchParams({ correction: "own", program: text.value, age: lag.value }).toString();
		if (busy || query === drawn || !control.checkVisibility()) return;
		busy = true;
		try {
			const answer = await fetch(`${weigh}?${query}`);
			const made = answer.ok ? await answer.json() : { fault: await answer.text() };
			drawn = query;
			curve.classList.toggle("before", Boolean(made.fault)); // the curve of the text before stays, in grey
			if (!made.fault) for (const half of ["good", "bad"]) curve.querySelector(`.${half}`).setAttribute("d", made[half]);
		} catch { /* a page whose server is away says so itself */ }
		busy = false;
	};
	setInterval(draw, 200);
})();

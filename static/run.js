// Shows the visitor's own name, star and note on the page of a run.
"use strict";
(() => {
	const id = document.body.dataset.run, part = (name) => document.querySelector(`[data-part=${name}]`);
	const title = part("name"), star = part("star"), rename = part("rename"), form = part("own-form"), note = part("note");
	const usual = title.textContent;
	const show = () => {
		const own = Own.of(id);
		title.textContent = own.name || usual;
		star.textContent = own.star ? "★" : "☆";
		star.setAttribute("aria-pressed", String(Boolean(own.star)));
		note.textContent = own.note ? `“${own.note}”` : "";
		note.hidden = !own.note;
	};
	star.hidden = rename.hidden = false;
	star.addEventListener("click", () => { Own.set(id, { star: !Own.of(id).star }); show(); });
	rename.addEventListener("click", () => {
		const own = Own.of(id);
		form.elements.name.value = own.name ?? "";
		form.elements.name.placeholder = usual;
		form.elements.note.value = own.note ?? "";
		form.hidden = !form.hidden;
		if (!form.hidden) form.elements.name.focus();
	});
	form.addEventListener("submit", (event) => {
		event.preventDefault();
		Own.set(id, { name: form.elements.name.value.trim(), note: form.elements.note.value.trim() });
		form.hidden = true;
		show();
		rename.focus();
	});
	form.addEventListener("keydown", (event) => {
		if (event.key === "Escape") { form.hidden = true; rename.focus(); }
	});
	show();

	// The server plays an episode for the picture beside the chart. Without an answer its place is removed.
	const last = part("last");
	if (last) fetch(last.dataset.at).then((answer) => answer.ok ? answer.text() : Promise.reject()).then((text) => { last.innerHTML = text; }).catch(() => last.remove());
})();

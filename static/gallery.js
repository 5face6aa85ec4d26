// Finds among the pictures by any word of a title or sentence; without it all of them stay in sight.
const box = document.querySelector("[data-part=find]"), field = box.querySelector("input");
const found = document.querySelector("[data-part=found]");
const cards = [...document.querySelectorAll("main li")];
box.hidden = false;
field.addEventListener("input", () => {
	const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
	let n = 0;
	for (const card of cards) {
		const text = card.textContent.toLowerCase();
		card.hidden = !words.every((word) => text.includes(word));
		if (!card.hidden) n++;
	}
	for (const shelf of document.querySelectorAll("main section")) shelf.hidden = !shelf.querySelector("li:not([hidden])");
	found.textContent = words.length ? `${n} found` : "";
});

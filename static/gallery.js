// Finds among the pictures by any word of a title or sentence; without it all of them stay in sight.
const box = document.querySelector("[data-part=find]"), field = box.querySelector("input");
const found = document.querySelector("[data-part=found]");
const cards = [...document.querySelectorAll("main li")];
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

// The group in sight is marked in the rail, and on a phone the picture in the middle of the screen plays once.
const rail = new Map([...document.querySelectorAll(".rail nav a")].map((a) => [a.hash.slice(1), a]));
const sights = new IntersectionObserver((entries) => {
	for (const e of entries) if (e.isIntersecting) {
		for (const [id, a] of rail) if (id === e.target.id) a.setAttribute("aria-current", "true"); else a.removeAttribute("aria-current");
	}
}, { rootMargin: "-20% 0px -75% 0px" });
for (const section of document.querySelectorAll("main section")) sights.observe(section);
if (matchMedia("(hover: none)").matches) {
	const middle = new IntersectionObserver((entries) => {
		for (const e of entries) if (e.isIntersecting) { e.target.classList.add("plays"); middle.unobserve(e.target); }
	}, { rootMargin: "-35% 0px -35% 0px" });
	for (const a of document.querySelectorAll("main li a:has(polyline)")) middle.observe(a);
}

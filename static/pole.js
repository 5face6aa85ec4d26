// Draws a stick on a cart into an SVG, as the stage does: standing, with its newest poses behind it, or lying on the floor
// with the images of its fall. web/chart/pole.go has the same measures.
"use strict";
const Pole = (() => {
	const lying = 99 * Math.PI / 180, image = .04; // seconds between two images of a fall
	const calm = matchMedia("(prefers-reduced-motion: reduce)");
	const el = (name, attributes) => {
		const e = document.createElementNS("http://www.w3.org/2000/svg", name);
		for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, typeof value === "number" ? value.toFixed(2) : value);
		return e;
	};

	// fall returns the leans of a free rod of one metre until its tip meets the floor, one for each image.
	const fall = (lean) => {
		const images = [], step = .002;
		let turn = 0, at = lean < 0 ? Math.min(lean, -.2) : Math.max(lean, .2); // an episode ends at .21
		for (let t = 0; Math.abs(at) < lying; t += step) {
			if (t >= images.length * image) images.push(at);
			turn += step * 1.5 * 9.8 * Math.sin(at);
			at += step * turn;
		}
		return [...images, Math.sign(at) * lying];
	};

	// draw draws a state: the cart's place x from −1 to 1, the lean of the stick in radians, the leans of the poses before
	// (trail, the oldest first), and the images of a fall (fan). lies says that the tip is on the floor.
	const draw = (svg, { x, lean, trail = [], fan = [], lies = false }) => {
		const w = svg.clientWidth, h = svg.clientHeight;
		if (!w || !h) return;
		const floor = h >= 300 ? .91 * h : .86 * h, top = h < 300 && w < 220 ? .2 * h : .12 * h;
		const long = Math.min((floor - top) / 1.2, .52 * w), k = long / 92, cart = w / 2 + .4 * w * Math.max(-1, Math.min(1, x)), hinge = floor - 17 * k;
		const parts = [el("rect", { class: "ground", x: 0, y: floor, width: w, height: h - floor }), el("line", { class: "rail", x1: 0, y1: floor, x2: w, y2: floor })];
		const rod = (lean, at, width, opacity, cls) => {
			const one = el("line", { class: cls, x1: at, y1: hinge, x2: at + long * Math.sin(lean), y2: hinge - long * Math.cos(lean), opacity });
			one.style.strokeWidth = width * k;
			parts.push(one);
		};
		fan.forEach((lean, i) => rod(lean, cart, 5.5, .06 + .3 * (i / fan.length) ** 2, "rod lies"));
		trail.forEach((lean, i) => rod(lean, cart - 5 * (trail.length - i), 6.5, .05 + .2 * ((i + 1) / trail.length) ** 2, "rod"));
		parts.push(el("rect", { class: "cart", x: cart - 24 * k, y: floor - 21 * k, width: 48 * k, height: 16 * k }));
		for (const wheel of [-12, 12]) parts.push(el("circle", { class: "wheel", cx: cart + wheel * k, cy: floor - 4.5 * k, r: 5 * k }));
		rod(lean, cart, 7.5, 1, lies ? "rod lies" : "rod");
		if (lies) {
			const tx = cart + long * Math.sin(lean), ty = hinge - long * Math.cos(lean), side = Math.sign(lean) * k;
			for (const [dx, dy] of [[8, -11], [14, -4], [-2, -14]]) {
				parts.push(el("line", { class: "stroke lies", x1: tx + .6 * side * dx, y1: ty + .6 * k * dy, x2: tx + side * dx, y2: ty + k * dy }));
			}
		}
		parts.push(el("circle", { class: "hinge", cx: cart, cy: hinge, r: 2.6 * k }));
		svg.setAttribute("viewBox", `0 0 ${w} ${h}`);
		svg.replaceChildren(...parts);
	};

	// tumble draws a fall that began so many seconds ago, and reports whether the stick lies.
	const tumble = (svg, x, lean, since) => {
		const all = fall(lean), n = calm.matches ? all.length : Math.min(all.length, Math.floor(Math.max(0, since) / image) + 1), lies = n === all.length;
		draw(svg, { x, lean: all[n - 1], fan: all.slice(0, n - 1).filter((_, i) => i % 2 === 0), lies });
		return lies;
	};
	return { calm, draw, el, tumble };
})();

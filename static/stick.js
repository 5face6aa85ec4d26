// Sets the pose of a stick that Go has drawn (PoleParts in web/chart): the cart's position, the turn of each rod, and
// how much of a fall is shown. The layout is in pole.css.
"use strict";
const Stick = (() => {
	const calm = matchMedia("(prefers-reduced-motion: reduce)"), image = .04; // seconds between two images of a fall
	const turn = (rod, degrees) => rod.setAttribute("transform", `rotate(${degrees.toFixed(2)})`);
	const move = (stage, x) => stage.style.setProperty("--x", Math.max(-1, Math.min(1, x)).toFixed(4));

	// show sets a state: the cart's place x from −1 to 1, the lean of the stick in radians, and the leans of the poses
	// before it, the oldest first.
	const show = (stage, x, lean, trail = []) => {
		move(stage, x);
		delete stage.dataset.falls;
		stage.removeAttribute("data-down");
		const behind = [...stage.querySelectorAll(".trail")];
		behind.forEach((one, i) => {
			const before = trail[trail.length - behind.length + i];
			one.toggleAttribute("data-off", before === undefined);
			if (before !== undefined) turn(one.querySelector(".rod"), before * 180 / Math.PI);
		});
		turn(stage.querySelector(".now"), lean * 180 / Math.PI);
	};

	// tumble shows a fall to the side of lean that began so many seconds ago, and reports whether the stick lies.
	const tumble = (stage, x, lean, since) => {
		const fall = stage.querySelector("[data-fall]").dataset.fall.split(" ").map(Number);
		const n = calm.matches ? fall.length : Math.min(fall.length, Math.floor(Math.max(0, since) / image) + 1);
		const lies = n === fall.length, side = lean < 0 ? -1 : 1;
		move(stage, x);
		stage.dataset.falls = side < 0 ? "left" : "right";
		stage.toggleAttribute("data-down", lies);
		stage.querySelectorAll(".image").forEach((one, i) => one.toggleAttribute("data-off", 2 * i >= n - 1));
		turn(stage.querySelector(".now"), side * fall[n - 1]);
		return lies;
	};
	return { calm, show, tumble };
})();

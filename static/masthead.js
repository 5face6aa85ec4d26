// The theme, on every page, and the tools of pages without the client. It runs before the page is drawn.
"use strict";
{
	const root = document.documentElement, themes = ["auto", "light", "dark"];
	try {
		const theme = localStorage.getItem("theme");
		if (themes.includes(theme)) root.dataset.theme = theme;
	} catch { /* the theme of the system */ }

	const does = {
		theme() {
			const next = themes[(themes.indexOf(root.dataset.theme) + 1) % themes.length];
			root.dataset.theme = next;
			try { localStorage.setItem("theme", next); } catch { /* until the page is closed */ }
		},
		async share(button) {
			const at = location.href, name = button.textContent;
			try {
				if (navigator.share && matchMedia("(pointer: coarse)").matches) {
					await navigator.share({ title: document.title, url: at });
					return;
				}
				await navigator.clipboard.writeText(at);
			} catch (error) {
				if (error.name !== "AbortError") prompt("The link to this page", at);
				return;
			}
			button.textContent = "Link copied";
			setTimeout(() => { button.textContent = name; }, 2000);
		},
		async copy(button) {
			try {
				await navigator.clipboard.writeText(button.dataset.copied);
				button.textContent = "Copied";
			} catch { // the text stands beside the button
				button.textContent = "Select it";
			}
			setTimeout(() => { button.textContent = "Copy"; }, 2000);
		},
	};
	addEventListener("click", (event) => {
		const button = event.target.closest("[data-does]");
		if (button) does[button.dataset.does]?.(button);
	});
	// A page that the browser restores shows no open menu.
	addEventListener("pagehide", () => document.querySelector(".places:popover-open")?.hidePopover());
}

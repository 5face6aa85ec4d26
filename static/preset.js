// The Lab shows the preset that its link names, and what it is about, before the client is there: both stand in the page.
{
	const name = new URLSearchParams(location.hash.slice(1)).get("p");
	const about = [...document.querySelectorAll("#define-preset dd")].find((one) => one.dataset.preset === name);
	if (about) {
		document.getElementById("preset").value = name;
		document.querySelector("[data-text=preset]").textContent = about.textContent.trim();
	}
}

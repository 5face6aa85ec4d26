// A link of the Lab that names the root is an old one: it goes to where the Lab is now.
if (location.hash.includes("=") && !location.hash.startsWith("#first")) {
	location.replace(document.currentScript.dataset.lab + location.hash);
}

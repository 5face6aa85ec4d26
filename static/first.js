// A link of the Lab that names the root is an old one: it goes to where the Lab is now.
if (location.hash.includes("=") && !/^#(first|second)&/.test(location.hash)) {
	location.replace(document.currentScript.dataset.lab + location.hash);
}
document.body.dataset.experiment = location.hash.startsWith("#second") ? "second" : "first";

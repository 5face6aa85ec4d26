// A link of the Lab that names the root is an old one: it goes to where the Lab is now.
if (location.hash.includes("=") && !/^#(first|second|third)&/.test(location.hash)) {
	location.replace(document.currentScript.dataset.lab + location.hash);
}
document.body.dataset.experiment = location.hash.match(/^#(second|third)(?=&|$)/)?.[1] ?? "first";

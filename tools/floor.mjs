// The oldest browsers that the pages are for, and the check that styles and scripts ask for nothing newer: make static.
// README.md and web/page name the same versions.
import css from "@eslint/css";
import compat from "eslint-plugin-compat";

// Features of styles that every browser had by the end of this year, by the web's own data (Baseline). Besides, popover,
// which Firefox has since 125.
const year = 2023;

// What looks plainer where it is missing, and hides nothing.
const decoration = {
	allowAtRules: ["page", "property"],
	allowProperties: ["accent-color", "content-visibility", "overflow-clip-margin", "paint-order", "resize", "rx", "scrollbar-width",
		"text-wrap", "user-select"],
	allowPropertyValues: { "break-after": ["avoid"] },
	allowSelectors: ["details-content", "popover-open", "selection"],
};

export default [
	{ ignores: ["static/wasm_exec.js"] }, // Go's
	{
		files: ["static/*.css"], plugins: { css }, language: "css/css",
		rules: { "css/use-baseline": ["error", { available: year, ...decoration }] },
	},
	{
		files: ["static/*.js"], plugins: { compat }, rules: { "compat/compat": "error" },
		languageOptions: { sourceType: "script", ecmaVersion: year },
		settings: { targets: ["safari 17.2", "ios_saf 17.2", "firefox 125", "chrome 120"] },
	},
];

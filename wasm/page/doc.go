// Package page binds the model to the HTML around it: it listens to every control, sends what people ask for, and shows
// what is in force. Look at page.go first, the whole, then at column.go, one run, desk.go, what shows and steers the
// one in hand, and columns.go, how columns come and go; controls.go has the settings, acts.go buttons and keys,
// dialogs.go what is shared and said, dom.go the little that is needed of the browser.
package page

package command

// --open shows the page in the person's browser. It is a convenience: when it fails the address is printed anyway.

import (
	"os/exec"
	"runtime"
)

// openBrowser asks the desktop to show url. It does not wait for the browser.
func openBrowser(url string) error {
	var cmd *exec.Cmd
	switch runtime.GOOS {
	case "darwin":
		cmd = exec.Command("open", url)
	case "windows":
		cmd = exec.Command("rundll32", "url.dll,FileProtocolHandler", url)
	default:
		cmd = exec.Command("xdg-open", url)
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	go cmd.Wait() // ends with the opener, which ends at once; nothing depends on it
	return nil
}

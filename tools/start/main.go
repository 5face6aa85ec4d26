// Command start compiles impalab and starts it, on any system. It compiles the server and the client side by side, and
// the server prints the link once both are there. Modules that few pages need are compiled while the server runs.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"time"
)

const usage = `usage: go -C tools run ./start [FLAG OF impalab serve]...
       go -C tools run ./start -only FILE...

It compiles impalab into bin, starts the server and prints a link to click on. The first time takes some three minutes.
With -only it compiles files of bin and starts nothing: app.wasm, worker.wasm, exercise.wasm, wasm_exec.js, client.mod.

  go -C tools run ./start --addr 127.0.0.1:0
  go -C tools run ./start -only app.wasm
  bin/impalab serve --help            # the server's flags
`

func main() {
	var err error
	switch args := os.Args[1:]; {
	case slices.Contains(args, "-h"), slices.Contains(args, "--help"):
		fmt.Print(usage)
	case len(args) > 0 && args[0] == "-only":
		err = compile(args[1:])
	default:
		err = start(args)
	}
	var ended *exec.ExitError // of a program that has said why
	switch {
	case errors.As(err, &ended):
		os.Exit(max(ended.ExitCode(), 1))
	case err != nil:
		fmt.Fprintln(os.Stderr, "start:", err)
		os.Exit(1)
	}
}

// start compiles the server and the client, starts the server, and compiles the modules that its pages may ask for.
func start(args []string) error {
	began, program := time.Now(), filepath.Join("bin", "impalab")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	file, err := filepath.Abs(filepath.Join(root, program))
	if err != nil {
		return err
	}
	if _, err := os.Stat(file); err != nil {
		fmt.Fprintln(os.Stderr, "compiling the server and the client; the first time takes some three minutes")
	}
	client := make(chan error)
	go func() { client <- compile([]string{"app.wasm", "wasm_exec.js"}) }()
	err = build(program, "./server", native())
	if err = errors.Join(err, <-client); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "compiled in %.0f s\n", time.Since(began).Seconds())

	// The files of an older build are not served: hide moves them away before the server looks.
	later := []string{"worker.wasm", "exercise.wasm"}
	for _, name := range later {
		if err := hide(name); err != nil {
			return err
		}
	}
	server := exec.Command(file, append([]string{"serve", "--compiled", "bin"}, args...)...)
	server.Dir, server.Stdin, server.Stdout, server.Stderr = root, os.Stdin, os.Stdout, os.Stderr
	// Ctrl-C reaches the server too, which ends in its own time. SIGTERM reaches this process alone.
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if err := server.Start(); err != nil {
		return err
	}
	go func() {
		for s := range signals {
			if s == syscall.SIGTERM {
				server.Process.Signal(s)
			}
		}
	}()
	go func() {
		if err := compile(later, "-p=1"); err != nil { // leaves a core to the pages
			fmt.Fprintln(os.Stderr, "start: some pages lack a module:", err)
		}
	}()
	return server.Wait()
}

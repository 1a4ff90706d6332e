// Package landscape_test tests a started landscape. `go test ./...` builds the programs where they are missing.
package landscape_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// How long anything may take on a busy machine. No test measures time.
const patience = 60 * time.Second

// The landscape that tests share which do not end it.
var shared struct {
	ready
	// Of its launcher: what it reads, and what it prints.
	input io.Writer
	lines *bufio.Scanner
}

// A line of the launcher: most fields are there when all is.
type ready struct {
	Event   string
	Seed    string
	Shoot   string
	Server  string
	PIDs    map[string]int
	Message string
}

func TestMain(m *testing.M) {
	if folder := os.Getenv("LANDSCAPE_TEST_PARENT"); folder != "" {
		parent(folder)
	}
	code, err := withLandscape(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(code)
}

func withLandscape(m *testing.M) (int, error) {
	launcher, err := build()
	if err != nil {
		return 0, err
	}
	if err := os.Setenv("LANDSCAPE_TEST_LAUNCHER", launcher); err != nil {
		return 0, err
	}
	folder, err := os.MkdirTemp("", "landscape")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(folder)
	command := exec.Command(launcher, "start", folder)
	command.Stderr = os.Stderr
	input, err := command.StdinPipe()
	if err != nil {
		return 0, err
	}
	output, err := command.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := command.Start(); err != nil {
		return 0, err
	}
	defer func() {
		_ = input.Close()
		_, _ = io.Copy(io.Discard, output)
		_ = command.Wait()
	}()
	shared.input, shared.lines = input, bufio.NewScanner(output)
	if shared.ready, err = await(shared.lines, "ready"); err != nil {
		return 0, err
	}
	code := m.Run()
	if err := input.Close(); err != nil {
		return 0, err
	}
	if _, err := await(shared.lines, "stopped"); err != nil {
		return 0, err
	}
	return code, nil
}

func build() (string, error) {
	command := exec.Command("go", "run", "./build")
	command.Stderr = os.Stderr
	path, err := command.Output()
	return strings.TrimSpace(string(path)), err
}

// Reads the launcher's lines up to one that says `wanted`.
func await(lines *bufio.Scanner, wanted string) (ready, error) {
	for lines.Scan() {
		var event ready
		if err := json.Unmarshal(lines.Bytes(), &event); err != nil {
			return ready{}, fmt.Errorf("not an event: %s", lines.Text())
		}
		switch event.Event {
		case wanted:
			return event, nil
		case "progress":
		default:
			return ready{}, fmt.Errorf("the launcher says: %s", lines.Text())
		}
	}
	return ready{}, fmt.Errorf("the launcher ended before it was %s: %v", wanted, lines.Err())
}

// Starts a program that reads commands and writes lines.
func startProgram(t *testing.T, command *exec.Cmd) (io.WriteCloser, io.Reader) {
	t.Helper()
	input, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	return input, output
}

// Starts a further landscape, which ends with the test, and waits until it is ready.
func startLandscape(t *testing.T, command *exec.Cmd) (io.Writer, *bufio.Scanner, ready) {
	t.Helper()
	command.Stderr = os.Stderr
	input, output := startProgram(t, command)
	t.Cleanup(func() {
		_ = input.Close()
		_, _ = io.Copy(io.Discard, output)
		_ = command.Wait()
	})
	lines := bufio.NewScanner(output)
	event, err := await(lines, "ready")
	if err != nil {
		t.Fatal(err)
	}
	return input, lines, event
}

func launcher() string { return os.Getenv("LANDSCAPE_TEST_LAUNCHER") }

func driverProgram() string { return filepath.Join(filepath.Dir(launcher()), "gardenlet-driver") }

// Asks until the answer is yes.
func eventually(t *testing.T, what string, ask func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if ask() {
			return
		}
	}
	t.Fatalf("not so after %v: %s", patience, what)
}

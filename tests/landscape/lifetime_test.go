package landscape_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// What the parent process of the tests below does: it starts a landscape, says so in a file, and waits to be killed.
func parent(folder string) {
	command := exec.Command(launcher(), "start", filepath.Join(folder, "run"))
	var input io.WriteCloser
	if os.Getenv("LANDSCAPE_TEST_STDIN") == "pipe" {
		var err error
		if input, err = command.StdinPipe(); err != nil {
			panic(err)
		}
	}
	output, err := command.StdoutPipe()
	if err != nil {
		panic(err)
	}
	if err := command.Start(); err != nil {
		panic(err)
	}
	event, err := await(bufio.NewScanner(output), "ready")
	if err != nil {
		panic(err)
	}
	text := fmt.Sprintf("launcher %d\n", command.Process.Pid)
	for name, pid := range event.PIDs {
		text += fmt.Sprintf("%s %d\n", name, pid)
	}
	path := filepath.Join(folder, "pids")
	if err := os.WriteFile(path+".new", []byte(text), 0o600); err != nil {
		panic(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		panic(err)
	}
	for {
		time.Sleep(time.Hour)
		// Go closes files that nobody refers to.
		runtime.KeepAlive(input)
		runtime.KeepAlive(output)
	}
}

// Starts a parent with a landscape of its own, and returns it with the ids of all processes of the landscape.
func startParent(t *testing.T, stdin string) (*exec.Cmd, map[string]int) {
	t.Helper()
	folder := t.TempDir()
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), "LANDSCAPE_TEST_PARENT="+folder, "LANDSCAPE_TEST_STDIN="+stdin)
	command.Stderr = os.Stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Process.Kill(); _ = command.Wait() })
	pids := map[string]int{}
	eventually(t, "the parent has a landscape", func() bool {
		text, err := os.ReadFile(filepath.Join(folder, "pids"))
		if err != nil {
			return false
		}
		for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
			var name string
			var pid int
			if _, err := fmt.Sscan(line, &name, &pid); err != nil {
				t.Fatal(err)
			}
			pids[name] = pid
		}
		return true
	})
	for name, pid := range pids {
		if !alive(pid) {
			t.Fatalf("%s does not run", name)
		}
	}
	if len(pids) != 6 {
		t.Fatalf("a launcher, etcd, two API servers and two resource managers were expected: %v", pids)
	}
	return command, pids
}

func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	// A process that nobody has waited for is dead too.
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return !os.IsNotExist(err)
	}
	_, state, _ := strings.Cut(string(status), ") ")
	return !strings.HasPrefix(state, "Z")
}

func expectNothingLeft(t *testing.T, pids map[string]int) {
	t.Helper()
	for name, pid := range pids {
		eventually(t, name+" has ended", func() bool { return !alive(pid) })
	}
}

func TestNothingIsLeftWhenTheParentIsKilled(t *testing.T) {
	for _, stdin := range []string{"pipe", "none"} {
		t.Run("stdin "+stdin, func(t *testing.T) {
			parent, pids := startParent(t, stdin)
			if err := parent.Process.Signal(syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			_ = parent.Wait()
			if status, ok := parent.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
				t.Fatalf("the parent ended by itself: %v", parent.ProcessState)
			}
			expectNothingLeft(t, pids)
		})
	}
}

func TestNothingIsLeftWhenTheLauncherIsKilled(t *testing.T) {
	parent, pids := startParent(t, "pipe")
	if err := syscall.Kill(pids["launcher"], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	expectNothingLeft(t, pids)
	if !alive(parent.Process.Pid) {
		t.Error("the parent has ended too, which this test is not about")
	}
}

func TestTheLandscapeEndsWhenAServerDies(t *testing.T) {
	parent, pids := startParent(t, "pipe")
	if err := syscall.Kill(pids["shoot-apiserver"], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	expectNothingLeft(t, pids)
	if !alive(parent.Process.Pid) {
		t.Error("the parent has ended too, which this test is not about")
	}
}

// Where there is no parent-death signal, a guard stands between. It is the same code on every system.
func TestAGuardEndsItsProgramWithItsInput(t *testing.T) {
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	script := filepath.Join(folder, "script")
	text := "#!/bin/sh\necho $$ > " + folder + "/pid.new && mv " + folder + "/pid.new " + folder + "/pid\nexec " + sleep + " 600\n"
	if err := os.WriteFile(script, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	guard := exec.Command(launcher(), "guard", script)
	input, err := guard.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := guard.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	eventually(t, "the program has started", func() bool {
		text, err := os.ReadFile(filepath.Join(folder, "pid"))
		if err != nil {
			return false
		}
		_, err = fmt.Sscan(string(text), &pid)
		return err == nil
	})
	if err := input.Close(); err != nil {
		t.Fatal(err)
	}
	_ = guard.Wait()
	expectNothingLeft(t, map[string]int{"the program": pid})
}

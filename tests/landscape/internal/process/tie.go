package process

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"
	"time"
)

// GuardCommand is the first argument that makes a program of this module call Guard.
const GuardCommand = "guard"

// A tie is a command that ends with this program.
type tie struct {
	command *exec.Cmd
	// What may be let go of when the command has ended.
	release func()
}

func lockThread() { runtime.LockOSThread() }

// Where the kernel has no parent-death signal, a copy of this program stands between: Guard.
func guarded(program string, arguments []string) tie {
	self, err := os.Executable()
	if err != nil {
		self = os.Args[0]
	}
	command := exec.Command(self, append([]string{GuardCommand, program}, arguments...)...)
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	// Nothing is ever written: the pipe ends when this program ends.
	pipe, err := command.StdinPipe()
	if err != nil {
		command.Err = err
		return tie{command, func() {}}
	}
	return tie{command, func() { _ = pipe.Close() }}
}

// Guard runs a program until that ends or standard input does, and returns the exit code.
func Guard(program string, arguments []string) int {
	command := exec.Command(program, arguments...)
	command.Stdout, command.Stderr = os.Stdout, os.Stderr
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT)
	if err := command.Start(); err != nil {
		_, _ = io.WriteString(os.Stderr, err.Error()+"\n")
		return 1
	}
	parentGone := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		close(parentGone)
	}()
	ended := make(chan struct{})
	go func() {
		_ = command.Wait()
		close(ended)
	}()
	for {
		select {
		case <-ended:
			return command.ProcessState.ExitCode()
		case <-signals:
			_ = command.Process.Signal(syscall.SIGTERM)
		case <-parentGone:
			_ = command.Process.Kill()
			<-ended
			return 1
		}
	}
}

// OrphanedOrEOF receives a value when the parent process has ended, or when standard input is a pipe and that has ended. It
// hands on the lines of that pipe to `line`, and reads no further while `line` runs.
//
// Standard input alone would not do: a pipe stays open while any process has its other end. The parent's id alone would not
// do either: a test may hold this program through a shell.
func OrphanedOrEOF(line func([]byte)) <-chan struct{} {
	gone := make(chan struct{}, 2)
	parent := os.Getppid()
	go func() {
		for os.Getppid() == parent {
			time.Sleep(200 * time.Millisecond)
		}
		gone <- struct{}{}
	}()
	if about, err := os.Stdin.Stat(); err == nil && about.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0 {
		go func() {
			lines := bufio.NewScanner(os.Stdin)
			for lines.Scan() {
				line(bytes.Clone(lines.Bytes()))
			}
			// A line that is too long ends the scanner, and not standard input.
			_, _ = io.Copy(io.Discard, os.Stdin)
			gone <- struct{}{}
		}()
	}
	return gone
}

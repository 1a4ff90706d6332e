// Package process starts programs that never outlive the program that started them.
package process

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"
)

// Process is a running program. Its output goes to a log file.
type Process struct {
	// Name is the base name of the program, for messages.
	Name string
	// Log is the path of the file that has standard output and standard error.
	Log string

	command *exec.Cmd
	done    chan struct{}
	// Whether somebody called Stop.
	stopped atomic.Bool
}

// Start runs `program` with `arguments` and writes its output to `<folder>/<name>.log`. The program ends when this one ends,
// however this one ends.
func Start(name, folder, program string, arguments ...string) (*Process, error) {
	return start(name, folder, tied(program, arguments))
}

// LogPath is the path of the log of a program that Start runs.
func LogPath(name, folder string) string { return filepath.Join(folder, name+".log") }

func start(name, folder string, tie tie) (*Process, error) {
	path := LogPath(name, folder)
	// The file is appended to: a server that starts again keeps what the first one wrote.
	log, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	command := tie.command
	command.Stdout, command.Stderr = log, log
	started := make(chan error)
	process := &Process{Name: name, Log: path, command: command, done: make(chan struct{})}
	go func() {
		// A parent-death signal comes when the *thread* ends that started the program, so this thread waits for the program.
		lockThread()
		err := command.Start()
		started <- err
		if err != nil {
			return
		}
		// How it ended, its state says.
		_ = command.Wait()
		tie.release()
		close(process.done)
	}()
	if err := <-started; err != nil {
		tie.release()
		return nil, fmt.Errorf("%s does not start: %w", name, err)
	}
	return process, nil
}

// PID is the process id, for tests that stop or freeze a server.
func (p *Process) PID() int { return p.command.Process.Pid }

// Done is closed when the process has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err says how the process ended. Call it only after Done is closed.
func (p *Process) Err() error {
	return fmt.Errorf("%s ended (%v); its log is %s: %s", p.Name, p.command.ProcessState, p.Log, tail(p.Log))
}

// Stopped says whether somebody called Stop.
func (p *Process) Stopped() bool { return p.stopped.Load() }

// Stop asks the process to end, and kills it after `grace`.
func (p *Process) Stop(grace time.Duration) {
	p.stopped.Store(true)
	if err := p.command.Process.Signal(syscall.SIGTERM); errors.Is(err, os.ErrProcessDone) {
		<-p.done
		return
	}
	select {
	case <-p.done:
	case <-time.After(grace):
		_ = p.command.Process.Kill()
		<-p.done
	}
}

// The end of a log, for a message.
func tail(path string) string {
	const most = 600
	text, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	if len(text) > most {
		text = text[len(text)-most:]
	}
	return string(text)
}

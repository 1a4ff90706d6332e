package process

import (
	"os/exec"
	"syscall"
)

// The kernel kills the program when this one ends. The process group is its own, so that Ctrl-C in a terminal reaches this
// program alone, which ends the others in order.
func tied(program string, arguments []string) tie {
	command := exec.Command(program, arguments...)
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	return tie{command, func() {}}
}

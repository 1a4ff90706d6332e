package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// What a person types: the lines of a terminal.
type presses struct {
	// Nil where there is no terminal.
	lines chan struct{}
	// Closed once nobody can press anything any more.
	ended chan struct{}
}

// Reads standard input where that is a terminal. A pipe is the launcher's own (main.go), and /dev/null ends at once.
func pressesOfPerson() *presses {
	about, err := os.Stdin.Stat()
	if err != nil || about.Mode()&os.ModeCharDevice == 0 {
		ended := make(chan struct{})
		close(ended)
		return &presses{nil, ended}
	}
	// A program in the background of a terminal is to go on, and not to stop because it reads.
	signal.Ignore(syscall.SIGTTIN)
	return readPresses(os.Stdin)
}

func readPresses(input io.Reader) *presses {
	found := &presses{make(chan struct{}, 1), make(chan struct{})}
	go func() {
		defer close(found.ended)
		for lines := bufio.NewReader(input); ; {
			if _, err := lines.ReadString('\n'); err != nil {
				return
			}
			select {
			case found.lines <- struct{}{}:
			default:
			}
		}
	}()
	return found
}

// Offers something, and waits until a person presses Enter. What was pressed before the offer does not count, because nobody knew then what
// it would do. Whether somebody has.
func (p *presses) ask(ctx context.Context, output io.Writer, offer string) bool {
	select {
	case <-p.lines:
	default:
	}
	if p.lines == nil {
		return false
	}
	select {
	case <-p.ended:
		return p.end(output)
	default:
	}
	fmt.Fprintf(output, "\nEnter: %s\n", offer)
	select {
	case <-ctx.Done():
	case <-p.ended:
		return p.end(output)
	case <-p.lines:
		return true
	}
	return false
}

// Says why nothing more is offered. Nobody has pressed Enter.
func (p *presses) end(output io.Writer) bool {
	fmt.Fprintln(output, "\nThe input of the terminal has ended, as with Ctrl-D, so nothing more is offered here. Ctrl-C ends the landscape.")
	return false
}

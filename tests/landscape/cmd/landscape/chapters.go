package main

import (
	"context"
	"fmt"
	"io"
)

// How an offer begins that comes after a failure.
const tryAgain = "try that again"

// A part of the life of a Shoot.
type chapter struct {
	// What Enter does, for all but the first, which begins by itself.
	offer string
	steps []step
}

// What gardenlet does, and what a person reads of it.
type step struct {
	what string
	do   func(context.Context) error
}

// Goes through the life of a Shoot. Each chapter but the first waits for a person; without one the first is all. A step that fails is tried again when
// a person wants it, and those before it are not. `look` comes once a person may look, whether the first chapter has ended well or not.
func live(ctx context.Context, output io.Writer, presses *presses, chapters []chapter, look func()) {
	isFirst := true
	lookOnce := func() {
		if isFirst {
			isFirst = false
			look()
		}
	}
	for i, chapter := range chapters {
		if i > 0 && !presses.ask(ctx, output, chapter.offer) {
			return
		}
		for _, step := range chapter.steps {
			for {
				if step.what != "" {
					fmt.Fprintln(output, step.what)
				}
				err := step.do(ctx)
				if ctx.Err() != nil {
					return
				}
				if err == nil {
					break
				}
				fmt.Fprintln(output, "\ngardenlet's code gives up:", err)
				lookOnce()
				if !presses.ask(ctx, output, again(step.what)) {
					return
				}
			}
		}
		lookOnce()
	}
}

// What Enter does after a failure. Lines of the extension may stand below what failed, and so the offer names it.
func again(what string) string {
	if what == "" {
		return tryAgain
	}
	return tryAgain + ": " + what
}

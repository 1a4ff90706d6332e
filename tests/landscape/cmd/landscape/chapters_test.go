package main

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

// What a person sees, who does something at each offer.
type person struct {
	seen strings.Builder
	does func()
}

func (p *person) Write(text []byte) (int, error) {
	if strings.Contains(string(text), "Enter: ") {
		// The terminal does not wait for the person.
		go p.does()
	}
	return p.seen.Write(text)
}

// Steps by name, which say that they were done.
func doing(done *[]string, names ...string) []step {
	var steps []step
	for _, name := range names {
		steps = append(steps, step{name, func(context.Context) error {
			*done = append(*done, name)
			return nil
		}})
	}
	return steps
}

func TestWithoutAPersonTheFirstChapterIsAll(t *testing.T) {
	var done []string
	presses := &presses{}
	var seen strings.Builder
	live(t.Context(), &seen, presses, []chapter{{"", doing(&done, "creation")}, {"delete it", doing(&done, "deletion")}}, func() {
		done = append(done, "look")
	})
	if !slices.Equal(done, []string{"creation", "look"}) || strings.Contains(seen.String(), "Enter") {
		t.Errorf("%v, and a person sees:\n%s", done, &seen)
	}
}

func TestEnterTriesWhatFailedAgainAndNothingElse(t *testing.T) {
	var done []string
	input, keyboard := io.Pipe()
	person := &person{does: func() { _, _ = io.WriteString(keyboard, "\n") }}
	failures := 2
	fails := step{"second", func(context.Context) error {
		if failures--; failures >= 0 {
			return errors.New("no quota")
		}
		done = append(done, "second")
		return nil
	}}
	live(t.Context(), person, readPresses(input), []chapter{
		{"", slices.Concat(doing(&done, "first"), []step{fails}, doing(&done, "third"))},
		{"go on", doing(&done, "fourth")},
	}, func() { done = append(done, "look") })
	if !slices.Equal(done, []string{"first", "look", "second", "third", "fourth"}) {
		t.Errorf("not in this order, or not once: %v", done)
	}
	for text, times := range map[string]int{"gives up: no quota\n": 2, "Enter: try that again: second\n": 2, "Enter: go on\n": 1, "first\n": 1, "second\n": 5} {
		if found := strings.Count(person.seen.String(), text); found != times {
			t.Errorf("%q is %d times, not %d, in what a person sees:\n%s", text, found, times, &person.seen)
		}
	}
}

func TestWhatIsPressedBeforeAnOfferDoesNotCount(t *testing.T) {
	var done []string
	input, keyboard := io.Pipe()
	person := &person{does: func() { _ = keyboard.Close() }}
	impatient := step{"creation", func(context.Context) error {
		// The second write ends once somebody reads on, after the line.
		_, err := io.WriteString(keyboard, "\n")
		_, further := io.WriteString(keyboard, "x")
		return errors.Join(err, further)
	}}
	live(t.Context(), person, readPresses(input), []chapter{{"", []step{impatient}}, {"delete it", doing(&done, "deletion")}}, func() {})
	if len(done) > 0 || !strings.Contains(person.seen.String(), "Enter: delete it\n") || !strings.Contains(person.seen.String(), "input of the terminal has ended") {
		t.Errorf("%v was done, and a person sees:\n%s", done, &person.seen)
	}
}

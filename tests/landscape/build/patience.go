package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

const machinePath = "github.com/gardener/machine-controller-manager"

// How soon the machine driver tries again, and takes the next of the seven steps of a deletion. These are constants of
// machine-controller-manager's module, for clouds and people with more time.
var patience = map[string]string{
	"ShortRetry RetryPeriod = RetryPeriod(5 * time.Second)":  "ShortRetry RetryPeriod = RetryPeriod(300 * time.Millisecond)",
	"MediumRetry RetryPeriod = RetryPeriod(3 * time.Minute)": "MediumRetry RetryPeriod = RetryPeriod(3 * time.Second)",
	"LongRetry RetryPeriod = RetryPeriod(10 * time.Minute)":  "LongRetry RetryPeriod = RetryPeriod(10 * time.Second)",
}

// Copies machine-controller-manager's module with less patience, and writes a `go.mod` that has the copy in its place. What is
// returned is the path of that `go.mod`, and a function that removes both.
func impatientModule(module string) (path string, remove func(), err error) {
	from, err := folderOf(machinePath)
	if err != nil {
		return "", nil, err
	}
	folder, err := os.MkdirTemp("", "landscape-build")
	if err != nil {
		return "", nil, err
	}
	remove = func() { _ = os.RemoveAll(folder) }
	defer func() {
		if err != nil {
			remove()
		}
	}()
	copied := filepath.Join(folder, "machine-controller-manager")
	if err := os.CopyFS(copied, os.DirFS(from)); err != nil {
		return "", nil, err
	}
	source := filepath.Join(copied, "pkg", "util", "provider", "machineutils", "utils.go")
	text, err := os.ReadFile(source)
	if err != nil {
		return "", nil, err
	}
	for old, less := range patience {
		if bytes.Count(text, []byte(old)) != 1 {
			return "", nil, fmt.Errorf("%s of %s does not say: %s", filepath.Base(source), machinePath, old)
		}
		text = bytes.Replace(text, []byte(old), []byte(less), 1)
	}
	// A module's files are for reading only, and so are copies of them.
	if err := os.Remove(source); err != nil {
		return "", nil, err
	}
	if err := os.WriteFile(source, text, 0o644); err != nil {
		return "", nil, err
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(module, name))
		if err != nil {
			return "", nil, err
		}
		if name == "go.mod" {
			text = fmt.Appendf(text, "\nreplace %s => %s\n", machinePath, copied)
		}
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o644); err != nil {
			return "", nil, err
		}
	}
	return filepath.Join(folder, "go.mod"), remove, nil
}

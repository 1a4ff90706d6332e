package main

import (
	"fmt"
	"os/exec"
	"strings"
)

// A Go module whose programs say that they are of the version in which it requires another one.
type module struct{ folder, version string }

func newModule(folder, required string) (module, error) {
	version, err := list(folder, "{{.Version}}", required)
	return module{folder, version}, err
}

// The folder of this module: `go run` compiles this file with its path trimmed, so the working folder has to say.
func moduleFolder() (string, error) {
	folder, err := list(".", "{{.Dir}}")
	if err != nil {
		return "", fmt.Errorf("run this in the module's folder (go -C tests/landscape run ./build): %w", err)
	}
	return folder, nil
}

// The folder of a Go module that this one requires.
func folderOf(path string) (string, error) { return list(".", "{{.Dir}}", path) }

// What the module of a folder says of one that it requires; without a path, of itself.
func list(folder, format string, path ...string) (string, error) {
	command := exec.Command("go", append([]string{"list", "-m", "-f", format}, path...)...)
	command.Dir = folder
	output, err := command.Output()
	return strings.TrimSpace(string(output)), err
}

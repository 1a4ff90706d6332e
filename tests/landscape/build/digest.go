package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// What names the folders of programs: those of others follow from modules and Go's version, and ours from these and from every source.
type keys struct{ servers, gardener, programs string }

func digests(gardener, servers module) (keys, error) {
	var found keys
	var err error
	if found.servers, err = digest(servers.folder, "go.mod", "go.sum"); err != nil {
		return found, err
	}
	if found.gardener, err = digest(gardener.folder, "go.mod", "go.sum"); err != nil {
		return found, err
	}
	names := []string{"go.mod", "go.sum", "servers/go.mod", "servers/go.sum"}
	// WalkDir goes through a folder in the order of names.
	err = filepath.WalkDir(gardener.folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		name, err := filepath.Rel(gardener.folder, path)
		names = append(names, name)
		return err
	})
	if err != nil {
		return found, err
	}
	found.programs, err = digest(gardener.folder, names...)
	return found, err
}

func digest(folder string, names ...string) (string, error) {
	hash := sha256.New()
	fmt.Fprintln(hash, runtime.Version())
	for _, name := range names {
		if err := add(hash, folder, name); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(hash.Sum(nil)[:8]), nil
}

func add(hash io.Writer, folder, name string) error {
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		return err
	}
	fmt.Fprintln(hash, filepath.ToSlash(name), len(text))
	_, err = hash.Write(text)
	return err
}

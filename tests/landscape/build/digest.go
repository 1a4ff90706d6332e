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

// The keys of programs of others (modules, Go's version, linker flags) and of our programs (the same and every source).
func digests(module string) (servers, programs string, err error) {
	hash := sha256.New()
	fmt.Fprintln(hash, runtime.Version(), kubernetes)
	for _, name := range []string{"go.mod", "go.sum"} {
		if err := add(hash, module, name); err != nil {
			return "", "", err
		}
	}
	servers = key(hash.Sum(nil))
	// WalkDir goes through a folder in the order of names.
	err = filepath.WalkDir(module, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		relative, err := filepath.Rel(module, path)
		if err != nil {
			return err
		}
		return add(hash, module, relative)
	})
	return servers, key(hash.Sum(nil)), err
}

func key(sum []byte) string { return hex.EncodeToString(sum[:8]) }

func add(hash io.Writer, module, name string) error {
	text, err := os.ReadFile(filepath.Join(module, name))
	if err != nil {
		return err
	}
	fmt.Fprintln(hash, filepath.ToSlash(name), len(text))
	_, err = hash.Write(text)
	return err
}

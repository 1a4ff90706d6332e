package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// The groups of the kinds that the seed has of Gardener's.
var groups = []string{"extensions.gardener.cloud", "machine.sapcloud.io", "resources.gardener.cloud"}

// Copies the CustomResourceDefinitions of a seed from Gardener's Go module.
func copyKinds(folder string) error {
	gardener, err := folderOf("github.com/gardener/gardener")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, group := range groups {
		paths, err := filepath.Glob(filepath.Join(gardener, "example", "seed-crds", "*-crd-"+group+"_*.yaml"))
		if err != nil {
			return err
		}
		if len(paths) == 0 {
			return fmt.Errorf("%s has no definitions of %s", gardener, group)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(folder, filepath.Base(path)), text, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// The kinds that the seed has of Gardener's: all of three groups, and those of which a control plane has objects.
var seedKinds = []string{
	"extensions.gardener.cloud_*",
	"machine.sapcloud.io_*",
	"resources.gardener.cloud_*",
	"autoscaling.k8s.io_verticalpodautoscalers",
	"monitoring.coreos.com_podmonitors",
	"monitoring.coreos.com_prometheusrules",
	"monitoring.coreos.com_scrapeconfigs",
	"monitoring.coreos.com_servicemonitors",
}

// Copies the CustomResourceDefinitions of a seed from Gardener's Go module.
func copyKinds(folder string) error {
	gardener, err := folderOf(gardenerPath)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, kind := range seedKinds {
		paths, err := filepath.Glob(filepath.Join(gardener, "example", "seed-crds", "*-crd-"+kind+".yaml"))
		if err != nil {
			return err
		}
		if len(paths) == 0 {
			return fmt.Errorf("%s has no definition of %s", gardener, kind)
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

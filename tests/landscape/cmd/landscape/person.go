package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/klog/v2"

	"landscape/internal/launch"
)

// Starts the landscape for a person, with the Shoot of the files.
func forPerson(place place, files []string) error {
	found, err := read(files)
	if err != nil {
		return err
	}
	namespace, name, err := technicalID(found["Shoot"])
	if err != nil {
		return err
	}
	if err := identify(found, namespace); err != nil {
		return err
	}
	data, err := secretData(found["Secret"])
	if err != nil {
		return err
	}
	if err := checkProgram(place.isGarden); err != nil {
		return err
	}
	// Watches of kinds that come and go with the Shoot fail and begin again, which is nothing for a person to read.
	klog.SetLogger(logr.Discard())
	presses := pressesOfPerson()
	// Whether the folder is this landscape's: it may belong to another one, and then this one does not start.
	isOurs := false
	progress := func(step string) {
		isOurs = true
		fmt.Println("starting", step)
	}
	err = hold(place, progress, func(ctx context.Context, landscape *launch.Landscape) error {
		if place.isGarden {
			if err := fillGarden(ctx, landscape, found); err != nil {
				return err
			}
		}
		extension, err := startExtension(ctx, landscape, place.isGarden, found)
		if err != nil {
			return err
		}
		if err := showChanges(ctx, landscape.Seed, os.Stdout); err != nil {
			return err
		}
		driver := &driver{seed: landscape.Seed, shoot: landscape.Shoot}
		gardenlet := &gardenlet{
			landscape: landscape, driver: driver, extension: extension,
			namespace: namespace, name: name, found: found, data: data,
		}
		live(ctx, os.Stdout, presses, gardenlet.life(), func() {
			fmt.Print("\n" + instructions(landscape, extension, place.isGarden, namespace, name))
		})
		return driver.close()
	}, func(context.Context, *launch.Landscape, []byte) {})
	if isOurs {
		// The data, some sixty megabytes, is of no use any more.
		err = errors.Join(err, os.RemoveAll(filepath.Join(place.folder, "etcd")))
		fmt.Println("the landscape has ended; its logs are in", place.folder)
	}
	return err
}

// The objects of some files by kind; the first of each counts.
func read(files []string) (map[string]map[string]any, error) {
	found := map[string]map[string]any{}
	for _, path := range files {
		file, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		decoder := yaml.NewYAMLOrJSONDecoder(file, 4096)
		for {
			var object map[string]any
			err := decoder.Decode(&object)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			if kind, ok := object["kind"].(string); ok && found[kind] == nil {
				found[kind] = object
			}
		}
	}
	for _, kind := range []string{"Shoot", "CloudProfile", "Secret"} {
		if found[kind] == nil {
			return nil, fmt.Errorf("no %s is in %s", kind, strings.Join(files, ", "))
		}
	}
	return found, nil
}

// The namespace of a Shoot in the seed, `shoot--<project>--<name>`, and its name. The project is that of a namespace
// `garden-<project>`, as examples have it.
func technicalID(shoot map[string]any) (string, string, error) {
	object := &unstructured.Unstructured{Object: shoot}
	project, ok := strings.CutPrefix(object.GetNamespace(), "garden-")
	if !ok || object.GetName() == "" {
		return "", "", errors.New("the Shoot needs a name, and a namespace `garden-<project>`")
	}
	return "shoot--" + project + "--" + object.GetName(), object.GetName(), nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"

	"landscape/internal/launch"
)

// Starts the landscape for a person, with the Shoot of the files.
func forPerson(folder string, files []string) error {
	found, err := read(files)
	if err != nil {
		return err
	}
	namespace, name, err := technicalID(found["Shoot"])
	if err != nil {
		return err
	}
	err = hold(folder, func(step string) { fmt.Println("starting", step) }, func(landscape *launch.Landscape) error {
		fmt.Println("applying Shoot", name)
		if err := apply(landscape.Seed, namespace, name, found); err != nil {
			return err
		}
		fmt.Print(instructions(landscape, namespace, name))
		return nil
	}, func(context.Context, *launch.Landscape, []byte) {})
	fmt.Println("the landscape has ended; its logs are in", folder)
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

func instructions(landscape *launch.Landscape, namespace, name string) string {
	var text strings.Builder
	fmt.Fprintf(&text, `
The landscape is ready, and gardenlet's code has created the Infrastructure of the Shoot. Try, in another terminal:

  export KUBECONFIG=%s
  kubectl get infrastructures --all-namespaces
  kubectl --namespace %s describe infrastructure %s
  kubectl get cluster %s --output yaml
  kubectl --namespace %s get infrastructure %s --watch --output-watch-events

Nobody reconciles the Infrastructure until an extension runs with this kubeconfig. To ask for a reconciliation:

  kubectl --namespace %s annotate --overwrite infrastructure %s gardener.cloud/operation=reconcile

The Shoot's own API server: %s

`, landscape.Seed, namespace, name, namespace, namespace, name, namespace, name, landscape.Shoot)
	if _, err := exec.LookPath("kubectl"); err != nil {
		text.WriteString("kubectl is not on the PATH: https://kubernetes.io/docs/tasks/tools/ says how to install it.\n\n")
	}
	text.WriteString("Ctrl-C ends everything.\n")
	return text.String()
}

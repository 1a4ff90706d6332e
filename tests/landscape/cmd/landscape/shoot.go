package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/clientcmd"
)

// How long an extension has to begin with an object before it is said that it does not.
const beginning = 10 * time.Second

// Creates what a Shoot has in the seed, in gardenlet's order, and returns a sentence about how far that has come. Without an
// extension, that is the Infrastructure.
func (g *gardenlet) createShoot(ctx context.Context, extension *extension) (string, error) {
	fmt.Println("applying Shoot", g.name)
	if _, err := g.do(ctx, "Infrastructure", nil, "namespace", "cluster", "cloudprovider", "deploy"); err != nil {
		return "", err
	}
	if extension == nil {
		return "The landscape is ready, and gardenlet's code has created the Infrastructure of the Shoot.", nil
	}
	fmt.Println("waiting, as gardenlet does, until the Infrastructure is ready")
	ready, err := g.do(ctx, "Infrastructure", nil, "wait")
	if err != nil {
		return "", err
	}
	status, _, err := unstructured.NestedMap(ready, "status", "providerStatus")
	if err != nil {
		return "", err
	}
	fmt.Println("giving the control plane access to the API server of the Shoot, and machine-controller-manager to the machines")
	if err := g.prepareControlPlane(ctx, extension); err != nil {
		return "", err
	}
	spec := map[string]any{"spec": map[string]any{"infrastructureProviderStatus": status}}
	var left []string
	for _, kind := range []string{"ControlPlane", "Worker"} {
		fmt.Printf("waiting, as gardenlet does, until the %s is ready\n", kind)
		if _, err := g.do(ctx, kind, spec, "deploy"); err != nil {
			return "", err
		}
		hasBegun, err := g.hasBegun(ctx, kind)
		if err == nil && hasBegun {
			_, err = g.do(ctx, kind, nil, "wait")
		}
		if err != nil {
			return "", err
		}
		if !hasBegun {
			left = append(left, kind)
		}
	}
	if len(left) > 0 {
		return "Trellis has made the network of the Shoot, and gardenlet's code has seen it.\nMissing: nobody reconciles the " +
			strings.Join(left, " and the ") + " of the Shoot.", nil
	}
	return "Trellis has made the network, the control plane and the machines of the Shoot, and gardenlet's code has seen them.", nil
}

// What gardenlet has done before it creates a ControlPlane and a Worker.
func (g *gardenlet) prepareControlPlane(ctx context.Context, extension *extension) error {
	if _, err := g.do(ctx, "ControlPlane", nil, "access", "userData"); err != nil {
		return err
	}
	for _, deployment := range []string{"kube-apiserver", "machine-controller-manager"} {
		if _, err := g.do(ctx, "ControlPlane", map[string]any{"deployment": deployment, "replicas": 1}, "scale"); err != nil {
			return err
		}
	}
	return g.landscape.FollowMachines(ctx, g.namespace, extension.simulator.URL)
}

// Whether an extension soon says anything of an object.
func (g *gardenlet) hasBegun(ctx context.Context, kind string) (bool, error) {
	config, err := clientcmd.BuildConfigFromFlags("", g.landscape.Seed)
	if err != nil {
		return false, err
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return false, err
	}
	for end := time.Now().Add(beginning); time.Now().Before(end) && ctx.Err() == nil; time.Sleep(interval * time.Millisecond) {
		object, err := client.Resource(extensionKinds[kind]).Namespace(g.namespace).Get(ctx, g.name, metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		if lastOperation(object) != "" {
			return true, nil
		}
	}
	return false, nil
}

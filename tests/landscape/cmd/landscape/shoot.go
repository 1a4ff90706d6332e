package main

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

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
	for _, kind := range []string{"ControlPlane", "Worker"} {
		fmt.Printf("waiting, as gardenlet does, until the %s is ready\n", kind)
		if _, err := g.do(ctx, kind, spec, "deploy"); err != nil {
			return "", err
		}
		if _, err := g.do(ctx, kind, nil, "wait"); err != nil {
			return "", err
		}
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

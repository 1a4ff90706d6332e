package main

import (
	"context"
	"fmt"
	"reflect"
	"slices"
)

// A Shoot goes in gardenlet's order. The entry goes after the Shoot, and the bucket with its seed.
func (g *gardenlet) deletion() []step {
	return slices.Concat(
		g.each(g.gone, g.worker, g.controlPlane, g.ingress, g.infrastructure), g.each(g.gone, reversed(g.records())...),
		[]step{{"deleting the namespace " + g.namespace, g.deleteNamespace}},
		g.each(g.gone, g.entry()...), g.each(g.gone, g.bucket()...),
		[]step{{"", g.compareInventories}},
	)
}

// Says whether the cloud has what it had before the Shoot, and nothing else.
func (g *gardenlet) compareInventories(ctx context.Context) error {
	before := g.extension.before
	after, err := g.extension.cloud.inventory(ctx)
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(after, before) {
		return fmt.Errorf("something is left: the simulated cloud had %v before the Shoot, and has %v", before.things(), after.things())
	}
	fmt.Println("\nThe Shoot is gone, and nothing of it is left: the simulated cloud has what it had before it.")
	fmt.Println("The simulated cloud has", after.things())
	fmt.Println("Ctrl-C ends the landscape.")
	return nil
}

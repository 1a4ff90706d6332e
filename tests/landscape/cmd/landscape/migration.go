package main

import (
	"context"
	"maps"
	"slices"
)

// The Shoot leaves the seed as for another one, and comes back to it: for gardenlet's code and the extension the next seed is just one in which nothing is of
// this Shoot. Only the bucket is the same, and so no backup has to be copied.
func (g *gardenlet) migration() []step {
	// A bastion does not move: gardener-controller-manager deletes it, and people ask for another one.
	return slices.Concat(g.each(g.gone, g.bastion), g.counted(slices.Concat(g.departure(), g.arrival()),
		"The Shoot has left the seed and come back."), []step{{"", g.showCloud}})
}

func (g *gardenlet) departure() []step {
	return slices.Concat(
		[]step{{"scaling machine-controller-manager to 0", func(ctx context.Context) error {
			return g.scale(ctx, 0, "machine-controller-manager")
		}}},
		g.each(g.left, g.worker),
		[]step{{"saving the state of the Shoot", func(ctx context.Context) (err error) {
			g.saved, err = g.do(ctx, "saveState", nil)
			return err
		}}},
		g.each(g.gone, g.worker),
		[]step{{"letting go of the machines, which stay in the cloud", func(ctx context.Context) error {
			_, err := g.do(ctx, "forgetMachines", nil)
			return err
		}}},
		g.moved(slices.Concat([]func() object{g.controlPlane, g.infrastructure, g.ingress}, reversed(g.records()))),
		// Its object goes with the migration.
		g.each(g.left, g.entry()...),
		[]step{{"deleting the namespace " + g.namespace, g.deleteNamespace}, saying("The Shoot has left: its namespace is gone, and its machines run on. Now it comes to the seed again.\n")},
	)
}

func (g *gardenlet) arrival() []step {
	return slices.Concat(
		[]step{
			{"applying Shoot " + g.name, g.apply},
			{"", g.follow},
			{"giving the control plane access to the API server of the Shoot", func(ctx context.Context) error {
				for _, command := range []string{"access", "userData"} {
					if _, err := g.do(ctx, command, nil); err != nil {
						return err
					}
				}
				// The extension starts machine-controller-manager once the machines are known again.
				if err := g.scale(ctx, 0, "machine-controller-manager"); err != nil {
					return err
				}
				return g.scale(ctx, 1, "kube-apiserver")
			}},
			{"restoring the Secrets that gardenlet has saved", func(ctx context.Context) error {
				_, err := g.do(ctx, "restoreState", map[string]any{"shootState": g.saved["shootState"]})
				return err
			}},
		},
		g.each(g.restored, g.records()...), g.each(g.restored, g.entry()...),
		g.each(g.restored, g.infrastructure, g.controlPlane, g.worker, g.ingress),
	)
}

// Migrates an object, and waits until the extension has given it up.
func (g *gardenlet) left(object func() object) step {
	return step{"migrating the " + object().title, func(ctx context.Context) error {
		_, err := g.of(ctx, object(), "migrate", "waitMigrate")
		return err
	}}
}

// Migrates objects, and deletes each from the seed.
func (g *gardenlet) moved(objects []func() object) []step {
	var steps []step
	for _, object := range objects {
		steps = append(steps, g.left(object), g.gone(object))
	}
	return steps
}

// Restores an object from the state that gardenlet has saved, and waits until it is ready.
func (g *gardenlet) restored(of func() object) step {
	return g.readyAfter("restore", func() object {
		restored := of()
		restored.state = g.stateOf(restored)
		return restored
	})
}

// What is saved of an object: machines are saved apart, because gardenlet compresses their state.
func (g *gardenlet) stateOf(object object) map[string]any {
	state := map[string]any{}
	if object.kind == "Worker" {
		state["state"] = g.saved["machineState"]
		return state
	}
	saved, _ := g.saved["shootState"].(map[string]any)
	extensions, _ := saved["extensions"].([]any)
	for _, each := range extensions {
		if each, ok := each.(map[string]any); ok && each["kind"] == object.kind && each["name"] == object.name {
			maps.Copy(state, map[string]any{"state": each["state"], "resources": each["resources"]})
		}
	}
	return state
}

func (g *gardenlet) deleteNamespace(ctx context.Context) error {
	if _, err := g.do(ctx, "deleteNamespace", nil); err != nil {
		return err
	}
	return g.landscape.StopMachines(g.namespace)
}

package main

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// The life of the Shoot. Without an extension nobody makes anything of it, and it is short.
func (g *gardenlet) life() []chapter {
	if g.extension == nil {
		return []chapter{{steps: []step{
			{"applying Shoot " + g.name, g.apply},
			{"", func(ctx context.Context) error {
				_, err := g.of(ctx, g.infrastructure(), "deploy")
				return err
			}},
			saying("The landscape is ready, and gardenlet's code has created the Infrastructure of the Shoot."),
		}}}
	}
	return []chapter{
		{"", g.creation()},
		{"ask for a reconcile of everything, as gardenlet does each day", g.dailyReconcile()},
		{"hibernate the Shoot", g.hibernation()},
		{"wake the Shoot up", g.wakeUp()},
		{"migrate the Shoot: it leaves the seed, and comes back with what gardenlet has saved", g.migration()},
		{"delete the Shoot" + g.ifBackup(", and the seed's bucket"), g.deletion()},
	}
}

func (g *gardenlet) creation() []step {
	return slices.Concat(
		[]step{{"applying Shoot " + g.name, g.apply}, {"", g.follow}},
		g.everything(), g.each(g.ready, g.bastion),
		[]step{saying("Trellis has made the network, the control plane and the machines of the Shoot, " + g.ifBackup("its backups, ") + "its records and a bastion,\n" +
			"and gardenlet's code has seen them."), {"", g.showCloud}},
	)
}

func (g *gardenlet) dailyReconcile() []step {
	return g.counted(slices.Concat([]step{{"applying Shoot " + g.name, g.apply}}, g.everything(), g.each(g.ready, g.bastion)),
		"Everything was reconciled again.")
}

// What a Shoot has in the seed before all else.
func (g *gardenlet) apply(ctx context.Context) error {
	for _, command := range []string{"namespace", "cluster"} {
		if _, err := g.do(ctx, command, nil); err != nil {
			return err
		}
	}
	_, err := g.do(ctx, "cloudprovider", map[string]any{"data": g.data})
	return err
}

// Starts what looks after the machines, once the Deployment `machine-controller-manager` wants it.
func (g *gardenlet) follow(ctx context.Context) error {
	return g.landscape.FollowMachines(ctx, g.namespace, g.extension.simulator.URL)
}

// All extension resources of a Shoot that is awake, in gardenlet's order, after the bucket of its seed. Each waits for the one before, so that a person can
// follow; gardenlet makes some side by side.
func (g *gardenlet) everything() []step {
	return slices.Concat(
		g.each(g.ready, g.bucket()...), g.each(g.ready, g.records()...), g.each(g.ready, g.entry()...), g.each(g.ready, g.infrastructure),
		[]step{{"giving the control plane access to the API server of the Shoot, and machine-controller-manager to the machines", g.prepareControlPlane}},
		g.each(g.ready, g.controlPlane, g.worker, g.ingress),
	)
}

// What gardenlet has done before it asks for a ControlPlane and a Worker.
func (g *gardenlet) prepareControlPlane(ctx context.Context) error {
	for _, command := range []string{"access", "userData"} {
		if _, err := g.do(ctx, command, nil); err != nil {
			return err
		}
	}
	return g.scale(ctx, 1, "kube-apiserver", "machine-controller-manager")
}

func (g *gardenlet) scale(ctx context.Context, replicas int, deployments ...string) error {
	for _, deployment := range deployments {
		if _, err := g.do(ctx, "scale", map[string]any{"deployment": deployment, "replicas": replicas}); err != nil {
			return err
		}
	}
	return nil
}

// A step for each of some objects.
func (g *gardenlet) each(of func(func() object) step, objects ...func() object) []step {
	var steps []step
	for _, object := range objects {
		steps = append(steps, of(object))
	}
	return steps
}

// Asks for an object, and waits until it is ready.
func (g *gardenlet) ready(object func() object) step { return g.readyAfter("deploy", object) }

func (g *gardenlet) readyAfter(command string, object func() object) step {
	return step{"waiting, as gardenlet does, until the " + object().title + " is ready", func(ctx context.Context) error {
		if _, err := g.of(ctx, object(), command); err != nil {
			return err
		}
		ready, err := g.of(ctx, object(), "wait")
		if err != nil || object().kind != "Infrastructure" {
			return err
		}
		g.network, _, err = unstructured.NestedMap(ready, "status", "providerStatus")
		return err
	}}
}

// Deletes an object, and waits until it has gone.
func (g *gardenlet) gone(object func() object) step {
	return step{"deleting the " + object().title, func(ctx context.Context) error {
		_, err := g.of(ctx, object(), "destroy", "waitCleanup")
		return err
	}}
}

// A sentence about how far this has come.
func saying(text string) step {
	return step{"\n" + text, func(context.Context) error { return nil }}
}

func (g *gardenlet) showCloud(ctx context.Context) error {
	found, err := g.extension.cloud.inventory(ctx)
	if err == nil {
		fmt.Println("The simulated cloud has", found.things())
	}
	return err
}

// Steps, and what calls they made of the cloud.
func (g *gardenlet) counted(steps []step, done string) []step {
	var before calls
	begin := step{"", func(ctx context.Context) (err error) {
		before, err = g.extension.cloud.calls(ctx)
		return err
	}}
	end := step{"", func(ctx context.Context) error {
		after, err := g.extension.cloud.calls(ctx)
		if err == nil {
			fmt.Printf("\n%s The simulated cloud was called %d times for that.\n%d of these calls changed something in it: %d had before, and %d have now.\n",
				done, after.all-before.all, after.changing-before.changing, before.changing, after.changing)
		}
		return err
	}}
	return slices.Concat([]step{begin}, steps, []step{end})
}

package main

import (
	"context"
	"fmt"
	"slices"
)

// The machines go, then the API server, then its records. The network, the backups and a bastion stay.
func (g *gardenlet) hibernation() []step {
	had := 0
	return slices.Concat(
		[]step{
			{"", func(ctx context.Context) (err error) {
				had, err = g.instances(ctx)
				return err
			}},
			{"applying Shoot " + g.name + ", which hibernates; as long as its API server runs, Trellis looks at the ControlPlane every 2 seconds", func(ctx context.Context) error { return g.applyHibernation(ctx, true) }},
		},
		g.each(g.ready, g.entry()...), g.each(g.ready, g.infrastructure, g.controlPlane, g.worker),
		[]step{{"scaling machine-controller-manager and kube-apiserver to 0", func(ctx context.Context) error {
			return g.scale(ctx, 0, "machine-controller-manager", "kube-apiserver")
		}}},
		g.each(g.gone, g.ingress), g.each(g.gone, reversed(g.records())...),
		[]step{
			{"", func(ctx context.Context) error { return g.sayHibernated(ctx, true) }},
			{"", func(ctx context.Context) error {
				has, err := g.instances(ctx)
				if err == nil {
					fmt.Printf("\nThe Shoot hibernates. The simulated cloud had %d instances and has %d: the machines are gone, and the bastion stays.\n", had, has)
				}
				return err
			}},
			{"", g.showCloud},
		},
	)
}

// The API server comes, and then all else.
func (g *gardenlet) wakeUp() []step {
	return slices.Concat(
		[]step{{"applying Shoot " + g.name + ", which wakes up", func(ctx context.Context) error { return g.applyHibernation(ctx, false) }}},
		g.everything(),
		[]step{
			{"", func(ctx context.Context) error { return g.sayHibernated(ctx, false) }},
			saying("The Shoot is awake, with machines and records again."),
			{"", g.showCloud},
		},
	)
}

func (g *gardenlet) applyHibernation(ctx context.Context, enabled bool) error {
	if err := g.change(enabled, "spec", "hibernation", "enabled"); err != nil {
		return err
	}
	return g.apply(ctx)
}

// What gardenlet writes into the status once a Shoot has fallen asleep or woken up.
func (g *gardenlet) sayHibernated(ctx context.Context, hibernated bool) error {
	if err := g.change(hibernated, "status", "hibernated"); err != nil {
		return err
	}
	return g.apply(ctx)
}

func (g *gardenlet) instances(ctx context.Context) (int, error) {
	found, err := g.extension.cloud.inventory(ctx)
	return found.things()["ecs:instances"], err
}

func reversed[T any](list []T) []T {
	slices.Reverse(list)
	return list
}

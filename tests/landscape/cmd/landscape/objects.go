package main

import (
	"encoding/base64"
	"maps"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/uuid"
)

// Where the account of the example has the domain of its Shoots.
const domain = "example.com"

// An extension resource, as gardenlet's code is asked for it.
type object struct {
	kind, name string
	// What people call it.
	title string
	// What does not follow from the Shoot.
	spec map[string]any
	// What a migration has saved of it, for a restore.
	state map[string]any
}

// The fields of a command. A Bastion is asked for only where gardenlet sees a reason: it takes no order.
func (o object) fields(g *gardenlet) map[string]any {
	fields := map[string]any{
		"kind": o.kind, "name": o.name, "spec": o.spec, "annotateOperation": o.kind != "Bastion",
		"severeThreshold": waits[o.kind].severeThreshold, "timeout": waits[o.kind].timeout,
	}
	switch o.kind {
	case "BackupBucket", "BackupEntry":
		// They are in no namespace.
		fields["namespace"], fields["data"] = "", g.data
	case "DNSRecord":
		fields["data"] = g.data
	}
	maps.Copy(fields, o.state)
	return fields
}

// The bucket of the seed, where that has backups.
func (g *gardenlet) bucket() []func() object {
	return g.ofBackup(func(spec map[string]any) object {
		return object{"BackupBucket", string(identity(g.found["Seed"])), "BackupBucket of the seed", spec, nil}
	})
}

// The entry of the Shoot in that bucket.
func (g *gardenlet) entry() []func() object {
	return g.ofBackup(func(spec map[string]any) object {
		delete(spec, "providerConfig")
		spec["bucketName"] = string(identity(g.found["Seed"]))
		return object{"BackupEntry", g.namespace + "--" + string(identity(g.found["Shoot"])), "BackupEntry of the Shoot", spec, nil}
	})
}

// A text where the seed has backups.
func (g *gardenlet) ifBackup(text string) string {
	if len(g.bucket()) == 0 {
		return ""
	}
	return text
}

func (g *gardenlet) ofBackup(of func(map[string]any) object) []func() object {
	backup, isThere, _ := unstructured.NestedMap(g.found["Seed"], "spec", "backup")
	if !isThere {
		return nil
	}
	return []func() object{func() object {
		return of(map[string]any{"type": backup["provider"], "region": backup["region"], "providerConfig": backup["providerConfig"]})
	}}
}

// The records for the API server, which come before it.
func (g *gardenlet) records() []func() object {
	return []func() object{
		func() object { return g.record("internal", "api", g.name, g.project(), "internal") },
		func() object { return g.record("external", "api", g.name, g.project()) },
	}
}

// The record for what runs in the Shoot, which comes after its machines.
func (g *gardenlet) ingress() object { return g.record("ingress", "*", "ingress", g.name, g.project()) }

// Nothing answers at the addresses: they are for documentation.
func (g *gardenlet) record(purpose string, labels ...string) object {
	address := map[string]string{"internal": "198.51.100.4", "external": "198.51.100.4", "ingress": "198.51.100.5"}[purpose]
	return object{"DNSRecord", g.name + "-" + purpose, purpose + " DNSRecord", map[string]any{
		"type": "alicloud-dns", "dnsName": strings.Join(append(labels, domain), "."), "values": []any{address},
	}, nil}
}

// The name of the Project, which a technical id has in the middle.
func (g *gardenlet) project() string {
	return strings.TrimSuffix(strings.TrimPrefix(g.namespace, "shoot--"), "--"+g.name)
}

func (g *gardenlet) infrastructure() object {
	return object{"Infrastructure", g.name, "Infrastructure", nil, nil}
}
func (g *gardenlet) controlPlane() object {
	return object{"ControlPlane", g.name, "ControlPlane", g.inNetwork(), nil}
}
func (g *gardenlet) worker() object { return object{"Worker", g.name, "Worker", g.inNetwork(), nil} }

func (g *gardenlet) inNetwork() map[string]any {
	return map[string]any{"infrastructureProviderStatus": g.network}
}

// What a person has asked for, who connects from an office.
func (g *gardenlet) bastion() object {
	return object{"Bastion", "of-a-person", "Bastion of a person", map[string]any{
		"sshPublicKey": base64.StdEncoding.EncodeToString([]byte("ssh-rsa AAAA of a person")), "ingress": []any{"192.0.2.0/24"},
	}, nil}
}

// Gives the Shoot and the seed of the files what gardener-apiserver would have given them.
func identify(found map[string]map[string]any, namespace string) error {
	for _, kind := range []string{"Shoot", "Seed"} {
		if object := found[kind]; object != nil {
			(&unstructured.Unstructured{Object: object}).SetUID(uuid.NewUUID())
		}
	}
	return unstructured.SetNestedField(found["Shoot"], namespace, "status", "technicalID")
}

func identity(found map[string]any) types.UID {
	return (&unstructured.Unstructured{Object: found}).GetUID()
}

package landscape_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	core "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var (
	machineClasses     = resource("machine.sapcloud.io", "v1alpha1", "machineclasses")
	machineDeployments = resource("machine.sapcloud.io", "v1alpha1", "machinedeployments")
	machines           = resource("machine.sapcloud.io", "v1alpha1", "machines")
)

// A pool of machines in one zone, as an extension writes it.
type pool struct {
	t                                             *testing.T
	namespace, name, vswitch, group, instanceType string
}

// Creates a class with its Secret.
func (p *pool) class(name string) {
	p.t.Helper()
	client, ctx := seedClient(p.t), context.Background()
	for _, object := range []*unstructured.Unstructured{
		{Object: fields{
			"apiVersion": "v1", "kind": "Secret", "type": "Opaque",
			"metadata":   fields{"name": name, "namespace": p.namespace, "labels": fields{"gardener.cloud/purpose": "machineclass"}},
			"stringData": fields{"userData": "#!/bin/sh"},
		}},
		{Object: fields{
			"apiVersion": "machine.sapcloud.io/v1alpha1", "kind": "MachineClass",
			"metadata":             fields{"name": name, "namespace": p.namespace},
			"provider":             "Alicloud",
			"secretRef":            fields{"name": name, "namespace": p.namespace},
			"credentialsSecretRef": fields{"name": "cloudprovider", "namespace": p.namespace},
			"providerSpec": fields{
				"imageID": "aliyun_3_x64_20G_alibase_20240819.vhd", "instanceType": p.instanceType, "region": region, "zoneID": zone,
				"securityGroupID": p.group, "vSwitchID": p.vswitch,
				"systemDisk":         fields{"category": "cloud_essd", "size": 50},
				"dataDisks":          []any{fields{"name": "data", "size": 30, "deleteWithInstance": true, "category": "cloud_essd", "encrypted": true}},
				"instanceChargeType": "PostPaid", "internetChargeType": "PayByTraffic", "internetMaxBandwidthIn": 5, "spotStrategy": "NoSpot",
				"keyPairName": nil,
				"tags":        fields{"kubernetes.io/cluster/" + p.namespace: "1", "kubernetes.io/role/worker/" + p.namespace: "1"},
			},
		}},
	} {
		resource := map[string]schema.GroupVersionResource{"Secret": secrets, "MachineClass": machineClasses}[object.GetKind()]
		_, err := client.Resource(resource).Namespace(p.namespace).Create(ctx, object, metav1.CreateOptions{})
		if err != nil {
			p.t.Fatal(err)
		}
	}
}

// Creates the MachineDeployment, or changes it.
func (p *pool) deploy(class string, replicas int) {
	p.t.Helper()
	object := &unstructured.Unstructured{Object: fields{
		"apiVersion": "machine.sapcloud.io/v1alpha1", "kind": "MachineDeployment",
		"metadata": fields{"name": p.name, "namespace": p.namespace},
		"spec": fields{
			"replicas": replicas, "minReadySeconds": 500, "revisionHistoryLimit": 0,
			"strategy": fields{"type": "RollingUpdate", "rollingUpdate": fields{"maxSurge": 1, "maxUnavailable": 0}},
			"selector": fields{"matchLabels": fields{"name": p.name}},
			"template": fields{
				"metadata": fields{"labels": fields{"name": p.name}},
				"spec": fields{
					"class":        fields{"kind": "MachineClass", "name": class},
					"nodeTemplate": fields{"metadata": fields{"labels": fields{"worker.gardener.cloud/pool": "pool"}}},
				},
			},
		},
	}}
	_, err := seedClient(p.t).Resource(machineDeployments).Namespace(p.namespace).
		Apply(context.Background(), p.name, object, metav1.ApplyOptions{FieldManager: "test"})
	if err != nil {
		p.t.Fatal(err)
	}
}

// How many machines the MachineDeployment has that are available, and whether that is all there is of it, and new.
func (p *pool) available() (int64, bool) {
	p.t.Helper()
	object, err := seedClient(p.t).Resource(machineDeployments).Namespace(p.namespace).Get(context.Background(), p.name, metav1.GetOptions{})
	if err != nil {
		p.t.Fatal(err)
	}
	number := func(path ...string) int64 {
		value, _, _ := unstructured.NestedInt64(object.Object, path...)
		return value
	}
	all := number("spec", "replicas")
	is := number("status", "observedGeneration") == object.GetGeneration()
	for _, each := range []string{"replicas", "updatedReplicas", "availableReplicas"} {
		is = is && number("status", each) == all
	}
	return number("status", "availableReplicas"), is
}

// Deletes the MachineDeployment, and then the classes.
func (p *pool) delete() {
	p.t.Helper()
	client := seedClient(p.t)
	for _, resource := range []schema.GroupVersionResource{machineDeployments, machineClasses} {
		if err := client.Resource(resource).Namespace(p.namespace).DeleteCollection(context.Background(), metav1.DeleteOptions{}, metav1.ListOptions{}); err != nil {
			p.t.Fatal(err)
		}
		eventually(p.t, resource.Resource+" have gone", func() bool {
			list, err := client.Resource(resource).Namespace(p.namespace).List(context.Background(), metav1.ListOptions{})
			return err == nil && len(list.Items) == 0
		})
	}
}

func (p *pool) nodes() map[string]core.Node {
	p.t.Helper()
	list, err := clientOf(p.t, shared.Shoot).CoreV1().Nodes().List(context.Background(), metav1.ListOptions{LabelSelector: "worker.gardener.cloud/pool=pool"})
	if err != nil {
		p.t.Fatal(err)
	}
	found := map[string]core.Node{}
	for _, node := range list.Items {
		found[node.Name] = node
	}
	return found
}

func TestMachinesLiveInTheCloudAndRoll(t *testing.T) {
	const namespace = "shoot--dev--machines"
	driver, cloud := startDriver(t), startCloud(t)
	driver.prepare(namespace)
	driver.do("cloudprovider", fields{"namespace": namespace, "data": fields{"accessKeyID": key.ID, "accessKeySecret": key.Secret}})
	of := &pool{t: t, namespace: namespace, name: namespace + "-pool-z1", instanceType: "ecs.g7.large"}
	of.vswitch, of.group = cloud.network()

	event := send(t, fmt.Sprintf(`{"command":"machines","namespace":%q,"endpoint":%q}`, namespace, cloud.url), "machinesStarted")
	for _, program := range []string{"machine-controller-manager", "machine-driver"} {
		if !alive(event.PIDs[namespace+"-"+program]) {
			t.Errorf("%s does not run: %v", program, event.PIDs)
		}
	}
	again := send(t, fmt.Sprintf(`{"command":"machines","namespace":%q,"endpoint":%q}`, namespace, cloud.url), "refused")
	if !strings.Contains(again.Message, "already") {
		t.Errorf("%+v", again)
	}

	first, second := of.name+"-11111", of.name+"-22222"
	of.class(first)
	of.deploy(first, 2)
	eventually(t, "two machines are available", func() bool { _, is := of.available(); return is })
	list, err := seedClient(t).Resource(machines).Namespace(namespace).List(context.Background(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	running, nodes := cloud.instances(), of.nodes()
	if len(list.Items) != 2 || len(running) != 2 || len(nodes) != 2 {
		t.Fatalf("%d machines, instances %v, %d nodes", len(list.Items), running, len(nodes))
	}
	for _, machine := range list.Items {
		eventually(t, "an instance of machine "+machine.GetName()+" runs", func() bool { return cloud.instances()[machine.GetName()] == "Running" })
		id, _, _ := unstructured.NestedString(machine.Object, "spec", "providerID")
		if node, ok := nodes[machine.GetLabels()["node"]]; !ok || node.Spec.ProviderID != id || !strings.HasPrefix(id, region+".i-") {
			t.Errorf("machine %s with id %q has no such node: %v", machine.GetName(), id, node.Spec)
		}
	}

	state, _ := driver.do("saveState", fields{"namespace": namespace})["machineState"].(fields)
	if text, _ := state["state"].(string); text == "" {
		t.Errorf("the machines have no state: %v", state)
	}

	of.class(second)
	of.deploy(second, 2)
	for end := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
		available, is := of.available()
		// An instance that is being deleted no longer counts.
		count := 0
		for _, status := range cloud.instances() {
			if status != "Stopping" {
				count++
			}
		}
		if available < 2 || count > 3 {
			t.Fatalf("%d machines are available, and %d instances are there", available, count)
		}
		if is && len(of.nodes()) == 2 && len(cloud.instances()) == 2 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("not rolled: %d available, instances %v", available, cloud.instances())
		}
	}
	for name := range cloud.instances() {
		if _, ok := running[name]; ok {
			t.Errorf("%s is an old machine", name)
		}
	}

	event = send(t, fmt.Sprintf(`{"command":"stopMachines","namespace":%q}`, namespace), "machinesStopped")
	if len(event.PIDs) != len(shared.PIDs) {
		t.Errorf("%v", event.PIDs)
	}
	send(t, fmt.Sprintf(`{"command":"stopMachines","namespace":%q}`, namespace), "refused")
	driver.do("forgetMachines", fields{"namespace": namespace})
	list, err = seedClient(t).Resource(machines).Namespace(namespace).List(context.Background(), metav1.ListOptions{})
	if err != nil || len(list.Items) != 0 {
		t.Errorf("%v: machines are left: %v", err, list.Items)
	}
	if len(cloud.instances()) != 2 || len(of.nodes()) != 2 {
		t.Errorf("what a seed forgets has gone: instances %v, %d nodes", cloud.instances(), len(of.nodes()))
	}

	// The orphans of a cluster that has machines again go.
	send(t, fmt.Sprintf(`{"command":"machines","namespace":%q,"endpoint":%q}`, namespace, cloud.url), "machinesStarted")
	of.class(first)
	of.deploy(first, 1)
	eventually(t, "one machine is available, and the others have gone", func() bool {
		_, is := of.available()
		return is && len(cloud.instances()) == 1
	})
	of.deploy(first, 0)
	eventually(t, "no machine and no instance is left", func() bool {
		_, is := of.available()
		return is && len(cloud.instances()) == 0
	})
	for name := range of.nodes() {
		if err := clientOf(t, shared.Shoot).CoreV1().Nodes().Delete(context.Background(), name, metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	of.delete()
	send(t, fmt.Sprintf(`{"command":"stopMachines","namespace":%q}`, namespace), "machinesStopped")
	driver.clean(namespace)
}

func TestWhatTheCloudSaysOfAMachineIsInItsMachineDeployment(t *testing.T) {
	const namespace = "shoot--dev--refused"
	driver, cloud := startDriver(t), startCloud(t)
	driver.prepare(namespace)
	driver.do("cloudprovider", fields{"namespace": namespace, "data": fields{"accessKeyID": key.ID, "accessKeySecret": key.Secret}})
	of := &pool{t: t, namespace: namespace, name: namespace + "-pool-z1", instanceType: "ecs.unheard-of"}
	of.vswitch, of.group = cloud.network()
	send(t, fmt.Sprintf(`{"command":"machines","namespace":%q,"endpoint":%q}`, namespace, cloud.url), "machinesStarted")
	of.class(of.name + "-11111")
	of.deploy(of.name+"-11111", 1)
	eventually(t, "the machine has failed", func() bool {
		object, err := seedClient(t).Resource(machineDeployments).Namespace(namespace).Get(context.Background(), of.name, metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		failed, _, _ := unstructured.NestedSlice(object.Object, "status", "failedMachines")
		if len(failed) != 1 {
			return false
		}
		text, _, _ := unstructured.NestedString(failed[0].(fields), "lastOperation", "description")
		return strings.Contains(text, "InvalidInstanceType.ValueNotSupported")
	})
	of.delete()
	send(t, fmt.Sprintf(`{"command":"stopMachines","namespace":%q}`, namespace), "machinesStopped")
	driver.clean(namespace)
}

func TestMachinesAreLookedAfterWhileTheDeploymentHasReplicas(t *testing.T) {
	const namespace = "shoot--dev--followed"
	driver := startDriver(t)
	driver.prepare(namespace)
	// Nobody calls a cloud where there are no machines.
	send(t, fmt.Sprintf(`{"command":"machines","namespace":%q,"endpoint":"http://127.0.0.1:1","follow":true}`, namespace), "machinesStarted")
	send(t, fmt.Sprintf(`{"command":"machines","namespace":%q,"endpoint":"http://127.0.0.1:1"}`, namespace), "refused")
	log := filepath.Join(filepath.Dir(shared.Seed), namespace+"-machine-driver.log")
	// The process that has written the last line of the log, if it lives.
	running := func() bool {
		text, err := os.ReadFile(log)
		if err != nil {
			return false
		}
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		var day, hour string
		var pid int
		_, err = fmt.Sscan(lines[len(lines)-1], &day, &hour, &pid)
		return err == nil && alive(pid)
	}
	for _, replicas := range []int{1, 0, 1} {
		driver.do("scale", fields{"namespace": namespace, "deployment": "machine-controller-manager", "replicas": replicas})
		eventually(t, fmt.Sprintf("the driver runs with %d replicas, or does not", replicas), func() bool { return running() == (replicas > 0) })
	}
	event := send(t, fmt.Sprintf(`{"command":"stopMachines","namespace":%q}`, namespace), "machinesStopped")
	if len(event.PIDs) != len(shared.PIDs) {
		t.Errorf("%v", event.PIDs)
	}
	driver.clean(namespace)
}

package landscape_test

import (
	"context"
	"fmt"
	"testing"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

var managedResources = resource("resources.gardener.cloud", "v1alpha1", "managedresources")

const deploymentText = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: %[1]s, namespace: %[2]s}
spec:
  replicas: %[3]d
  selector: {matchLabels: {app: %[1]s}}
  template:
    metadata: {labels: {app: %[1]s}, annotations: {version: %[4]q}}
    spec:
      priorityClassName: gardener-system-300
      containers: [{name: one, image: none}]
`

// Creates a ManagedResource, or gives it another manifest.
func manage(t *testing.T, namespace, name, class, manifest string) {
	t.Helper()
	ctx, client := context.Background(), seedClient(t)
	secret := &unstructured.Unstructured{Object: fields{
		"apiVersion": "v1", "kind": "Secret", "metadata": fields{"name": name, "namespace": namespace},
		"stringData": fields{"manifest.yaml": manifest},
	}}
	spec := fields{"secretRefs": []any{fields{"name": name}}}
	if class != "" {
		spec["class"] = class
	}
	resource := &unstructured.Unstructured{Object: fields{
		"apiVersion": "resources.gardener.cloud/v1alpha1", "kind": "ManagedResource",
		"metadata": fields{"name": name, "namespace": namespace}, "spec": spec,
	}}
	for _, err := range []error{
		second(client.Resource(secrets).Namespace(namespace).Apply(ctx, name, secret, metav1.ApplyOptions{FieldManager: "test"})),
		second(client.Resource(managedResources).Namespace(namespace).Apply(ctx, name, resource, metav1.ApplyOptions{FieldManager: "test"})),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// Whether all three conditions of a ManagedResource are good for its present generation.
func isGood(t *testing.T, namespace, name string) bool {
	t.Helper()
	object, err := seedClient(t).Resource(managedResources).Namespace(namespace).Get(context.Background(), name, metav1.GetOptions{})
	if err != nil {
		return false
	}
	observed, _, _ := unstructured.NestedInt64(object.Object, "status", "observedGeneration")
	conditions, _, _ := unstructured.NestedSlice(object.Object, "status", "conditions")
	good := map[string]string{"ResourcesApplied": "True", "ResourcesHealthy": "True", "ResourcesProgressing": "False"}
	for _, each := range conditions {
		condition := each.(fields)
		if name := condition["type"].(string); good[name] == condition["status"] {
			delete(good, name)
		}
	}
	return observed == object.GetGeneration() && len(good) == 0
}

func TestAManagedResourceIsAppliedIntoTheClusterOfItsClass(t *testing.T) {
	const namespace = "shoot--dev--managed"
	ctx, driver := context.Background(), startDriver(t)
	driver.prepare(namespace)
	for _, test := range []struct {
		name, class, into, kubeconfig, other string
	}{
		{"in-seed", "seed", namespace, shared.Seed, shared.Shoot},
		{"in-shoot", "", "kube-system", shared.Shoot, shared.Seed},
	} {
		deployments := clientOf(t, test.kubeconfig).AppsV1().Deployments(test.into)
		manage(t, namespace, test.name, test.class, fmt.Sprintf(deploymentText, test.name, test.into, 2, "1"))
		eventually(t, test.name+" is applied, healthy and rolled out", func() bool { return isGood(t, namespace, test.name) })
		if _, err := deployments.Get(ctx, test.name, metav1.GetOptions{}); err != nil {
			t.Error(err)
		}
		_, err := clientOf(t, test.other).AppsV1().Deployments(test.into).Get(ctx, test.name, metav1.GetOptions{})
		if !errors.IsNotFound(err) {
			t.Errorf("%s: the other cluster has it too: %v", test.name, err)
		}
		if err := seedClient(t).Resource(managedResources).Namespace(namespace).Delete(ctx, test.name, metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		eventually(t, "what the ManagedResource had has gone with it", func() bool {
			_, err := deployments.Get(ctx, test.name, metav1.GetOptions{})
			return errors.IsNotFound(err)
		})
	}
	driver.clean(namespace)
}

func TestTheKindsOfAControlPlaneAreServedInTheSeed(t *testing.T) {
	for _, kind := range []struct{ group, version, resource string }{
		{"autoscaling.k8s.io", "v1", "verticalpodautoscalers"},
		{"monitoring.coreos.com", "v1", "servicemonitors"},
		{"monitoring.coreos.com", "v1", "prometheusrules"},
		{"monitoring.coreos.com", "v1", "podmonitors"},
		{"monitoring.coreos.com", "v1alpha1", "scrapeconfigs"},
	} {
		_, err := seedClient(t).Resource(resource(kind.group, kind.version, kind.resource)).List(context.Background(), metav1.ListOptions{})
		if err != nil {
			t.Errorf("%s: %v", kind.resource, err)
		}
	}
}

func TestOtherPodsComeWhereAndOnlyWhereAPodTemplateChanges(t *testing.T) {
	ctx, client := context.Background(), clientOf(t, shared.Seed)
	pods := func() map[types.UID]bool {
		list, err := client.CoreV1().Pods("default").List(ctx, metav1.ListOptions{LabelSelector: "app=rolls"})
		if err != nil {
			t.Fatal(err)
		}
		found := map[types.UID]bool{}
		for _, pod := range list.Items {
			found[pod.UID] = true
		}
		return found
	}
	labels := map[string]string{"app": "rolls"}
	three, five := int32(3), int32(5)
	made, err := client.AppsV1().Deployments("default").Create(ctx, &apps.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "rolls"},
		Spec: apps.DeploymentSpec{
			Replicas: &three,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: core.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       core.PodSpec{Containers: []core.Container{{Name: "one", Image: "none"}}},
			},
		},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the Deployment has its Pods", func() bool { return len(pods()) == 3 })
	before := pods()
	patch := func(text string) {
		if _, err := client.AppsV1().Deployments("default").Patch(ctx, "rolls", types.MergePatchType, []byte(text), metav1.PatchOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	patch(fmt.Sprintf(`{"spec":{"replicas":%d}}`, five))
	eventually(t, "two more Pods come", func() bool { return len(pods()) == 5 })
	for id := range before {
		if !pods()[id] {
			t.Error("a Pod was replaced for a change of the replicas")
		}
	}
	before = pods()
	patch(`{"spec":{"template":{"metadata":{"annotations":{"version":"2"}}}}}`)
	eventually(t, "all Pods are others", func() bool {
		for id := range pods() {
			if before[id] {
				return false
			}
		}
		return len(pods()) == 5
	})
	if err := client.AppsV1().Deployments("default").Delete(ctx, made.Name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the Pods go with the Deployment", func() bool { return len(pods()) == 0 })
}

func TestAShootAccessSecretGetsATokenOfAServiceAccountInTheShoot(t *testing.T) {
	const namespace, account = "shoot--dev--access", "csi-controller"
	ctx, driver := context.Background(), startDriver(t)
	driver.prepare(namespace)
	client := clientOf(t, shared.Seed).CoreV1().Secrets(namespace)
	_, err := client.Create(ctx, &core.Secret{ObjectMeta: metav1.ObjectMeta{
		Name:   "shoot-access-" + account,
		Labels: map[string]string{"resources.gardener.cloud/purpose": "token-requestor", "resources.gardener.cloud/class": "shoot"},
		Annotations: map[string]string{
			"serviceaccount.resources.gardener.cloud/name":      account,
			"serviceaccount.resources.gardener.cloud/namespace": "kube-system",
		},
	}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var token string
	eventually(t, "the Secret has a token", func() bool {
		secret, err := client.Get(ctx, "shoot-access-"+account, metav1.GetOptions{})
		if err != nil {
			return false
		}
		token = string(secret.Data["token"])
		return token != ""
	})
	if _, err := clientOf(t, shared.Shoot).CoreV1().ServiceAccounts("kube-system").Get(ctx, account, metav1.GetOptions{}); err != nil {
		t.Error(err)
	}
	config, err := clientcmd.BuildConfigFromFlags("", shared.Shoot)
	if err != nil {
		t.Fatal(err)
	}
	config = rest.AnonymousClientConfig(config)
	config.BearerToken = token
	if user := whoAmI(t, config); user != "system:serviceaccount:kube-system:"+account {
		t.Errorf("the Shoot takes the token for %q", user)
	}
	driver.clean(namespace)
}

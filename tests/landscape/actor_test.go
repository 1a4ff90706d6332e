package landscape_test

import (
	"context"
	"net/http"
	"testing"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

func clientOf(t *testing.T, kubeconfig string) kubernetes.Interface {
	t.Helper()
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func TestBothClustersAreReadyAndApart(t *testing.T) {
	for name, kubeconfig := range map[string]string{"seed": shared.Seed, "shoot": shared.Shoot} {
		var status int
		clientOf(t, kubeconfig).Discovery().RESTClient().Get().AbsPath("/readyz").Do(context.Background()).StatusCode(&status)
		if status != http.StatusOK {
			t.Errorf("%s: /readyz answers %d", name, status)
		}
	}
	ctx, only := context.Background(), &core.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "only-in-the-shoot"}}
	if _, err := clientOf(t, shared.Shoot).CoreV1().Namespaces().Create(ctx, only, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	_, err := clientOf(t, shared.Seed).CoreV1().Namespaces().Get(ctx, only.Name, metav1.GetOptions{})
	if !errors.IsNotFound(err) {
		t.Errorf("the seed has what was created in the Shoot: %v", err)
	}
}

func TestADeploymentBecomesAvailableAndFollowsItsReplicas(t *testing.T) {
	ctx, client := context.Background(), clientOf(t, shared.Seed).AppsV1().Deployments("default")
	labels := map[string]string{"app": "one"}
	deployment := &apps.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "one"},
		Spec: apps.DeploymentSpec{
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: core.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       core.PodSpec{Containers: []core.Container{{Name: "one", Image: "none"}}},
			},
		},
	}
	if _, err := client.Create(ctx, deployment, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, replicas := range []int32{1, 3, 0} {
		eventually(t, "the Deployment takes its replicas", func() bool {
			now, err := client.Get(ctx, "one", metav1.GetOptions{})
			if err != nil {
				return false
			}
			now.Spec.Replicas = &replicas
			_, err = client.Update(ctx, now, metav1.UpdateOptions{})
			return err == nil
		})
		eventually(t, "the Deployment is available", func() bool {
			now, err := client.Get(ctx, "one", metav1.GetOptions{})
			return err == nil && now.Status.ObservedGeneration == now.Generation &&
				now.Status.AvailableReplicas == replicas && len(now.Status.Conditions) == 2
		})
	}
}

func TestANodeBecomesReady(t *testing.T) {
	ctx, client := context.Background(), clientOf(t, shared.Shoot).CoreV1().Nodes()
	if _, err := client.Create(ctx, &core.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-1"}}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the Node is ready", func() bool {
		node, err := client.Get(ctx, "node-1", metav1.GetOptions{})
		if err != nil {
			return false
		}
		for _, condition := range node.Status.Conditions {
			if condition.Type == core.NodeReady {
				return condition.Status == core.ConditionTrue
			}
		}
		return false
	})
}

func configMap(name string, owners ...*core.ConfigMap) *core.ConfigMap {
	made := &core.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}
	for _, owner := range owners {
		blocks := true
		made.OwnerReferences = append(made.OwnerReferences, metav1.OwnerReference{
			APIVersion: "v1", Kind: "ConfigMap", Name: owner.Name, UID: owner.UID, BlockOwnerDeletion: &blocks,
		})
	}
	return made
}

func TestObjectsGoWithTheirLastOwner(t *testing.T) {
	ctx, client := context.Background(), clientOf(t, shared.Seed).CoreV1().ConfigMaps("default")
	create := func(object *core.ConfigMap) *core.ConfigMap {
		made, err := client.Create(ctx, object, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	exists := func(name string) bool {
		_, err := client.Get(ctx, name, metav1.GetOptions{})
		return !errors.IsNotFound(err)
	}
	first, second := create(configMap("first")), create(configMap("second"))
	create(configMap("of-first", first))
	create(configMap("of-both", first, second))
	if err := client.Delete(ctx, "first", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "what only the first owned has gone", func() bool { return !exists("of-first") })
	if !exists("of-both") {
		t.Error("an object went though one of its owners is there")
	}
	foreground := metav1.DeletePropagationForeground
	if err := client.Delete(ctx, "second", metav1.DeleteOptions{PropagationPolicy: &foreground}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "a foreground deletion ends", func() bool { return !exists("second") && !exists("of-both") })
}

func TestADeletedNamespaceWaitsForFinalizersAndGoes(t *testing.T) {
	ctx, client := context.Background(), clientOf(t, shared.Seed)
	namespace := &core.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "ends"}}
	if _, err := client.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	maps := client.CoreV1().ConfigMaps("ends")
	held := &core.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "held", Finalizers: []string{"example.com/held"}}}
	for _, object := range []*core.ConfigMap{held, configMap("free")} {
		if _, err := maps.Create(ctx, object, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := client.CoreV1().Namespaces().Delete(ctx, "ends", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "what nothing holds has gone", func() bool {
		_, err := maps.Get(ctx, "free", metav1.GetOptions{})
		return errors.IsNotFound(err)
	})
	now, err := maps.Get(ctx, "held", metav1.GetOptions{})
	if err != nil {
		t.Fatalf("an object went in spite of its finalizer: %v", err)
	}
	now.Finalizers = nil
	if _, err := maps.Update(ctx, now, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the namespace has gone", func() bool {
		_, err := client.CoreV1().Namespaces().Get(ctx, "ends", metav1.GetOptions{})
		return errors.IsNotFound(err)
	})
}

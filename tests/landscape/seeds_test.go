package landscape_test

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"

	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// A Shoot moves from one seed to another: both have its API server.
func TestTwoSeedsShareAShoot(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "second")
	command := exec.Command(launcher(), "start", folder, shared.Shoot)
	_, _, second := startLandscape(t, command)
	if _, ok := second.PIDs["shoot-apiserver"]; ok || len(second.PIDs) != 4 {
		t.Errorf("%v", second.PIDs)
	}

	const namespace = "shoot--dev--moves"
	first := shared.Seed
	t.Cleanup(func() { shared.Seed = first })
	deployments := clientOf(t, shared.Shoot).AppsV1().Deployments("kube-system")
	var uids []string
	for _, seed := range []string{first, second.Seed} {
		shared.Seed = seed
		driver := startDriver(t)
		driver.prepare(namespace)
		manage(t, namespace, "moves", "", fmt.Sprintf(deploymentText, "moves", "kube-system", 1, "1"))
		eventually(t, "the ManagedResource is applied", func() bool { return isGood(t, namespace, "moves") })
		deployment, err := deployments.Get(context.Background(), "moves", metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		uids = append(uids, string(deployment.UID))
		if seed == first {
			// It leaves its objects in the Shoot, as in a migration.
			_, err := seedClient(t).Resource(managedResources).Namespace(namespace).Apply(context.Background(), "moves", &unstructured.Unstructured{Object: fields{
				"apiVersion": "resources.gardener.cloud/v1alpha1", "kind": "ManagedResource",
				"metadata": fields{"name": "moves", "namespace": namespace}, "spec": fields{"keepObjects": true},
			}}, metav1.ApplyOptions{FieldManager: "keeps"})
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := seedClient(t).Resource(managedResources).Namespace(namespace).Delete(context.Background(), "moves", metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		driver.clean(namespace)
	}
	if uids[0] != uids[1] {
		t.Error("the second seed has another object in the Shoot")
	}
	eventually(t, "what the second seed has had in the Shoot has gone", func() bool {
		_, err := deployments.Get(context.Background(), "moves", metav1.GetOptions{})
		return errors.IsNotFound(err)
	})
}

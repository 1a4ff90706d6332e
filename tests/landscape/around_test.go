package landscape_test

import (
	"context"
	"strings"
	"testing"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/clientcmd"
)

func secret(t *testing.T, namespace, name string) *core.Secret {
	t.Helper()
	found, err := clientOf(t, shared.Seed).CoreV1().Secrets(namespace).Get(context.Background(), name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestANamespaceGetsAccessToTheShoot(t *testing.T) {
	const namespace = "shoot--dev--granted"
	driver := startDriver(t)
	driver.prepare(namespace)
	name := driver.do("access", of(namespace))["genericKubeconfig"].(string)
	cluster, err := seedClient(t).Resource(clusters).Get(context.Background(), namespace, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if said := cluster.GetAnnotations()["generic-token-kubeconfig.secret.gardener.cloud/name"]; said != name {
		t.Errorf("the Cluster says %q, the answer %q", said, name)
	}
	generic, err := clientcmd.Load(secret(t, namespace, name).Data["kubeconfig"])
	if err != nil {
		t.Fatal(err)
	}
	shoot, err := clientcmd.BuildConfigFromFlags("", shared.Shoot)
	if err != nil {
		t.Fatal(err)
	}
	host, token := generic.Clusters[namespace].Server, generic.AuthInfos[namespace].TokenFile
	if host != shoot.Host || token != "/var/run/secrets/gardener.cloud/shoot/generic-kubeconfig/token" {
		t.Errorf("host %s, token in %q", host, token)
	}
	for _, name := range []string{"gardener", "gardener-internal"} {
		config, err := clientcmd.RESTConfigFromKubeConfig(secret(t, namespace, name).Data["kubeconfig"])
		if err != nil {
			t.Fatal(err)
		}
		if user := whoAmI(t, config); user != "system:serviceaccount:kube-system:"+name {
			t.Errorf("%s: the Shoot takes it for %q", name, user)
		}
	}
	driver.clean(namespace)
}

func TestTheDeploymentsOfGardenletScale(t *testing.T) {
	const namespace = "shoot--dev--scaled"
	driver, client := startDriver(t), clientOf(t, shared.Seed).AppsV1().Deployments(namespace)
	driver.prepare(namespace)
	for name, label := range map[string]string{"kube-apiserver": "apiserver", "machine-controller-manager": "machine-controller-manager"} {
		for _, replicas := range []int32{1, 0, 1} {
			driver.do("scale", fields{"namespace": namespace, "deployment": name, "replicas": replicas})
			deployment, err := client.Get(context.Background(), name, metav1.GetOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if *deployment.Spec.Replicas != replicas || deployment.Labels["role"] != label || deployment.Labels["gardener.cloud/role"] != "controlplane" {
				t.Errorf("%s has %d replicas and labels %v", name, *deployment.Spec.Replicas, deployment.Labels)
			}
			eventually(t, "the Deployment is observed", func() bool {
				now, err := client.Get(context.Background(), name, metav1.GetOptions{})
				return err == nil && now.Status.ObservedGeneration == now.Generation && now.Status.AvailableReplicas == replicas
			})
		}
	}
	got := driver.send("scale", fields{"namespace": namespace, "deployment": "etcd", "replicas": 1})
	if got.Error == nil || !strings.Contains(got.Error.Message, `no Deployment "etcd"`) {
		t.Errorf("%+v", got.Error)
	}
	driver.clean(namespace)
}

func TestTheUserDataThatAWorkerNamesExists(t *testing.T) {
	const namespace = "shoot--dev--userdata"
	driver := startDriver(t)
	driver.prepare(namespace)
	shoot, profile := shootWithPool()
	names := driver.do("userData", fields{"namespace": namespace, "shoot": shoot, "data": fields{"cloud_config": "text"}})["secrets"].(fields)
	driver.do("deploy", with(of(namespace), fields{"kind": "Worker", "shoot": shoot, "cloudProfile": profile}))
	object, err := seedClient(t).Resource(workers).Namespace(namespace).Get(context.Background(), "one", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	pools, _, _ := unstructured.NestedSlice(object.Object, "spec", "pools")
	name, _, _ := unstructured.NestedString(pools[0].(fields), "userDataSecretRef", "name")
	key, _, _ := unstructured.NestedString(pools[0].(fields), "userDataSecretRef", "key")
	if names["pool"] != name || string(secret(t, namespace, name).Data[key]) != "text" {
		t.Errorf("the Worker names %s, %s; the answer says %v", name, key, names)
	}
	driver.clean(namespace)
}

func TestGarbageIsWhatNobodyNames(t *testing.T) {
	const namespace = "shoot--dev--garbage"
	ctx, driver, client := context.Background(), startDriver(t), clientOf(t, shared.Seed).CoreV1()
	driver.prepare(namespace)
	for _, name := range []string{"named", "unnamed"} {
		_, err := client.Secrets(namespace).Create(ctx, &core.Secret{ObjectMeta: metav1.ObjectMeta{
			Name: name, Labels: map[string]string{"resources.gardener.cloud/garbage-collectable-reference": "true"},
		}}, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
	}
	manage(t, namespace, "namer", "seed", "")
	_, err := seedClient(t).Resource(managedResources).Namespace(namespace).Apply(ctx, "namer", &unstructured.Unstructured{Object: fields{
		"apiVersion": "resources.gardener.cloud/v1alpha1", "kind": "ManagedResource",
		"metadata": fields{"name": "namer", "namespace": namespace, "annotations": fields{"reference.resources.gardener.cloud/secret-12345678": "named"}},
	}}, metav1.ApplyOptions{FieldManager: "names"})
	if err != nil {
		t.Fatal(err)
	}
	exists := func(name string) bool {
		_, err := client.Secrets(namespace).Get(ctx, name, metav1.GetOptions{})
		return !errors.IsNotFound(err)
	}
	driver.do("collectGarbage", fields{"minimumAge": 3_600_000})
	if !exists("unnamed") {
		t.Error("what is new was collected")
	}
	driver.do("collectGarbage", nil)
	if exists("unnamed") || !exists("named") {
		t.Errorf("unnamed: %v, named: %v", exists("unnamed"), exists("named"))
	}
	driver.clean(namespace)
}

func TestCertificatesAreThoseOfGardenersSecretsManager(t *testing.T) {
	const namespace, authority, server = "shoot--dev--certificates", "ca-provider-alicloud-controlplane", "cloud-controller-manager-server"
	driver := startDriver(t)
	driver.prepare(namespace)
	manage := func(further fields) fields {
		return driver.do("secretsManager", with(fields{"namespace": namespace}, further))["secrets"].(fields)
	}
	rotate := func(phase string) {
		rotated := shoot()
		rotated["status"] = fields{"credentials": fields{"rotation": fields{"certificateAuthorities": fields{
			"phase": phase, "lastInitiationTime": "2026-01-02T03:04:05Z",
		}}}}
		driver.do("cluster", fields{"namespace": namespace, "shoot": rotated, "cloudProfile": fields{"metadata": fields{"name": "alicloud"}}})
	}
	first := manage(nil)
	made := secret(t, namespace, first[authority].(string))
	if made.Labels["persist"] != "true" || made.Labels["manager-identity"] != "provider-alicloud-controlplane" || made.Immutable == nil || !*made.Immutable {
		t.Errorf("%v", made.Labels)
	}
	if again := manage(nil); again[authority] != first[authority] || again[server] != first[server] {
		t.Errorf("%v, then %v", first, again)
	}
	rotate("Preparing")
	preparing := manage(nil)
	if preparing[authority] == first[authority] || preparing[server] != first[server] {
		t.Errorf("%v, then %v", first, preparing)
	}
	if bundle := secret(t, namespace, preparing[authority+"-bundle"].(string)); strings.Count(string(bundle.Data["bundle.crt"]), "BEGIN CERTIFICATE") != 2 {
		t.Error("the bundle lacks an authority")
	}
	rotate("Completing")
	if completing := manage(nil); completing[authority] != preparing[authority] || completing[server] == preparing[server] {
		t.Errorf("%v, then %v", preparing, completing)
	}
	manage(fields{"remove": true})
	list, err := clientOf(t, shared.Seed).CoreV1().Secrets(namespace).List(context.Background(), metav1.ListOptions{LabelSelector: "manager-identity=provider-alicloud-controlplane"})
	if err != nil || len(list.Items) != 0 {
		t.Errorf("%v: %d Secrets are left", err, len(list.Items))
	}
	driver.clean(namespace)
}

func TestTheStateOfANamespaceIsSavedAndRestored(t *testing.T) {
	const from, to = "shoot--dev--saved", "shoot--dev--restored"
	driver := startDriver(t)
	driver.prepare(from)
	driver.prepare(to)
	name := driver.do("secretsManager", fields{"namespace": from})["secrets"].(fields)["ca-provider-alicloud-controlplane"].(string)
	saved := driver.do("saveState", fields{"namespace": from})
	if saved["machineState"] != nil {
		t.Errorf("machines where there are none: %v", saved["machineState"])
	}
	driver.do("restoreState", fields{"namespace": to, "shootState": saved["shootState"]})
	before, after := secret(t, from, name), secret(t, to, name)
	if string(after.Data["ca.key"]) != string(before.Data["ca.key"]) || after.Labels["persist"] != "true" || after.Immutable == nil || !*after.Immutable {
		t.Errorf("labels %v, and another key", after.Labels)
	}
	// The manager of the other namespace takes it.
	if again := driver.do("secretsManager", fields{"namespace": to})["secrets"].(fields)["ca-provider-alicloud-controlplane"]; again != name {
		t.Errorf("%s, then %s", name, again)
	}
	driver.clean(from)
	driver.clean(to)
}

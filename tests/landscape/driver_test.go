package landscape_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
)

func TestTheDriverSaysWhoseCodeItRuns(t *testing.T) {
	hello := startDriver(t).do("hello", nil)
	if hello["implementation"] != "gardenlet" || !strings.HasPrefix(hello["version"].(string), "v1.") {
		t.Errorf("%v", hello)
	}
}

func TestAnInfrastructureIsCreatedAwaitedAndDeleted(t *testing.T) {
	const namespace = "shoot--dev--lifecycle"
	driver, client, ctx := startDriver(t), seedClient(t), context.Background()
	startExtension(t, namespace)
	driver.prepare(namespace)
	driver.do("deploy", with(of(namespace), fields{"shoot": shoot(), "annotateOperation": true}))
	status, _ := driver.do("wait", of(namespace))["status"].(fields)
	if id, _, _ := unstructured.NestedString(status, "providerStatus", "vpc", "id"); id != "vpc-1" {
		t.Errorf("the status lacks what the extension wrote: %v", status)
	}

	cluster, err := client.Resource(clusters).Get(ctx, namespace, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if id, _, _ := unstructured.NestedString(cluster.Object, "spec", "shoot", "status", "technicalID"); id != namespace {
		t.Errorf("technicalID %q", id)
	}
	secret, err := client.Resource(secrets).Namespace(namespace).Get(ctx, "cloudprovider", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if purpose := secret.GetLabels()["gardener.cloud/purpose"]; purpose != "cloudprovider" {
		t.Errorf("purpose of the Secret %q", purpose)
	}
	object, err := client.Resource(infrastructures).Namespace(namespace).Get(ctx, "one", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if region, _, _ := unstructured.NestedString(object.Object, "spec", "region"); region != "eu-central-1" {
		t.Errorf("region %q", region)
	}

	driver.do("destroy", of(namespace))
	driver.do("waitCleanup", of(namespace))
	driver.clean(namespace)
	for name, resource := range map[string]dynamic.ResourceInterface{
		"Infrastructure": client.Resource(infrastructures).Namespace(namespace),
		"Secret":         client.Resource(secrets).Namespace(namespace),
		"Namespace":      client.Resource(namespaces),
		"Cluster":        client.Resource(clusters),
	} {
		of := map[string]string{"Infrastructure": "one", "Secret": "cloudprovider"}[name]
		if of == "" {
			of = namespace
		}
		if _, err := resource.Get(ctx, of, metav1.GetOptions{}); !errors.IsNotFound(err) {
			t.Errorf("%s is still there: %v", name, err)
		}
	}
}

// gardenlet compares whole seconds: within the same one, a success would answer what was asked after it.
func TestADeployAsksInALaterSecondThanTheLastSuccess(t *testing.T) {
	const namespace = "shoot--dev--hasty"
	driver, client, ctx := startDriver(t), seedClient(t), context.Background()
	startExtension(t, namespace)
	driver.prepare(namespace)
	deploy := with(of(namespace), fields{"shoot": shoot(), "annotateOperation": true})
	for range 3 {
		driver.do("deploy", deploy)
		status, _ := driver.do("wait", of(namespace))["status"].(fields)
		text, _, _ := unstructured.NestedString(status, "lastOperation", "lastUpdateTime")
		succeeded, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		driver.do("deploy", deploy)
		object, err := client.Resource(infrastructures).Namespace(namespace).Get(ctx, "one", metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		asked, err := time.Parse(time.RFC3339Nano, object.GetAnnotations()["gardener.cloud/timestamp"])
		if err != nil {
			t.Fatal(err)
		}
		if !asked.Truncate(time.Second).After(succeeded) {
			t.Errorf("asked at %s, and the success is of %s", asked, succeeded)
		}
		driver.do("wait", of(namespace))
	}
	driver.do("destroy", of(namespace))
	driver.do("waitCleanup", of(namespace))
	driver.clean(namespace)
}

func TestAnErrorOfTheExtensionIsReportedWithTextAndCodes(t *testing.T) {
	const namespace = "shoot--dev--failing"
	driver := startDriver(t)
	extension := startExtension(t, namespace)
	driver.prepare(namespace)
	text := "Error reconciling infrastructure: the quota of VPCs is used up"
	extension.codes = []string{"ERR_INFRA_QUOTA_EXCEEDED"}
	extension.fails.Store(&text)
	driver.do("deploy", with(of(namespace), fields{"shoot": shoot(), "annotateOperation": true}))

	got := driver.send("wait", of(namespace))
	if got.Error == nil || !strings.Contains(got.Error.Message, text) || !slices.Equal(got.Error.Codes, extension.codes) {
		t.Errorf("wait: %+v", got.Error)
	}

	extension.fails.Store(nil)
	// The annotation was left in place, so the extension tries again.
	driver.do("wait", of(namespace))
	extension.fails.Store(&text)
	driver.do("destroy", of(namespace))
	got = driver.send("waitCleanup", with(of(namespace), fields{"timeout": 500}))
	if got.Error == nil || !strings.Contains(got.Error.Message, "Failed to delete Infrastructure") || !strings.Contains(got.Error.Message, text) {
		t.Errorf("waitCleanup: %+v", got.Error)
	}
	extension.fails.Store(nil)
	driver.do("waitCleanup", of(namespace))
	driver.clean(namespace)
}

func TestAnInfrastructureMovesToAnotherNamespace(t *testing.T) {
	const from, to = "shoot--dev--source", "shoot--dev--target"
	driver, client, ctx := startDriver(t), seedClient(t), context.Background()
	startExtension(t, from)
	startExtension(t, to)
	driver.prepare(from)
	driver.do("deploy", with(of(from), fields{"shoot": shoot(), "annotateOperation": true}))
	driver.do("wait", of(from))
	driver.do("migrate", of(from))
	driver.do("waitMigrate", of(from))
	driver.do("destroy", of(from))
	driver.do("waitCleanup", of(from))

	driver.prepare(to)
	state := fields{"vpc": "vpc-1"}
	driver.do("restore", with(of(to), fields{"shoot": shoot(), "state": state}))
	driver.do("wait", of(to))
	object, err := client.Resource(infrastructures).Namespace(to).Get(ctx, "one", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if vpc, _, _ := unstructured.NestedString(object.Object, "status", "state", "vpc"); vpc != "vpc-1" {
		t.Errorf("the state was not restored: %v", object.Object["status"])
	}
	if kind, _, _ := unstructured.NestedString(object.Object, "status", "lastOperation", "type"); kind != "Restore" {
		t.Errorf("last operation %q", kind)
	}
	driver.do("destroy", of(to))
	driver.do("waitCleanup", of(to))
	driver.clean(from)
	driver.clean(to)
}

func TestAWaitThatNobodyAnswersEndsWithTheReason(t *testing.T) {
	const namespace = "shoot--dev--alone"
	driver := startDriver(t)
	driver.prepare(namespace)
	driver.do("deploy", with(of(namespace), fields{"shoot": shoot(), "annotateOperation": true}))
	got := driver.send("wait", with(of(namespace), fields{"timeout": 300}))
	if got.Error == nil || !strings.Contains(got.Error.Message, "observed generation outdated (0/1)") {
		t.Errorf("%+v", got.Error)
	}
	driver.clean(namespace)
}

func TestWhatIsNoRequestIsAnsweredWithAnError(t *testing.T) {
	driver := startDriver(t)
	for _, test := range []struct{ line, want string }{
		{`not JSON`, "not a request"},
		{`{"id":7,"command":"hello","nonsense":1}`, "nonsense"},
		{`{"id":7,"command":"wait","kind":"Worker","namespace":"a","name":"b","spec":{"pools":[]}}`, "spec.pools"},
		{`{"id":7,"command":"fly","kind":"Infrastructure","namespace":"a","name":"b"}`, `unknown command "fly"`},
		{`{"id":7,"command":"wait","kind":"Shoot","namespace":"a","name":"b"}`, `unknown kind "Shoot"`},
		{`{"id":7,"command":"wait","kind":"Worker","namespace":"a"}`, "lacks a namespace or a name"},
		{`{"id":7,"command":"wait","kind":"Worker","namespace":"a","name":"b"}`, "lacks an interval or a timeout"},
	} {
		got := driver.line(test.line)
		if got.Error == nil || !strings.Contains(got.Error.Message, test.want) {
			t.Errorf("%s: %+v", test.line, got.Error)
		}
		if strings.HasPrefix(test.line, "{") && got.ID != 7 {
			t.Errorf("%s: id %d", test.line, got.ID)
		}
	}
}

func TestTheOtherKindsFollowFromTheShootAndTheCloudProfile(t *testing.T) {
	const namespace = "shoot--dev--others"
	driver, client := startDriver(t), seedClient(t)
	driver.prepare(namespace)
	shoot, profile := shootWithPool()
	status := fields{"infrastructureProviderStatus": fields{"vpc": fields{"id": "vpc-1"}}}
	for _, test := range []struct {
		kind     string
		resource schema.GroupVersionResource
		path     []string
		want     string
	}{
		{"ControlPlane", controlPlanes, []string{"spec", "providerConfig", "zone"}, "a"},
		{"Worker", workers, []string{"spec", "infrastructureProviderStatus", "vpc", "id"}, "vpc-1"},
	} {
		driver.do("deploy", with(of(namespace), fields{"kind": test.kind, "shoot": shoot, "cloudProfile": profile, "spec": status}))
		object, err := client.Resource(test.resource).Namespace(namespace).
			Get(context.Background(), "one", metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got, _, _ := unstructured.NestedString(object.Object, test.path...); got != test.want {
			t.Errorf("%s: %v is %q", test.kind, test.path, got)
		}
		if operation := object.GetAnnotations()["gardener.cloud/operation"]; operation != "reconcile" {
			t.Errorf("%s: operation %q", test.kind, operation)
		}
		if test.kind != "Worker" {
			continue
		}
		pools, _, _ := unstructured.NestedSlice(object.Object, "spec", "pools")
		if len(pools) != 1 {
			t.Fatalf("pools %v", pools)
		}
		pool := pools[0].(fields)
		if memory, _, _ := unstructured.NestedString(pool, "nodeTemplate", "capacity", "memory"); memory != "8Gi" {
			t.Errorf("the pool does not have its machine type's memory: %v", pool)
		}
	}
	driver.clean(namespace)
}

func TestTheOtherKindsAreCreatedAwaitedMigratedRestoredAndDeleted(t *testing.T) {
	const from, to = "shoot--dev--left", "shoot--dev--arrived"
	driver, client := startDriver(t), seedClient(t)
	shoot, profile := shootWithPool()
	further := fields{"shoot": shoot, "cloudProfile": profile, "spec": fields{"infrastructureProviderStatus": fields{"vpc": fields{"id": "vpc-1"}}}}
	driver.prepare(from)
	driver.prepare(to)
	for kind, resource := range map[string]schema.GroupVersionResource{"ControlPlane": controlPlanes, "Worker": workers} {
		for _, namespace := range []string{from, to} {
			startExtensionOf(t, resource, namespace)
		}
		kind := fields{"kind": kind}
		driver.do("deploy", with(with(of(from), kind), further))
		driver.do("wait", with(of(from), kind))
		driver.do("migrate", with(of(from), kind))
		driver.do("waitMigrate", with(of(from), kind))
		driver.do("destroy", with(of(from), kind))
		driver.do("waitCleanup", with(of(from), kind))
		driver.do("restore", with(with(with(of(to), kind), further), fields{"state": fields{"a": "b"}}))
		status := func(path ...string) string {
			object, err := client.Resource(resource).Namespace(to).Get(context.Background(), "one", metav1.GetOptions{})
			if err != nil {
				t.Fatal(err)
			}
			text, _, _ := unstructured.NestedString(object.Object, append([]string{"status"}, path...)...)
			return text
		}
		if state := status("state", "a"); state != "b" {
			t.Errorf("%v: state %q", kind, state)
		}
		driver.do("wait", with(of(to), kind))
		if operation := status("lastOperation", "type"); operation != "Restore" {
			t.Errorf("%v: %s", kind, operation)
		}
		driver.do("destroy", with(of(to), kind))
		driver.do("waitCleanup", with(of(to), kind))
	}
	driver.clean(from)
	driver.clean(to)
}

package landscape_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/clientcmd"
)

type fields = map[string]any

// gardenlet-driver as a program, as tests in other languages use it.
type program struct {
	t     *testing.T
	input io.Writer
	lines *bufio.Scanner
	next  int64
}

type answer struct {
	ID     int64
	Result fields
	Error  *struct {
		Message string
		Codes   []string
	}
}

func startDriver(t *testing.T, kubeconfig string) *program {
	t.Helper()
	command := exec.Command(driverProgram(), kubeconfig)
	input, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = input.Close()
		if err := command.Wait(); err != nil {
			t.Errorf("gardenlet-driver does not end well with its input: %v", err)
		}
	})
	return &program{t: t, input: input, lines: bufio.NewScanner(output)}
}

func (p *program) line(line string) answer {
	p.t.Helper()
	if _, err := io.WriteString(p.input, line+"\n"); err != nil {
		p.t.Fatal(err)
	}
	return p.answer()
}

func (p *program) answer() answer {
	p.t.Helper()
	if !p.lines.Scan() {
		p.t.Fatalf("no answer: %v", p.lines.Err())
	}
	var got answer
	if err := json.Unmarshal(p.lines.Bytes(), &got); err != nil {
		p.t.Fatal(err)
	}
	return got
}

// Sends one command and waits for its answer.
func (p *program) send(command string, further fields) answer {
	p.t.Helper()
	p.next++
	request := fields{"id": p.next, "command": command}
	for name, value := range further {
		request[name] = value
	}
	line, err := json.Marshal(request)
	if err != nil {
		p.t.Fatal(err)
	}
	got := p.line(string(line))
	if got.ID != p.next {
		p.t.Fatalf("%s: the answer has id %d", command, got.ID)
	}
	return got
}

func (p *program) do(command string, further fields) fields {
	p.t.Helper()
	got := p.send(command, further)
	if got.Error != nil {
		p.t.Fatalf("%s: %s", command, got.Error.Message)
	}
	return got.Result
}

func dynamicClient(t *testing.T, kubeconfig string) dynamic.Interface {
	t.Helper()
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	// The client's own limit of five requests a second would be slower than the waits.
	config.QPS, config.Burst = 200, 400
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func resource(group, version, name string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: group, Version: version, Resource: name}
}

var (
	infrastructures = resource("extensions.gardener.cloud", "v1alpha1", "infrastructures")
	clusters        = resource("extensions.gardener.cloud", "v1alpha1", "clusters")
	namespaces      = resource("", "v1", "namespaces")
	secrets         = resource("", "v1", "secrets")
)

const finalizer = "extensions.gardener.cloud/infrastructure"

// An extension as small as can be. `fails` holds the text of an error while it should fail.
type extension struct {
	client dynamic.ResourceInterface
	fails  atomic.Pointer[string]
	codes  []string
}

func startExtension(t *testing.T, kubeconfig, namespace string) *extension {
	t.Helper()
	this := &extension{client: dynamicClient(t, kubeconfig).Resource(infrastructures).Namespace(namespace)}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			list, err := this.client.List(ctx, metav1.ListOptions{})
			if err == nil {
				for i := range list.Items {
					this.act(ctx, &list.Items[i])
				}
			}
			time.Sleep(20 * time.Millisecond)
		}
	}()
	t.Cleanup(func() { cancel(); <-ended })
	return this
}

func (e *extension) act(ctx context.Context, object *unstructured.Unstructured) {
	operation := object.GetAnnotations()["gardener.cloud/operation"]
	kind := map[string]string{"reconcile": "Reconcile", "migrate": "Migrate", "restore": "Restore"}[operation]
	deleting := object.GetDeletionTimestamp() != nil
	if deleting {
		kind = "Delete"
	}
	if kind == "" {
		return
	}
	patch := func(part fields, subresources ...string) {
		text, err := json.Marshal(part)
		if err != nil {
			panic(err)
		}
		_, _ = e.client.Patch(ctx, object.GetName(), types.MergePatchType, text, metav1.PatchOptions{}, subresources...)
	}
	now := time.Now().UTC().Format(time.RFC3339)
	status := fields{
		"observedGeneration": object.GetGeneration(),
		"lastError":          nil,
		"lastOperation":      fields{"type": kind, "state": "Succeeded", "progress": 100, "description": "done", "lastUpdateTime": now},
		"providerStatus":     fields{"vpc": fields{"id": "vpc-1"}},
	}
	if text := e.fails.Load(); text != nil {
		status["lastError"] = fields{"description": *text, "codes": e.codes, "lastUpdateTime": now}
		status["lastOperation"] = fields{"type": kind, "state": "Error", "progress": 50, "description": *text, "lastUpdateTime": now}
		patch(fields{"status": status}, "status")
		return
	}
	if !deleting && kind != "Migrate" {
		patch(fields{"metadata": fields{"finalizers": []string{finalizer}}})
	}
	patch(fields{"status": status}, "status")
	if deleting || kind == "Migrate" {
		patch(fields{"metadata": fields{"finalizers": nil}})
	}
	patch(fields{"metadata": fields{"annotations": fields{"gardener.cloud/operation": nil}}})
}

func shoot() fields {
	return fields{
		"metadata": fields{"name": "one", "namespace": "garden-dev"},
		"spec": fields{
			"region":     "eu-central-1",
			"networking": fields{"type": "calico"},
			"provider":   fields{"type": "alicloud", "infrastructureConfig": fields{"networks": fields{"zones": []any{}}}},
		},
	}
}

// Fields of every command on the Infrastructure of a namespace, with short times.
func of(namespace string) fields {
	return fields{
		"kind": "Infrastructure", "namespace": namespace, "name": "one",
		"interval": 20, "severeThreshold": 100, "timeout": patience.Milliseconds(),
	}
}

func with(base, further fields) fields {
	all := fields{}
	for _, each := range []fields{base, further} {
		for name, value := range each {
			all[name] = value
		}
	}
	return all
}

// A namespace with Cluster and credentials.
func (p *program) prepare(namespace string) {
	p.t.Helper()
	p.do("namespace", fields{"namespace": namespace, "shoot": shoot()})
	p.do("cluster", fields{"namespace": namespace, "shoot": shoot(), "cloudProfile": fields{"metadata": fields{"name": "alicloud"}}})
	p.do("cloudprovider", fields{"namespace": namespace, "data": fields{"accessKeyID": "nothing"}})
}

func (p *program) clean(namespace string) {
	p.t.Helper()
	p.do("deleteNamespace", fields{"namespace": namespace, "interval": 20, "timeout": patience.Milliseconds()})
}

func TestTheDriverSaysWhoseCodeItRuns(t *testing.T) {
	hello := startDriver(t, shared.Seed).do("hello", nil)
	if hello["implementation"] != "gardenlet" || !strings.HasPrefix(hello["version"].(string), "v1.") {
		t.Errorf("%v", hello)
	}
}

func TestAnInfrastructureIsCreatedAwaitedAndDeleted(t *testing.T) {
	const namespace = "shoot--dev--lifecycle"
	driver, client, ctx := startDriver(t, shared.Seed), dynamicClient(t, shared.Seed), context.Background()
	startExtension(t, shared.Seed, namespace)
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

func TestAnErrorOfTheExtensionIsReportedWithTextAndCodes(t *testing.T) {
	const namespace = "shoot--dev--failing"
	driver := startDriver(t, shared.Seed)
	extension := startExtension(t, shared.Seed, namespace)
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
	driver, client, ctx := startDriver(t, shared.Seed), dynamicClient(t, shared.Seed), context.Background()
	startExtension(t, shared.Seed, from)
	startExtension(t, shared.Seed, to)
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
	driver := startDriver(t, shared.Seed)
	driver.prepare(namespace)
	driver.do("deploy", with(of(namespace), fields{"shoot": shoot(), "annotateOperation": true}))
	got := driver.send("wait", with(of(namespace), fields{"timeout": 300}))
	if got.Error == nil || !strings.Contains(got.Error.Message, "observed generation outdated (0/1)") {
		t.Errorf("%+v", got.Error)
	}
	driver.clean(namespace)
}

func TestWhatIsNoRequestIsAnsweredWithAnError(t *testing.T) {
	driver := startDriver(t, shared.Seed)
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
	driver, client := startDriver(t, shared.Seed), dynamicClient(t, shared.Seed)
	driver.prepare(namespace)
	shoot := shoot()
	provider := shoot["spec"].(fields)["provider"].(fields)
	provider["controlPlaneConfig"] = fields{"zone": "a"}
	provider["workers"] = []fields{{
		"name": "pool", "minimum": 1, "maximum": 2,
		"machine": fields{"type": "large", "image": fields{"name": "linux", "version": "1.2.3"}},
	}}
	shoot["spec"].(fields)["kubernetes"] = fields{"version": "1.33.2"}
	profile := fields{"spec": fields{"machineTypes": []fields{{"name": "large", "cpu": "2", "gpu": "0", "memory": "8Gi"}}}}
	status := fields{"infrastructureProviderStatus": fields{"vpc": fields{"id": "vpc-1"}}}
	for _, test := range []struct {
		kind, plural string
		path         []string
		want         string
	}{
		{"ControlPlane", "controlplanes", []string{"spec", "providerConfig", "zone"}, "a"},
		{"Worker", "workers", []string{"spec", "infrastructureProviderStatus", "vpc", "id"}, "vpc-1"},
	} {
		driver.do("deploy", with(of(namespace), fields{"kind": test.kind, "shoot": shoot, "cloudProfile": profile, "spec": status}))
		object, err := client.Resource(resource("extensions.gardener.cloud", "v1alpha1", test.plural)).Namespace(namespace).
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

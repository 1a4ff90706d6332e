package landscape_test

import (
	"bufio"
	"context"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	admission "k8s.io/api/admission/v1"
	registration "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

// What the example of a Shoot needs.
var extensions = []string{
	"Infrastructure/alicloud", "ControlPlane/alicloud", "Worker/alicloud", "Network/calico", "OperatingSystemConfig/gardenlinux",
}

// A landscape whose garden has Gardener's own API.
type gardenOf struct {
	t       *testing.T
	ready   ready
	objects dynamic.Interface
	client  kubernetes.Interface
	input   io.Writer
	lines   *bufio.Scanner
}

func startGarden(t *testing.T) *gardenOf {
	t.Helper()
	// The API server for Shoots is that of the shared landscape.
	command := exec.Command(launcher(), "start", "--gardener", filepath.Join(t.TempDir(), "garden"), shared.Shoot)
	garden := &gardenOf{t: t}
	garden.input, garden.lines, garden.ready = startLandscape(t, command)
	config, err := clientcmd.BuildConfigFromFlags("", garden.ready.Seed)
	if err != nil {
		t.Fatal(err)
	}
	if garden.objects, err = dynamic.NewForConfig(config); err != nil {
		t.Fatal(err)
	}
	if garden.client, err = kubernetes.NewForConfig(config); err != nil {
		t.Fatal(err)
	}
	return garden
}

func (g *gardenOf) send(line, wanted string) ready {
	g.t.Helper()
	if _, err := fmt.Fprintln(g.input, line); err != nil {
		g.t.Fatal(err)
	}
	event, err := await(g.lines, wanted)
	if err != nil {
		g.t.Fatal(err)
	}
	return event
}

// Creates what the example of a Shoot refers to.
func (g *gardenOf) fill() {
	g.t.Helper()
	command, err := json.Marshal(fields{"command": "project", "project": "dev", "extensions": extensions})
	if err != nil {
		g.t.Fatal(err)
	}
	// A second time, nothing is missing.
	for range 2 {
		g.send(string(command), "projectCreated")
	}
	for _, object := range slices.Concat(example(g.t, "cloudprofile-regions.yaml"), example(g.t, "secret.yaml")) {
		// What gardener-apiserver needs to know is in its caches a moment later.
		eventually(g.t, "there is "+object.GetKind(), func() bool {
			_, err := g.create(object.DeepCopy(), metav1.CreateOptions{})
			if err != nil && !apierrors.IsForbidden(err) {
				g.t.Fatal(err)
			}
			return err == nil
		})
	}
}

// Where the objects of a kind are.
func resourceOf(object *unstructured.Unstructured) schema.GroupVersionResource {
	plural := strings.ToLower(object.GetKind()) + "s"
	return object.GroupVersionKind().GroupVersion().WithResource(plural)
}

func (g *gardenOf) create(object *unstructured.Unstructured, options metav1.CreateOptions) (*unstructured.Unstructured, error) {
	var client dynamic.ResourceInterface = g.objects.Resource(resourceOf(object))
	if namespace := object.GetNamespace(); namespace != "" {
		client = g.objects.Resource(resourceOf(object)).Namespace(namespace)
	}
	return client.Create(context.Background(), object, options)
}

// What `kubectl apply --dry-run=server` does with an object that is not there.
func (g *gardenOf) dryRun(object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	return g.create(object, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
}

// The objects of an example.
func example(t *testing.T, name string) []*unstructured.Unstructured {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "..", "examples", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	decoder := yaml.NewYAMLOrJSONDecoder(file, 4096)
	var objects []*unstructured.Unstructured
	for {
		object := &unstructured.Unstructured{}
		err := decoder.Decode(&object.Object)
		if errors.Is(err, io.EOF) {
			return objects
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(object.Object) > 0 {
			objects = append(objects, object)
		}
	}
}

func TestAGardenHasGardenersOwnAPI(t *testing.T) {
	garden := startGarden(t)
	if garden.ready.PIDs["gardener-apiserver"] == 0 {
		t.Fatalf("%v", garden.ready.PIDs)
	}
	garden.fill()
	shoot := example(t, "two-zones.yaml")[0]

	t.Run("takes a good Shoot, with defaults", func(t *testing.T) {
		var taken *unstructured.Unstructured
		eventually(t, "the Shoot is taken", func() bool {
			var err error
			if taken, err = garden.dryRun(shoot.DeepCopy()); err != nil {
				t.Log(err)
			}
			return err == nil
		})
		if taken.GetLabels()["provider.extensions.gardener.cloud/alicloud"] != "true" {
			t.Errorf("labels %v", taken.GetLabels())
		}
		purpose, _, _ := unstructured.NestedString(taken.Object, "spec", "purpose")
		if purpose != "evaluation" {
			t.Errorf("purpose %q", purpose)
		}
	})

	t.Run("refuses a broken Shoot", func(t *testing.T) {
		broken := shoot.DeepCopy()
		changePool(t, broken, func(pool fields) { pool["machine"].(fields)["type"] = "ecs.none" })
		_, err := garden.dryRun(broken)
		if err == nil || !strings.Contains(err.Error(), "spec.provider.workers[0].machine.type") {
			t.Errorf("%v", err)
		}
	})

	t.Run("asks the webhooks for Shoots", func(t *testing.T) {
		hook := serveWebhook(t)
		hook.register(garden.client)
		var err error
		eventually(t, "the webhook is called", func() bool {
			_, err = garden.dryRun(shoot.DeepCopy())
			return len(hook.reviews()) > 0
		})
		if err == nil || !strings.Contains(err.Error(), `admission webhook "shoots.landscape.test" denied the request: not in this test`) {
			t.Errorf("%v", err)
		}
		review := hook.reviews()[0]
		if review.Kind.Kind != "Shoot" || review.Operation != admission.Create || review.DryRun == nil || !*review.DryRun {
			t.Errorf("%+v", review)
		}
		// The API server has set its defaults before.
		var seen unstructured.Unstructured
		if err := json.Unmarshal(review.Object.Raw, &seen.Object); err != nil {
			t.Fatal(err)
		}
		if purpose, _, _ := unstructured.NestedString(seen.Object, "spec", "purpose"); purpose != "evaluation" {
			t.Errorf("the webhook sees the purpose %q", purpose)
		}
	})

	t.Run("starts again", func(t *testing.T) {
		event := garden.send(`{"command":"restart","server":"gardener-apiserver"}`, "restarted")
		if pid := event.PIDs["gardener-apiserver"]; pid == garden.ready.PIDs["gardener-apiserver"] || !alive(pid) {
			t.Errorf("%v", event.PIDs)
		}
		eventually(t, "its objects are there", func() bool {
			profiles := schema.GroupVersionResource{Group: "core.gardener.cloud", Version: "v1beta1", Resource: "cloudprofiles"}
			_, err := garden.objects.Resource(profiles).Get(context.Background(), "alicloud", metav1.GetOptions{})
			return err == nil
		})
	})
}

// The real API servers call the webhooks, and report every finding.
func TestAdmissionJudgesWhatPeopleSendToAGarden(t *testing.T) {
	if os.Getenv("TRELLIS") == "" || os.Getenv("TRELLIS_POLICIES") == "" {
		t.Fatal("TRELLIS has to name the program, and TRELLIS_POLICIES its policies: `make test-landscape` does both")
	}
	garden := startGarden(t)
	garden.fill()
	// Nobody answers there: the examples need no cloud.
	garden.send(`{"command":"admission","provider":"alicloud","endpoint":"http://127.0.0.1:1"}`, "admissionStarted")
	good := example(t, "two-zones.yaml")[0]
	// Two of the five mistakes are Gardener's to report, before it asks anybody.
	broken := example(t, "five-mistakes.yaml")[1]
	changePool(t, broken, func(pool fields) {
		pool["dataVolumes"].([]any)[0].(fields)["size"] = "50Gi"
		pool["zones"] = []any{"eu-central-1a", "eu-central-1b"}
	})
	var err error
	eventually(t, "the webhooks are called", func() bool {
		_, err = garden.dryRun(broken.DeepCopy())
		return err != nil && strings.Contains(err.Error(), "validator.admission-alicloud.extensions.gardener.cloud")
	})
	for _, rule := range []string{"ALI-INF-003", "ALI-INF-007", "ALI-INF-016"} {
		if !strings.Contains(err.Error(), rule) {
			t.Errorf("%s is not reported: %v", rule, err)
		}
	}
	taken, err := garden.dryRun(good.DeepCopy())
	if err != nil {
		t.Fatal(err)
	}
	// What the provider's admission completes.
	isEnabled, _, _ := unstructured.NestedBool(taken.Object, "spec", "provider", "controlPlaneConfig", "csi", "enableADController")
	if !isEnabled {
		t.Errorf("%v", taken.Object["spec"])
	}

	// A scan of the same garden, over several pages.
	for _, name := range []string{"a", "b", "c"} {
		shoot := good.DeepCopy()
		shoot.SetName(name)
		if _, err := garden.create(shoot, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	scan := exec.Command(os.Getenv("TRELLIS"), "scan", "--kubeconfig", garden.ready.Seed, "--page-size", "2", "-o", "json")
	scan.Stderr = os.Stderr
	output, err := scan.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	judged := map[string]string{}
	for line := range strings.Lines(string(output)) {
		var object struct{ Event, Kind, Name, Verdict string }
		if err := json.Unmarshal([]byte(line), &object); err != nil {
			t.Fatal(err)
		}
		if object.Event == "object" {
			judged[object.Kind+" "+object.Name] = object.Verdict
		}
	}
	want := []string{"CloudProfile alicloud", "CredentialsBinding core-alicloud", "Secret core-alicloud", "SecretBinding core-alicloud", "Shoot a", "Shoot b", "Shoot c"}
	if got := slices.Sorted(maps.Keys(judged)); !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	for object, verdict := range judged {
		if verdict != "accept" {
			t.Errorf("%s: %s", object, verdict)
		}
	}
}

// Changes the only pool of a Shoot.
func changePool(t *testing.T, shoot *unstructured.Unstructured, change func(pool fields)) {
	t.Helper()
	pools, _, err := unstructured.NestedSlice(shoot.Object, "spec", "provider", "workers")
	if err != nil || len(pools) != 1 {
		t.Fatalf("%v: %v", err, pools)
	}
	change(pools[0].(fields))
	if err := unstructured.SetNestedSlice(shoot.Object, pools, "spec", "provider", "workers"); err != nil {
		t.Fatal(err)
	}
}

func TestALandscapeWithoutGardenersAPIHasNoProjects(t *testing.T) {
	event := send(t, `{"command":"project","project":"dev"}`, "refused")
	if !strings.Contains(event.Message, "--gardener") {
		t.Errorf("%+v", event)
	}
}

// A webhook that refuses everything, and remembers what it was asked.
type webhook struct {
	t      *testing.T
	server *httptest.Server
	mutex  sync.Mutex
	asked  []*admission.AdmissionRequest
}

func serveWebhook(t *testing.T) *webhook {
	hook := &webhook{t: t}
	hook.server = httptest.NewTLSServer(http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
		var review admission.AdmissionReview
		if err := json.NewDecoder(request.Body).Decode(&review); err != nil || review.Request == nil {
			http.Error(answer, "no review", http.StatusBadRequest)
			return
		}
		hook.mutex.Lock()
		hook.asked = append(hook.asked, review.Request)
		hook.mutex.Unlock()
		review.Response = &admission.AdmissionResponse{
			UID: review.Request.UID, Result: &metav1.Status{Message: "not in this test", Code: http.StatusForbidden},
		}
		answer.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(answer).Encode(review)
	}))
	t.Cleanup(hook.server.Close)
	return hook
}

func (h *webhook) reviews() []*admission.AdmissionRequest {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return slices.Clone(h.asked)
}

func (h *webhook) register(client kubernetes.Interface) {
	h.t.Helper()
	url, none := h.server.URL+"/validate", registration.SideEffectClassNone
	configurations := client.AdmissionregistrationV1().ValidatingWebhookConfigurations()
	_, err := configurations.Create(context.Background(), &registration.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "landscape-test"},
		Webhooks: []registration.ValidatingWebhook{{
			Name:                    "shoots.landscape.test",
			SideEffects:             &none,
			AdmissionReviewVersions: []string{"v1"},
			ClientConfig: registration.WebhookClientConfig{
				URL:      &url,
				CABundle: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: h.server.Certificate().Raw}),
			},
			Rules: []registration.RuleWithOperations{{
				Operations: []registration.OperationType{registration.Create, registration.Update},
				Rule:       registration.Rule{APIGroups: []string{"core.gardener.cloud"}, APIVersions: []string{"v1beta1"}, Resources: []string{"shoots"}},
			}},
		}},
	}, metav1.CreateOptions{})
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() {
		_ = configurations.Delete(context.Background(), "landscape-test", metav1.DeleteOptions{})
	})
}

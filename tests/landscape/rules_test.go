package landscape_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
)

// The table of what people read first of a mistake in a Shoot.
const rulesTable = "../../docs/admission-rules.md"

// What becomes of a Shoot that defaults correct before anybody judges it.
const taken = "nothing: defaults mend the Shoot before it is judged"

// Each case of the corpus in which a Shoot breaks a rule is sent to the API servers: the webhooks report the rule, unless Gardener's own
// checks refuse the Shoot before it asks them. `UPDATE_RULES=1` writes the table.
func TestEachRuleOfShootsIsReportedUnlessGardenerRefusesFirst(t *testing.T) {
	if os.Getenv("TRELLIS") == "" || os.Getenv("TRELLIS_POLICIES") == "" {
		t.Fatal("TRELLIS has to name the program, and TRELLIS_POLICIES its policies: `make test-landscape` does both")
	}
	garden := startGarden(t)
	garden.fill()
	garden.prepareCorpus()
	garden.send(`{"command":"admission","provider":"alicloud","endpoint":"http://127.0.0.1:1"}`, "admissionStarted")
	eventually(t, "the webhooks are called", func() bool {
		broken := example(t, "two-zones.yaml")[0]
		_ = unstructured.SetNestedField(broken.Object, "10.249.0.0/16", "spec", "networking", "nodes")
		_, err := garden.dryRun(broken)
		return err != nil && strings.Contains(err.Error(), "admission-alicloud")
	})

	reported, first := map[string]bool{}, map[string]string{}
	number := 0
	for _, file := range readCorpus(t, "validate") {
		for _, one := range file.Cases {
			rules := one.errors()
			if len(rules) == 0 || one.Request != nil || one.Text != nil {
				continue
			}
			object, old := file.objects(t, one)
			if object["kind"] != "Shoot" {
				continue
			}
			number++
			decideEncryption(object)
			decideEncryption(old)
			err := garden.send(fmt.Sprintf("s%d", number), object, old)
			for _, rule := range rules {
				switch {
				case err == nil && first[rule] == "":
					first[rule] = taken
				case err == nil:
				case strings.Contains(err.Error(), "("+rule+")"):
					reported[rule] = true
				case first[rule] == "" || first[rule] == taken:
					first[rule] = firstWords(err)
				}
			}
		}
	}
	text := tableOf(reported, first)
	if os.Getenv("UPDATE_RULES") != "" {
		if err := os.WriteFile(rulesTable, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	written, err := os.ReadFile(rulesTable)
	if err != nil || string(written) != text {
		t.Errorf("%s is not what the API servers say (%v): UPDATE_RULES=1 writes\n%s", rulesTable, err, text)
	}
}

// What the bases of the corpus refer to.
func (g *gardenOf) prepareCorpus() {
	g.t.Helper()
	profile := example(g.t, "cloudprofile-regions.yaml")[0]
	for _, images := range [][]string{{"spec", "machineImages"}, {"spec", "providerConfig", "machineImages"}} {
		list, _, err := unstructured.NestedSlice(profile.Object, images...)
		if err != nil {
			g.t.Fatal(err)
		}
		image := list[0].(fields)
		version := image["versions"].([]any)[0].(fields)
		other := maps.Clone(version)
		other["version"] = "1592.1.0"
		image["versions"] = []any{version, other}
		if err := unstructured.SetNestedSlice(profile.Object, list, images...); err != nil {
			g.t.Fatal(err)
		}
	}
	client := g.objects.Resource(resourceOf(profile))
	stored, err := client.Get(context.Background(), profile.GetName(), metav1.GetOptions{})
	if err != nil {
		g.t.Fatal(err)
	}
	profile.SetResourceVersion(stored.GetResourceVersion())
	if _, err := client.Update(context.Background(), profile, metav1.UpdateOptions{}); err != nil {
		g.t.Fatal(err)
	}
	for _, object := range example(g.t, "secret.yaml") {
		if object.GetKind() == "CredentialsBinding" {
			object.SetName("demo")
			if _, err := g.create(object, metav1.CreateOptions{}); err != nil {
				g.t.Fatal(err)
			}
		}
	}
	eventually(g.t, "gardener-apiserver knows all of it", func() bool {
		_, err := g.dryRun(&unstructured.Unstructured{Object: corpus{}.document(g.t, "one-zone")})
		return err == nil
	})
}

// Says of each system disk that it is not encrypted, where nothing says so: the cloud would be asked what the default is.
func decideEncryption(shoot fields) {
	pools, _, _ := unstructured.NestedSlice(shoot, "spec", "provider", "workers")
	for _, pool := range pools {
		pool, _ := pool.(fields)
		if volume, ok := pool["volume"].(fields); ok && volume["encrypted"] == nil {
			volume["encrypted"] = false
		}
	}
	if pools != nil {
		_ = unstructured.SetNestedSlice(shoot, pools, "spec", "provider", "workers")
	}
}

// Sends an object as `kubectl apply --dry-run=server` does: to be created, or as a change of an older one, which is stored before.
func (g *gardenOf) send(name string, object, old fields) error {
	g.t.Helper()
	wanted := &unstructured.Unstructured{Object: object}
	wanted.SetName(name)
	if old == nil {
		_, err := g.dryRun(wanted)
		return err
	}
	older := &unstructured.Unstructured{Object: old}
	older.SetName(name)
	stored, err := g.create(older.DeepCopy(), metav1.CreateOptions{})
	if err != nil {
		return fmt.Errorf("the old Shoot is refused: %w", err)
	}
	texts := make([][]byte, 3)
	for i, each := range []*unstructured.Unstructured{older, wanted, stored} {
		if texts[i], err = each.MarshalJSON(); err != nil {
			g.t.Fatal(err)
		}
	}
	patch, err := jsonmergepatch.CreateThreeWayJSONMergePatch(texts[0], texts[1], texts[2])
	if err != nil {
		g.t.Fatal(err)
	}
	client := g.objects.Resource(resourceOf(wanted)).Namespace(wanted.GetNamespace())
	_, err = client.Patch(context.Background(), name, types.MergePatchType, patch, metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}})
	return err
}

// The first thing that is said of a Shoot, without its name.
func firstWords(err error) string {
	const most = 200
	_, words, ok := strings.Cut(err.Error(), "is invalid: ")
	if !ok {
		if _, words, ok = strings.Cut(err.Error(), "is forbidden: "); !ok {
			words = err.Error()
		}
	}
	words = strings.NewReplacer("\n", " ", "\t", " ", "|", "\\|").Replace(strings.TrimPrefix(words, "["))
	if runes := []rune(words); len(runes) > most {
		words = string(runes[:most]) + "…"
	}
	return words
}

func tableOf(reported map[string]bool, first map[string]string) string {
	var text strings.Builder
	text.WriteString(`# What people read of a mistake in a Shoot

Gardener's API server checks a Shoot itself before it asks the validating webhooks of admission: of a Shoot that it refuses, they say nothing. Each
case of the [corpus](../tests/corpus) in which a Shoot breaks a rule was sent to gardener-apiserver, with ` + "`trellis admission`" + ` behind it
(` + "`make test-landscape`" + ` does that, and ` + "`UPDATE_RULES=1`" + ` writes this page). No cloud answers there.

## Rules that admission shows

`)
	text.WriteString(strings.Join(slices.Sorted(maps.Keys(reported)), ", ") + ".\n")
	text.WriteString(`
## Rules that something else comes before, in each case

| rule | what people read |
|---|---|
`)
	for _, rule := range slices.Sorted(maps.Keys(first)) {
		if !reported[rule] {
			fmt.Fprintf(&text, "| %s | %s |\n", rule, first[rule])
		}
	}
	return text.String()
}

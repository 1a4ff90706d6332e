package landscape_test

import (
	"context"
	"encoding/base64"
	"strings"
	"testing"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

var (
	buckets  = resource("extensions.gardener.cloud", "v1alpha1", "backupbuckets")
	entries  = resource("extensions.gardener.cloud", "v1alpha1", "backupentries")
	records  = resource("extensions.gardener.cloud", "v1alpha1", "dnsrecords")
	bastions = resource("extensions.gardener.cloud", "v1alpha1", "bastions")
)

// The namespace of a seed for what is no Shoot's.
const garden = "garden"

func haveGarden(t *testing.T) {
	t.Helper()
	namespace := &core.Namespace{ObjectMeta: metav1.ObjectMeta{Name: garden}}
	_, err := clientOf(t, shared.Seed).CoreV1().Namespaces().Create(context.Background(), namespace, metav1.CreateOptions{})
	if err != nil && !errors.IsAlreadyExists(err) {
		t.Fatal(err)
	}
}

// Fields of every command on an object, with short times.
func made(kind, namespace, name string, spec fields) fields {
	return with(of(namespace), fields{"kind": kind, "name": name, "spec": spec, "data": fields{"accessKeyID": "key"}})
}

func found(t *testing.T, kind schema.GroupVersionResource, namespace, name string) *unstructured.Unstructured {
	t.Helper()
	object, err := seedClient(t).Resource(kind).Namespace(namespace).Get(context.Background(), name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return object
}

func isGone(t *testing.T, kind schema.GroupVersionResource, namespace, name string) {
	t.Helper()
	_, err := seedClient(t).Resource(kind).Namespace(namespace).Get(context.Background(), name, metav1.GetOptions{})
	if !errors.IsNotFound(err) {
		t.Errorf("%s %s is still there: %v", kind.Resource, name, err)
	}
}

func text(object *unstructured.Unstructured, path ...string) string {
	text, _, _ := unstructured.NestedString(object.Object, path...)
	return text
}

func asked(object *unstructured.Unstructured) string {
	return object.GetAnnotations()["gardener.cloud/timestamp"]
}

func TestABucketIsAskedForAsGardenletsControllerDoes(t *testing.T) {
	const name = "bucket-of-driver"
	driver := startDriver(t)
	haveGarden(t)
	startExtensionOf(t, buckets, "")
	bucket := made("BackupBucket", "", name, fields{"type": "alicloud", "region": "eu-central-1"})
	deploy := func(further fields) *unstructured.Unstructured {
		driver.do("deploy", with(bucket, further))
		return found(t, buckets, "", name)
	}
	first := deploy(nil)
	for path, want := range map[string]string{
		"type": "alicloud", "region": "eu-central-1", "class": "", "secretRef.name": "bucket-" + name, "secretRef.namespace": garden,
	} {
		if got := text(first, append([]string{"spec"}, strings.Split(path, ".")...)...); got != want {
			t.Errorf("spec.%s is %q", path, got)
		}
	}
	if where := first.GetAnnotations()["backupbucket.extensions.gardener.cloud/generated-secret-namespace"]; where != garden {
		t.Errorf("generated Secrets belong into %q", where)
	}
	credentials := secret(t, garden, "bucket-"+name)
	if string(credentials.Data["accessKeyID"]) != "key" || credentials.Annotations["gardener.cloud/timestamp"] == "" {
		t.Errorf("annotations %v, data %v", credentials.Annotations, credentials.Data)
	}
	driver.do("wait", bucket)
	if asked(deploy(nil)) != asked(first) {
		t.Error("the controller asks though nothing is different")
	}
	forced := deploy(fields{"annotateOperation": true})
	driver.do("wait", bucket)
	rotated := fields{"data": fields{"accessKeyID": "other"}}
	last := deploy(rotated)
	if asked(forced) == asked(first) || asked(last) == asked(forced) {
		t.Errorf("asked at %s, %s, %s", asked(first), asked(forced), asked(last))
	}
	driver.do("wait", with(bucket, rotated))
	if got := driver.send("migrate", bucket); got.Error == nil || !strings.Contains(got.Error.Message, "neither migrates nor restores") {
		t.Errorf("%+v", got.Error)
	}
	driver.do("destroy", bucket)
	driver.do("waitCleanup", bucket)
	isGone(t, buckets, "", name)
	isGone(t, secrets, garden, "bucket-"+name)
}

func TestAnEntryIsCreatedMigratedRestoredAndDeletedByGardenletsController(t *testing.T) {
	const name = "shoot--dev--entry--uid"
	driver := startDriver(t)
	haveGarden(t)
	extension := startExtensionOf(t, entries, "")
	entry := made("BackupEntry", "", name, fields{
		"type": "alicloud", "region": "eu-central-1", "bucketName": "bucket", "backupBucketProviderStatus": fields{"a": "b"},
	})
	problem := "the bucket is away"
	extension.fails.Store(&problem)
	driver.do("deploy", entry)
	if got := driver.send("wait", entry); got.Error == nil || !strings.Contains(got.Error.Message, problem) {
		t.Errorf("%+v", got.Error)
	}
	extension.fails.Store(nil)
	driver.do("wait", entry)
	object := found(t, entries, "", name)
	if text(object, "spec", "bucketName") != "bucket" || text(object, "spec", "secretRef", "name") != "entry-"+name ||
		text(object, "spec", "backupBucketProviderStatus", "a") != "b" {
		t.Errorf("%v", object.Object["spec"])
	}
	driver.do("migrate", entry)
	driver.do("waitMigrate", entry)
	isGone(t, entries, "", name)
	isGone(t, secrets, garden, "entry-"+name)

	driver.do("restore", with(entry, fields{"state": fields{"c": "d"}}))
	driver.do("wait", entry)
	object = found(t, entries, "", name)
	if text(object, "status", "lastOperation", "type") != "Restore" || text(object, "status", "state", "c") != "d" {
		t.Errorf("%v", object.Object["status"])
	}
	driver.do("destroy", entry)
	driver.do("waitCleanup", entry)
	isGone(t, entries, "", name)
	isGone(t, secrets, garden, "entry-"+name)
}

func TestARecordFollowsFromItsNameAndAddress(t *testing.T) {
	const from, to = "shoot--dev--named", "shoot--dev--renamed"
	driver := startDriver(t)
	for _, namespace := range []string{from, to} {
		driver.prepare(namespace)
		startExtensionOf(t, records, namespace)
	}
	for _, test := range []struct{ purpose, secret, address, kind string }{
		{"internal", "dnsrecord-one-internal", "192.0.2.1", "A"},
		{"external", "dnsrecord-one-external", "lb.example.org", "CNAME"},
		{"ingress", "dnsrecord-one-external", "2001:db8::1", "AAAA"},
	} {
		record := func(namespace string) fields {
			spec := fields{"type": "alicloud-dns", "dnsName": test.purpose + ".example.com", "values": []string{test.address}}
			return with(made("DNSRecord", namespace, "one-"+test.purpose, spec), fields{"shoot": shoot()})
		}
		driver.do("deploy", record(from))
		driver.do("wait", record(from))
		object := found(t, records, from, "one-"+test.purpose)
		ttl, _, _ := unstructured.NestedInt64(object.Object, "spec", "ttl")
		if text(object, "spec", "recordType") != test.kind || text(object, "spec", "secretRef", "name") != test.secret || ttl != 120 {
			t.Errorf("%v", object.Object["spec"])
		}
		if role := object.GetLabels()["role"]; role != test.purpose || object.GetAnnotations()["dns.gardener.cloud/ip-stack"] != "ipv4" {
			t.Errorf("role %q, annotations %v", role, object.GetAnnotations())
		}
		if key := secret(t, from, test.secret).Data["accessKeyID"]; string(key) != "key" {
			t.Errorf("the credentials are %q", key)
		}
		driver.do("migrate", record(from))
		driver.do("waitMigrate", record(from))
		driver.do("destroy", record(from))
		driver.do("waitCleanup", record(from))
		driver.do("restore", with(record(to), fields{"state": fields{"a": "b"}}))
		driver.do("wait", record(to))
		object = found(t, records, to, "one-"+test.purpose)
		if text(object, "status", "lastOperation", "type") != "Restore" || text(object, "status", "state", "a") != "b" {
			t.Errorf("%v", object.Object["status"])
		}
		driver.do("destroy", record(to))
		driver.do("waitCleanup", record(to))
	}
	driver.clean(from)
	driver.clean(to)
}

func TestABastionIsAskedForAndDeletedAsGardenletsControllerDoes(t *testing.T) {
	const namespace, name = "shoot--dev--bastion", "of-a-person"
	driver := startDriver(t)
	driver.prepare(namespace)
	startExtensionOf(t, bastions, namespace)
	command := func(spec fields) fields {
		return with(of(namespace), fields{"kind": "Bastion", "name": name, "shoot": shoot(), "spec": with(fields{"sshPublicKey": "c3NoLWtleQ=="}, spec)})
	}
	deploy := func(spec fields) *unstructured.Unstructured {
		driver.do("deploy", command(spec))
		driver.do("wait", command(spec))
		return found(t, bastions, namespace, name)
	}
	from := fields{"ingress": []string{"192.0.2.0/24", "2001:db8::/32"}}
	first := deploy(from)
	if text(first, "spec", "type") != "alicloud" {
		t.Errorf("%v", first.Object["spec"])
	}
	data, err := base64.StdEncoding.DecodeString(text(first, "spec", "userData"))
	if err != nil || !strings.Contains(string(data), "ssh-key") {
		t.Errorf("user data %q, %v", data, err)
	}
	ranges, _, _ := unstructured.NestedSlice(first.Object, "spec", "ingress")
	if last, _ := ranges[len(ranges)-1].(fields); len(ranges) != 2 || last["ipBlock"].(fields)["cidr"] != "2001:db8::/32" {
		t.Errorf("ingress %v", ranges)
	}
	if asked(deploy(from)) != asked(first) {
		t.Error("the controller asks though nothing is different")
	}
	other := fields{"ingress": []string{"198.51.100.7/32"}}
	if asked(deploy(other)) == asked(first) {
		t.Error("the controller asks for no other range")
	}
	if got := driver.send("migrate", command(other)); got.Error == nil || !strings.Contains(got.Error.Message, "neither migrates nor restores a Bastion") {
		t.Errorf("%+v", got.Error)
	}
	driver.do("destroy", command(other))
	driver.do("waitCleanup", command(other))
	isGone(t, bastions, namespace, name)
	driver.clean(namespace)
}

func TestAForcedDeletionAnnotatesTheBastionItself(t *testing.T) {
	const namespace, name = "shoot--dev--forced-bastion", "of-a-person"
	driver := startDriver(t)
	driver.prepare(namespace)
	command := with(of(namespace), fields{"kind": "Bastion", "name": name, "shoot": shoot()})
	driver.do("deploy", command)
	patch := []byte(`{"metadata":{"finalizers":["` + finalizer + `"]}}`)
	client := seedClient(t).Resource(bastions).Namespace(namespace)
	if _, err := client.Patch(context.Background(), name, types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, isForced := range []bool{false, true} {
		driver.do("destroy", with(command, fields{"spec": fields{"forceDeletion": isForced}}))
		object := found(t, bastions, namespace, name)
		value := object.GetAnnotations()["confirmation.gardener.cloud/force-deletion"]
		if (value == "true") != isForced || object.GetDeletionTimestamp() == nil {
			t.Errorf("forced %v: annotations %v", isForced, object.GetAnnotations())
		}
	}
	startExtensionOf(t, bastions, namespace)
	driver.do("waitCleanup", command)
	driver.clean(namespace)
}

func TestWhatIsOfClassGardenNamesTheSecretOfTheGarden(t *testing.T) {
	driver := startDriver(t)
	haveGarden(t)
	of := fields{"class": "garden", "secretName": "of-garden", "type": "alicloud"}
	for _, test := range []struct {
		kind, namespace, name string
		resource              schema.GroupVersionResource
		spec                  fields
	}{
		{"BackupBucket", "", "garden-of-driver", buckets, fields{"region": "eu-central-1"}},
		{"BackupEntry", "", "garden--of-driver", entries, fields{"region": "eu-central-1", "bucketName": "garden-of-driver"}},
		{"DNSRecord", garden, "api-of-driver", records, fields{"dnsName": "api.example.com", "values": []string{"192.0.2.1"}}},
	} {
		startExtensionOf(t, test.resource, test.namespace)
		object := made(test.kind, test.namespace, test.name, with(of, test.spec))
		delete(object, "data")
		driver.do("deploy", object)
		driver.do("wait", object)
		got := found(t, test.resource, test.namespace, test.name)
		if text(got, "spec", "class") != "garden" || text(got, "spec", "secretRef", "name") != "of-garden" || text(got, "spec", "secretRef", "namespace") != garden {
			t.Errorf("%v", got.Object["spec"])
		}
		if answer := driver.send("migrate", object); answer.Error == nil || !strings.Contains(answer.Error.Message, "neither migrates nor restores") {
			t.Errorf("%s: %+v", test.kind, answer.Error)
		}
		driver.do("destroy", object)
		driver.do("waitCleanup", object)
		isGone(t, test.resource, test.namespace, test.name)
	}
}

func TestEachKindTakesWhatItsSpecHasAndNoMore(t *testing.T) {
	driver := startDriver(t)
	for _, test := range []struct{ fields, want string }{
		{`"kind":"Infrastructure","namespace":"a","name":"b","spec":{"ttl":1}`, "the spec of kind Infrastructure takes no ttl"},
		{`"kind":"ControlPlane","namespace":"a","name":"b","spec":{"sshPublicKey":"YQ=="}`, "takes no sshPublicKey"},
		{`"kind":"Worker","namespace":"a","name":"b","spec":{"providerConfig":{}}`, "takes no providerConfig"},
		{`"kind":"BackupBucket","name":"b","data":{"a":"b"},"spec":{"bucketName":"c"}`, "takes no bucketName"},
		{`"kind":"BackupBucket","namespace":"a","name":"b"`, "has a namespace"},
		{`"kind":"BackupBucket","name":"b"`, "lacks data"},
		{`"kind":"BackupBucket","name":"b","spec":{"class":"seed","secretName":"c"}`, `class "seed"`},
		{`"kind":"BackupEntry","name":"b","data":{"a":"b"},"spec":{"dnsName":"c"}`, "takes no dnsName"},
		{`"kind":"BackupEntry","name":"b","spec":{"class":"garden"}`, "lacks the secretName"},
		{`"kind":"Bastion","namespace":"a","name":"b","shoot":{},"spec":{"region":"c"}`, "takes no region"},
		{`"kind":"Bastion","namespace":"a","name":"b"`, "lacks the shoot"},
		{`"kind":"Bastion","namespace":"a","name":"b","shoot":{},"annotateOperation":true`, "only where it is missing"},
		{`"kind":"Infrastructure","namespace":"a","name":"b","spec":{"ingress":["192.0.2.0/24"]}`, "takes no ingress"},
		{`"kind":"DNSRecord","namespace":"a","name":"b-external","data":{"a":"b"},"spec":{"region":"c"}`, "takes no region"},
		{`"kind":"DNSRecord","namespace":"a","name":"b","data":{"a":"b"}`, "no DNSRecord of a Shoot"},
		{`"kind":"DNSRecord","namespace":"a","name":"b-external"`, "lacks data"},
		{`"kind":"DNSRecord","namespace":"a","name":"b","spec":{"class":"garden","secretName":"c"}`, "in the namespace garden"},
	} {
		got := driver.line(`{"id":7,"command":"deploy",` + test.fields + `}`)
		if got.Error == nil || !strings.Contains(got.Error.Message, test.want) {
			t.Errorf("%s: %+v", test.fields, got.Error)
		}
	}
}

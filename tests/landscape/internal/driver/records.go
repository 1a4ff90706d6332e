package driver

import (
	"errors"
	"fmt"
	"strings"

	extensionshelper "github.com/gardener/gardener/pkg/api/extensions/v1alpha1/helper"
	v1beta1constants "github.com/gardener/gardener/pkg/apis/core/v1beta1/constants"
	"github.com/gardener/gardener/pkg/component"
	"github.com/gardener/gardener/pkg/component/extensions/dnsrecord"
	gardenerutils "github.com/gardener/gardener/pkg/utils/gardener"
	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
)

// How long an answer may be kept, in seconds, where a request does not say: gardenlet's own default.
const timeToLive = 120

// The Secret of each DNSRecord of a Shoot by what it is for. The one for the ingress shares that of the external one.
var secretOf = map[string]string{
	v1beta1constants.LabelDNSRecordInternal: v1beta1constants.DNSRecordInternalName,
	v1beta1constants.LabelDNSRecordExternal: v1beta1constants.DNSRecordExternalName,
	v1beta1constants.LabelDNSRecordIngress:  v1beta1constants.DNSRecordExternalName,
}

func (d *Driver) dnsRecord(request Request) (component.DeployMigrateWaiter, error) {
	if request.Spec.Class != "" {
		return d.recordOfGarden(request)
	}
	if err := request.takes("type", "dnsName", "values", "ttl", "zone"); err != nil {
		return nil, err
	}
	if len(request.Data) == 0 {
		return nil, fmt.Errorf("command %q of a DNSRecord lacks data, the credentials", request.Command)
	}
	at := strings.LastIndex(request.Name, "-")
	if at < 0 || secretOf[request.Name[at+1:]] == "" {
		return nil, fmt.Errorf("%q is no DNSRecord of a Shoot: they are named SHOOT-internal, SHOOT-external and SHOOT-ingress", request.Name)
	}
	shoot, purpose := request.Name[:at], request.Name[at+1:]
	ttl := request.Spec.TTL
	if ttl == nil {
		ttl = new(int64(timeToLive))
	}
	values := recordOf(request)
	values.Namespace = request.Namespace
	values.SecretName = "dnsrecord-" + shoot + "-" + secretOf[purpose]
	values.TTL = ttl
	values.Zone = request.Spec.Zone
	// gardenlet sets it in the restore phase.
	values.AnnotateOperation = request.AnnotateOperation || request.Command == "restore"
	values.Labels = map[string]string{
		v1beta1constants.LabelRole:  purpose,
		v1beta1constants.GardenRole: v1beta1constants.GardenRoleControlPlane,
	}
	if request.Shoot != nil {
		values.IPStack = gardenerutils.GetIPStackForShoot(request.Shoot)
	}
	credentials := &corev1.Secret{Data: request.bytes()}
	return d.newRecord(request, values, dnsrecord.CredentialsDeployerFromCredentials(credentials, nil)), nil
}

// A DNSRecord of the garden itself, with the garden's own Secret.
func (d *Driver) recordOfGarden(request Request) (component.DeployMigrateWaiter, error) {
	if err := request.takes("class", "type", "secretName", "dnsName", "values"); err != nil {
		return nil, err
	}
	of, secret, err := request.ofGarden()
	if err != nil {
		return nil, err
	}
	if request.Namespace != gardenNamespace {
		return nil, errors.New("the DNSRecords of a garden are in the namespace " + gardenNamespace)
	}
	values := recordOf(request)
	values.Namespace, values.Class, values.SecretName = secret.Namespace, of.Class, secret.Name
	values.UseExistingSecret, values.ReconcileOnlyOnChangeOrError = true, true
	values.Labels = map[string]string{"origin": "gardener-operator"}
	return d.newRecord(request, values, nil), nil
}

// What follows from the address, which gardenlet and the operator learn from a Service.
func recordOf(request Request) *dnsrecord.Values {
	values := &dnsrecord.Values{
		Name: request.Name, Type: request.Spec.Type, DNSName: request.Spec.DNSName, Values: request.Spec.Values,
	}
	if len(values.Values) > 0 {
		values.RecordType = extensionshelper.GetDNSRecordType(values.Values[0])
	}
	return values
}

func (d *Driver) newRecord(request Request, values *dnsrecord.Values, credentials dnsrecord.CredentialsDeployFunc) dnsrecord.Interface {
	return dnsrecord.New(logr.Discard(), d.cached, values, request.interval(), request.severeThreshold(), request.timeout(), credentials)
}

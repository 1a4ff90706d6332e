package driver

import (
	"fmt"
	"reflect"
	"slices"

	extensionsv1alpha1 "github.com/gardener/gardener/pkg/apis/extensions/v1alpha1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Spec has the fields of all kinds that gardenlet's and gardener-operator's code takes as values. Each kind takes some.
type Spec struct {
	Type           string                `json:"type"`
	Region         string                `json:"region"`
	ProviderConfig *runtime.RawExtension `json:"providerConfig"`
	// `garden` for what gardener-operator makes. gardenlet writes none.
	Class extensionsv1alpha1.ExtensionClass `json:"class"`
	// The Secret of a garden: gardenlet's own have names that follow from those of the objects.
	SecretName string `json:"secretName"`

	SSHPublicKey                 []byte                `json:"sshPublicKey"`
	InfrastructureProviderStatus *runtime.RawExtension `json:"infrastructureProviderStatus"`

	BucketName                 string                `json:"bucketName"`
	BackupBucketProviderStatus *runtime.RawExtension `json:"backupBucketProviderStatus"`

	DNSName string `json:"dnsName"`
	// The record's type follows from the first one.
	Values []string `json:"values"`
	TTL    *int64   `json:"ttl"`
	Zone   *string  `json:"zone"`

	// The ranges of addresses from which people reach a bastion.
	Ingress []string `json:"ingress"`
	// Whether a person annotates the Bastion of the garden so that its deletion waits for nothing.
	ForceDeletion bool `json:"forceDeletion"`
}

// An error where the spec has another field than these.
func (r Request) takes(fields ...string) error {
	spec := reflect.ValueOf(r.Spec)
	for i := range spec.NumField() {
		name := spec.Type().Field(i).Tag.Get("json")
		if !spec.Field(i).IsZero() && !slices.Contains(fields, name) {
			return fmt.Errorf("the spec of kind %s takes no %s: one of %v", r.Kind, name, fields)
		}
	}
	return nil
}

// The data as a Secret has them.
func (r Request) bytes() map[string][]byte {
	data := map[string][]byte{}
	for key, value := range r.Data {
		data[key] = []byte(value)
	}
	return data
}

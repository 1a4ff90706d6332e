package actor

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	listers "k8s.io/client-go/listers/core/v1"
)

// Creates and deletes the Pods of Deployments. gardener-resource-manager counts them.
//
// A Pod has the labels and annotations of the template, and of its containers name and image: what else a Pod says may need
// objects that are not there. Its name has the digest of the template: where the template changes, other Pods come.
type pods struct {
	client kubernetes.Interface
	lister listers.PodLister
}

func (p pods) create(ctx context.Context, deployment *apps.Deployment) error {
	if deployment.DeletionTimestamp != nil {
		return nil
	}
	selector, err := metav1.LabelSelectorAsSelector(deployment.Spec.Selector)
	if err != nil {
		return err
	}
	all, err := p.lister.Pods(deployment.Namespace).List(selector)
	if err != nil {
		return err
	}
	unwanted := map[string]*core.Pod{}
	for _, pod := range all {
		if metav1.IsControlledBy(pod, deployment) {
			unwanted[pod.Name] = pod
		}
	}
	made, err := podOf(deployment)
	if err != nil {
		return err
	}
	client := p.client.CoreV1().Pods(deployment.Namespace)
	for i := range replicas(deployment.Spec.Replicas) {
		name := fmt.Sprintf("%s-%s-%d", deployment.Name, made.Labels[apps.DefaultDeploymentUniqueLabelKey], i)
		if unwanted[name] != nil {
			delete(unwanted, name)
			continue
		}
		made.Name = name
		_, err := client.Create(ctx, made, metav1.CreateOptions{})
		if err != nil && !errors.IsAlreadyExists(err) && !errors.HasStatusCause(err, core.NamespaceTerminatingCause) {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(unwanted)) {
		if err := gone(client.Delete(ctx, name, *metav1.NewPreconditionDeleteOptions(string(unwanted[name].UID)))); err != nil {
			return err
		}
	}
	return nil
}

// A Pod as a Deployment's template has it, without a name.
func podOf(deployment *apps.Deployment) (*core.Pod, error) {
	template := deployment.Spec.Template
	text, err := json.Marshal(template)
	if err != nil {
		return nil, err
	}
	digest := sha256.Sum256(text)
	labels := maps.Clone(template.Labels)
	labels[apps.DefaultDeploymentUniqueLabelKey] = hex.EncodeToString(digest[:5])
	pod := &core.Pod{ObjectMeta: metav1.ObjectMeta{
		Namespace: deployment.Namespace, Labels: labels, Annotations: template.Annotations,
		OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(deployment, apps.SchemeGroupVersion.WithKind("Deployment"))},
	}}
	for _, container := range template.Spec.Containers {
		pod.Spec.Containers = append(pod.Spec.Containers, core.Container{Name: container.Name, Image: container.Image})
	}
	return pod, nil
}

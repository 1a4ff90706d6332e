package actor

import (
	"context"
	"encoding/json"
	"log/slog"
	"reflect"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

// Says of Deployments and Nodes that all is well with them.
type workloads struct{ client kubernetes.Interface }

func (w workloads) register(ctx context.Context, log *slog.Logger, factory informers.SharedInformerFactory) {
	deployments := factory.Apps().V1().Deployments()
	onChange(ctx, log, deployments.Informer(), func(ctx context.Context, key string) error {
		namespace, name, err := cache.SplitMetaNamespaceKey(key)
		if err != nil {
			return err
		}
		deployment, err := deployments.Lister().Deployments(namespace).Get(name)
		if err != nil {
			return gone(err)
		}
		return w.available(ctx, deployment)
	})
	nodes := factory.Core().V1().Nodes()
	onChange(ctx, log, nodes.Informer(), func(ctx context.Context, name string) error {
		node, err := nodes.Lister().Get(name)
		if err != nil {
			return gone(err)
		}
		return w.ready(ctx, node)
	})
}

func (w workloads) available(ctx context.Context, deployment *apps.Deployment) error {
	replicas := int32(1)
	if deployment.Spec.Replicas != nil {
		replicas = *deployment.Spec.Replicas
	}
	want := apps.DeploymentStatus{
		ObservedGeneration: deployment.Generation,
		Replicas:           replicas, UpdatedReplicas: replicas, ReadyReplicas: replicas, AvailableReplicas: replicas,
	}
	have := deployment.Status
	complete := true
	for _, kind := range []apps.DeploymentConditionType{apps.DeploymentAvailable, apps.DeploymentProgressing} {
		now := metav1.Now()
		condition := apps.DeploymentCondition{
			Type: kind, Status: core.ConditionTrue, Reason: "LandscapeActor",
			Message: "no Pod runs in this landscape", LastTransitionTime: now, LastUpdateTime: now,
		}
		want.Conditions = append(want.Conditions, condition)
		found := false
		for _, each := range have.Conditions {
			found = found || each.Type == kind && each.Status == core.ConditionTrue
		}
		complete = complete && found
	}
	have.Conditions, have.CollisionCount, have.TerminatingReplicas = want.Conditions, nil, nil
	if complete && reflect.DeepEqual(have, want) {
		return nil
	}
	patch, err := json.Marshal(map[string]any{"status": zeroes(want)})
	if err != nil {
		return err
	}
	_, err = w.client.AppsV1().Deployments(deployment.Namespace).
		Patch(ctx, deployment.Name, types.MergePatchType, patch, metav1.PatchOptions{}, "status")
	return gone(err)
}

// A merge patch needs the zeroes, which the JSON of a status omits.
func zeroes(status apps.DeploymentStatus) map[string]any {
	return map[string]any{
		"observedGeneration": status.ObservedGeneration,
		"replicas":           status.Replicas,
		"updatedReplicas":    status.UpdatedReplicas,
		"readyReplicas":      status.ReadyReplicas,
		"availableReplicas":  status.AvailableReplicas,
		"conditions":         status.Conditions,
	}
}

func (w workloads) ready(ctx context.Context, node *core.Node) error {
	for _, each := range node.Status.Conditions {
		if each.Type == core.NodeReady && each.Status == core.ConditionTrue {
			return nil
		}
	}
	now := metav1.Now()
	ready := core.NodeCondition{
		Type: core.NodeReady, Status: core.ConditionTrue, Reason: "LandscapeActor",
		Message: "no kubelet runs in this landscape", LastHeartbeatTime: now, LastTransitionTime: now,
	}
	// The list of conditions merges by type in a strategic merge patch: those of others stay.
	patch, err := json.Marshal(map[string]any{"status": map[string]any{"conditions": []core.NodeCondition{ready}}})
	if err != nil {
		return err
	}
	_, err = w.client.CoreV1().Nodes().
		Patch(ctx, node.Name, types.StrategicMergePatchType, patch, metav1.PatchOptions{}, "status")
	return gone(err)
}

// An object that is not there needs nothing.
func gone(err error) error {
	if errors.IsNotFound(err) {
		return nil
	}
	return err
}

package actor

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"

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
	deployments, of := factory.Apps().V1().Deployments(), pods{w.client, factory.Core().V1().Pods().Lister()}
	add := onChange(ctx, log, deployments.Informer(), func(ctx context.Context, key string) error {
		namespace, name, err := cache.SplitMetaNamespaceKey(key)
		if err != nil {
			return err
		}
		deployment, err := deployments.Lister().Deployments(namespace).Get(name)
		if err != nil {
			return gone(err)
		}
		if err := of.create(ctx, deployment); err != nil {
			return err
		}
		return w.available(ctx, deployment)
	})
	// A Pod that somebody deletes comes again.
	_, _ = factory.Core().V1().Pods().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(object any) {
		if pod, ok := object.(*core.Pod); ok {
			if owner := metav1.GetControllerOf(pod); owner != nil && owner.Kind == "Deployment" {
				add(pod.Namespace + "/" + owner.Name)
			}
		}
	}})
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
	replicas := replicas(deployment.Spec.Replicas)
	want := map[string]any{
		"observedGeneration": deployment.Generation,
		"replicas":           replicas, "updatedReplicas": replicas, "readyReplicas": replicas, "availableReplicas": replicas,
	}
	now := metav1.Now()
	var conditions []apps.DeploymentCondition
	// The reasons are those of Kubernetes' controller: gardener-resource-manager looks at the second.
	for kind, reason := range map[apps.DeploymentConditionType]string{
		apps.DeploymentAvailable: "MinimumReplicasAvailable", apps.DeploymentProgressing: "NewReplicaSetAvailable",
	} {
		if !slices.ContainsFunc(deployment.Status.Conditions, func(each apps.DeploymentCondition) bool {
			return each.Type == kind && each.Status == core.ConditionTrue
		}) {
			conditions = append(conditions, apps.DeploymentCondition{
				Type: kind, Status: core.ConditionTrue, Reason: reason,
				Message: "no Pod runs in this landscape", LastTransitionTime: now, LastUpdateTime: now,
			})
		}
	}
	if len(conditions) > 0 {
		want["conditions"] = append(conditions, deployment.Status.Conditions...)
	}
	patch, err := statusPatch(deployment.Status, want)
	if patch == nil || err != nil {
		return err
	}
	_, err = w.client.AppsV1().Deployments(deployment.Namespace).
		Patch(ctx, deployment.Name, types.MergePatchType, patch, metav1.PatchOptions{}, "status")
	return gone(err)
}

func replicas(of *int32) int32 {
	if of == nil {
		return 1
	}
	return *of
}

// The merge patch that gives a status what `want` has, or nothing where it has that. A merge patch needs the zeroes, which
// the JSON of a status omits.
func statusPatch(status any, want map[string]any) ([]byte, error) {
	text, err := json.Marshal(status)
	if err != nil {
		return nil, err
	}
	var have map[string]any
	if err := json.Unmarshal(text, &have); err != nil {
		return nil, err
	}
	isSame := true
	for name, value := range want {
		number, ok := have[name]
		if !ok {
			number = 0
		}
		isSame = isSame && fmt.Sprint(number) == fmt.Sprint(value)
	}
	if isSame {
		return nil, nil
	}
	return json.Marshal(map[string]any{"status": want})
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

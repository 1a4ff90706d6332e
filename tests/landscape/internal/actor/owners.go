package actor

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

// Collects objects whose owners have gone. It watches the metadata of all objects of a cluster.
type owners struct {
	log       *slog.Logger
	discovery discovery.DiscoveryInterface
	objects   metadata.Interface
	queue     workqueue.TypedRateLimitingInterface[types.UID]
	// Receives a value when a CustomResourceDefinition has changed.
	changed chan struct{}

	mutex   sync.Mutex
	watched map[resource]bool
	known   map[types.UID]known
	// Dependents by the owner's id.
	dependents map[types.UID]map[types.UID]bool
}

// An object that exists, as far as the watches have said.
type known struct {
	resource resource
	object   *metav1.PartialObjectMetadata
}

func newOwners(log *slog.Logger, discovery discovery.DiscoveryInterface, objects metadata.Interface) *owners {
	return &owners{
		log: log, discovery: discovery, objects: objects,
		queue: newQueue[types.UID](), changed: make(chan struct{}, 1), watched: map[resource]bool{},
		known: map[types.UID]known{}, dependents: map[types.UID]map[types.UID]bool{},
	}
}

// Begins, and looks for further kinds whenever a CustomResourceDefinition changes.
func (o *owners) start(ctx context.Context) error {
	if err := o.watch(ctx); err != nil {
		return err
	}
	go work(ctx, o.log, o.queue, o.collect)
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-o.changed:
				// The API server serves a kind a moment after its definition is established.
				time.Sleep(time.Second)
				if err := o.watch(ctx); err != nil && ctx.Err() == nil {
					o.log.Warn("the actor cannot list kinds", "error", err)
				}
			}
		}
	}()
	return nil
}

func (o *owners) watch(ctx context.Context) error {
	all, err := deletable(o.discovery)
	if err != nil {
		return err
	}
	for _, each := range all {
		o.mutex.Lock()
		seen := o.watched[each]
		o.watched[each] = true
		o.mutex.Unlock()
		if seen {
			continue
		}
		informer := metadatainformer.NewFilteredMetadataInformer(
			o.objects, each.GroupVersionResource, metav1.NamespaceAll, 0, cache.Indexers{}, nil).Informer()
		_, _ = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc:    func(object any) { o.exists(each, object) },
			UpdateFunc: func(_, object any) { o.exists(each, object) },
			DeleteFunc: o.gone,
		})
		go informer.Run(ctx.Done())
	}
	return nil
}

func (o *owners) exists(resource resource, object any) {
	meta, ok := object.(*metav1.PartialObjectMetadata)
	if !ok {
		return
	}
	if resource.Resource == "customresourcedefinitions" {
		select {
		case o.changed <- struct{}{}:
		default:
		}
	}
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.known[meta.UID] = known{resource, meta}
	for _, owner := range meta.OwnerReferences {
		if o.dependents[owner.UID] == nil {
			o.dependents[owner.UID] = map[types.UID]bool{}
		}
		o.dependents[owner.UID][meta.UID] = true
	}
	if len(meta.OwnerReferences) > 0 || foreground(meta) {
		o.queue.Add(meta.UID)
	}
}

func (o *owners) gone(object any) {
	if tombstone, ok := object.(cache.DeletedFinalStateUnknown); ok {
		object = tombstone.Obj
	}
	meta, ok := object.(*metav1.PartialObjectMetadata)
	if !ok {
		return
	}
	o.mutex.Lock()
	defer o.mutex.Unlock()
	delete(o.known, meta.UID)
	for dependent := range o.dependents[meta.UID] {
		o.queue.Add(dependent)
	}
	for _, owner := range meta.OwnerReferences {
		delete(o.dependents[owner.UID], meta.UID)
		// An owner that waits for its dependents.
		o.queue.Add(owner.UID)
	}
	if len(o.dependents[meta.UID]) == 0 {
		delete(o.dependents, meta.UID)
	}
}

func foreground(meta *metav1.PartialObjectMetadata) bool {
	return meta.DeletionTimestamp != nil && slices.Contains(meta.Finalizers, metav1.FinalizerDeleteDependents)
}

// Deletes an object that no owner holds any more; finishes a foreground deletion.
func (o *owners) collect(ctx context.Context, id types.UID) error {
	o.mutex.Lock()
	this, ok := o.known[id]
	var dependents []known
	for dependent := range o.dependents[id] {
		if each, ok := o.known[dependent]; ok {
			dependents = append(dependents, each)
		}
	}
	o.mutex.Unlock()
	if !ok {
		return nil
	}
	if foreground(this.object) {
		return o.finishForeground(ctx, this, dependents)
	}
	if this.object.DeletionTimestamp != nil || len(this.object.OwnerReferences) == 0 {
		return nil
	}
	for _, owner := range this.object.OwnerReferences {
		alive, err := o.alive(ctx, owner, this.object.Namespace)
		if alive || err != nil {
			return err
		}
	}
	return o.delete(ctx, this, metav1.DeletePropagationBackground)
}

func (o *owners) finishForeground(ctx context.Context, owner known, dependents []known) error {
	waits := false
	for _, each := range dependents {
		blocks := slices.ContainsFunc(each.object.OwnerReferences, func(reference metav1.OwnerReference) bool {
			return reference.UID == owner.object.UID && reference.BlockOwnerDeletion != nil && *reference.BlockOwnerDeletion
		})
		waits = waits || blocks
		if each.object.DeletionTimestamp == nil {
			if err := o.delete(ctx, each, metav1.DeletePropagationForeground); err != nil {
				return err
			}
		}
	}
	if waits {
		// The dependent's end calls this function again.
		return nil
	}
	left := slices.DeleteFunc(slices.Clone(owner.object.Finalizers), func(finalizer string) bool {
		return finalizer == metav1.FinalizerDeleteDependents
	})
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{
		"finalizers": left, "resourceVersion": owner.object.ResourceVersion,
	}})
	if err != nil {
		return err
	}
	_, err = o.objects.Resource(owner.resource.GroupVersionResource).Namespace(owner.object.Namespace).
		Patch(ctx, owner.object.Name, types.MergePatchType, patch, metav1.PatchOptions{})
	return gone(err)
}

// Whether an owner exists. The API server has the last word: a watch may be late.
func (o *owners) alive(ctx context.Context, owner metav1.OwnerReference, namespace string) (bool, error) {
	o.mutex.Lock()
	_, ok := o.known[owner.UID]
	var of *resource
	for each := range o.watched {
		if each.kind == owner.Kind && each.GroupVersion().String() == owner.APIVersion {
			of = &each
		}
	}
	o.mutex.Unlock()
	if ok || of == nil {
		// Of a kind that is not served, nobody knows. The real collector keeps the dependent too.
		return true, nil
	}
	if !of.namespaced {
		namespace = metav1.NamespaceNone
	}
	object, err := o.objects.Resource(of.GroupVersionResource).Namespace(namespace).Get(ctx, owner.Name, metav1.GetOptions{})
	if err != nil {
		return false, gone(err)
	}
	return object.UID == owner.UID, nil
}

func (o *owners) delete(ctx context.Context, this known, how metav1.DeletionPropagation) error {
	return gone(o.objects.Resource(this.resource.GroupVersionResource).Namespace(this.object.Namespace).
		Delete(ctx, this.object.Name, metav1.DeleteOptions{
			Preconditions: metav1.NewUIDPreconditions(string(this.object.UID)), PropagationPolicy: &how,
		}))
}

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	core "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"landscape/internal/launch"
	"landscape/internal/servers"
)

// The namespace of Gardener's own objects, which each seed has: that of the Lease.
const garden = "garden"

// The extension, and the cloud where it works.
type extension struct {
	trellis   *servers.Trellis
	simulator *servers.Simulator
	cloud     *cloud
	// What the account has before its first Shoot.
	before inventory
}

// Whether TRELLIS names a program that can do what is needed, before anything is started: `make start` builds one that lacks some commands.
func checkProgram(isGarden bool) error {
	program := os.Getenv("TRELLIS")
	if program == "" {
		return nil
	}
	commands := []string{"simulate", "run"}
	if isGarden {
		commands = append(commands, "admission")
	}
	for _, command := range commands {
		if output, err := exec.Command(program, command, "--help").CombinedOutput(); err != nil {
			return fmt.Errorf("%s cannot do `%s` (%w): build it with all commands by `make program`, or start by `make landscape`: %.300s", program, command, err, output)
		}
	}
	return nil
}

// Starts a simulated cloud, whose one account has the access key of the Secret and the images of the CloudProfile, and the extension. Without TRELLIS, which
// names the program, there is none.
func startExtension(ctx context.Context, landscape *launch.Landscape, isGarden bool, found map[string]map[string]any) (*extension, error) {
	program := os.Getenv("TRELLIS")
	if program == "" {
		return nil, nil
	}
	provider, _, err := unstructured.NestedString(found["Shoot"], "spec", "provider", "type")
	if err != nil {
		return nil, err
	}
	credentials, err := secretData(found["Secret"])
	if err != nil {
		return nil, err
	}
	key := servers.AccessKey{ID: credentials["accessKeyID"], Secret: credentials["accessKeySecret"]}
	if key.ID == "" || key.Secret == "" {
		return nil, errors.New("the Secret has no accessKeyID and accessKeySecret, which the simulated cloud needs")
	}
	folder := filepath.Dir(landscape.Seed)
	images, err := imagesOf(found["CloudProfile"])
	if err != nil {
		return nil, err
	}
	simulator, err := servers.NewSimulator(program, folder, key, images...)
	if err != nil {
		return nil, err
	}
	fmt.Println("starting trellis simulate, a cloud at", simulator.URL)
	if err := landscape.Run(ctx, simulator); err != nil {
		return nil, err
	}
	cloud := &cloud{simulator.URL, key}
	if err := cloud.prepare(ctx); err != nil {
		return nil, err
	}
	before, err := cloud.inventory(ctx)
	if err != nil {
		return nil, err
	}
	if err := createGarden(ctx, landscape.Seed); err != nil {
		return nil, err
	}
	if isGarden {
		fmt.Println("starting trellis admission, which the garden calls for what people send")
		if err := landscape.Admit(ctx, program, provider, simulator.URL); err != nil {
			return nil, err
		}
	}
	trellis, err := servers.NewTrellis(servers.TrellisOptions{
		Program: program, Folder: folder,
		Provider: provider, Kubeconfig: landscape.Seed, Namespace: garden, Cloud: simulator.URL,
	})
	if err != nil {
		return nil, err
	}
	fmt.Println("starting trellis run, with its log in", trellis.Log)
	return &extension{trellis, simulator, cloud, before}, landscape.Run(ctx, trellis)
}

func createGarden(ctx context.Context, kubeconfig string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	namespace := &core.Namespace{ObjectMeta: metav1.ObjectMeta{Name: garden}}
	_, err = client.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{})
	return err
}

// Command gardenlet-driver serves the line protocol of package driver on standard input and output.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/go-logr/logr"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
	controllerlog "sigs.k8s.io/controller-runtime/pkg/log"

	"landscape/internal/driver"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "gardenlet-driver:", err)
		os.Exit(1)
	}
}

func run() error {
	if len(os.Args) != 2 && len(os.Args) != 3 {
		return errors.New("usage: gardenlet-driver SEED-KUBECONFIG [SHOOT-KUBECONFIG]")
	}
	// Of the seed and of the Shoot.
	var configs [2]*rest.Config
	for i, path := range os.Args[1:] {
		config, err := clientcmd.BuildConfigFromFlags("", path)
		if err != nil {
			return err
		}
		// For a hundred Shoots at a time.
		config.QPS, config.Burst = 200, 400
		configs[i] = config
	}
	// What gardenlet would log, answers say.
	controllerlog.SetLogger(logr.Discard())
	klog.SetLogger(logr.Discard())
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	served, err := driver.New(ctx, configs[0], configs[1])
	if err != nil {
		return err
	}
	return served.Serve(ctx, os.Stdin, os.Stdout)
}

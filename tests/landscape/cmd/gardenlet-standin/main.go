// Command gardenlet-standin serves the line protocol of package standin on standard input and output.
package main

import (
	"context"
	"fmt"
	"os"

	"k8s.io/client-go/tools/clientcmd"

	"landscape/internal/standin"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "gardenlet-standin:", err)
		os.Exit(1)
	}
}

func run() error {
	if len(os.Args) != 2 {
		return fmt.Errorf("usage: gardenlet-standin KUBECONFIG")
	}
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	if err != nil {
		return err
	}
	// For a hundred Shoots at a time.
	config.QPS, config.Burst = 200, 400
	client, err := standin.NewClient(config)
	if err != nil {
		return err
	}
	return standin.Serve(context.Background(), client, os.Stdin, os.Stdout)
}

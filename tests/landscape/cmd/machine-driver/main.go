// Command machine-driver creates and deletes the machines of machine-controller-manager as instances of Alibaba Cloud, at an
// endpoint of one's choice:
//
//	machine-driver --endpoint=http://127.0.0.1:PORT --namespace=NAMESPACE --control-kubeconfig=SEED --target-kubeconfig=SHOOT
//
// All else is the code of machine-controller-manager that each such driver has, with its other flags.
package main

import (
	"errors"
	"fmt"
	"net/url"
	"os"

	"github.com/gardener/machine-controller-manager/pkg/util/provider/app"
	"github.com/gardener/machine-controller-manager/pkg/util/provider/app/options"
	"github.com/spf13/pflag"
	"k8s.io/component-base/cli/flag"
	"k8s.io/component-base/logs"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "machine-driver:", err)
		os.Exit(1)
	}
}

func run() error {
	server := options.NewMCServer()
	server.AddFlags(pflag.CommandLine)
	endpoint := pflag.String("endpoint", "", "URL of the cloud, with a scheme")
	flag.InitFlags()
	logs.InitLogs()
	defer logs.FlushLogs()
	cloud, err := url.Parse(*endpoint)
	if err != nil {
		return err
	}
	if cloud.Scheme == "" || cloud.Host == "" {
		return errors.New("--endpoint needs a URL with a scheme and a host")
	}
	return app.Run(server, &machines{cloud})
}

package main

import (
	"cmp"
	"os"
	"os/exec"
	"strings"

	"landscape/internal/launch"
)

const withoutExtension = `Try, in another terminal:

  export KUBECONFIG={seed}
  kubectl get infrastructures --all-namespaces
  kubectl --namespace {namespace} describe infrastructure {name}
  kubectl get cluster {namespace} --output yaml
  kubectl --namespace {namespace} get infrastructure {name} --watch --output-watch-events

Nobody reconciles the Infrastructure until an extension runs with this kubeconfig. To ask for a reconciliation:

  kubectl --namespace {namespace} annotate --overwrite infrastructure {name} gardener.cloud/operation=reconcile
`

const withExtension = `Try, in another terminal:

  export KUBECONFIG={seed}
  kubectl get infrastructures,controlplanes,workers,dnsrecords,bastions.extensions.gardener.cloud --all-namespaces
  kubectl get backupbuckets.extensions.gardener.cloud,backupentries.extensions.gardener.cloud
  kubectl --namespace {namespace} describe infrastructure {name}
  kubectl --namespace {namespace} get events
  kubectl --namespace {namespace} get managedresources,deployments,machinedeployments,machines
  kubectl --namespace {namespace} get infrastructure {name} --watch --output-watch-events

Ask for a reconcile, as gardenlet does. This terminal, too, shows what the status says:

  kubectl --namespace {namespace} annotate --overwrite infrastructure {name} gardener.cloud/operation=reconcile

Let Trellis leave the Infrastructure alone: what you ask for then waits, and the status says so. Then let Trellis go on:

  kubectl --namespace {namespace} annotate infrastructure {name} trellis.gardener.cloud/pause=true
  kubectl --namespace {namespace} annotate --overwrite infrastructure {name} gardener.cloud/operation=reconcile
  kubectl --namespace {namespace} annotate infrastructure {name} trellis.gardener.cloud/pause-

Let Trellis take the bastion, the machines, the control plane and the network down, each once the one before has gone:

  kubectl --namespace {namespace} delete bastions.extensions.gardener.cloud of-a-person
  kubectl --namespace {namespace} delete worker {name}
  kubectl --namespace {namespace} delete controlplane {name}
  kubectl --namespace {namespace} delete infrastructure {name}

Look at Trellis and at the simulated cloud:

  tail -f {log}
  curl {metrics}
  curl {health}
  curl {cloud}/_simulator/inventory
  curl {cloud}/_simulator/calls/counts
`

const withGarden = `
Send Shoots to Gardener's own API server, from the folder of the repository. It asks trellis admission; nothing is stored:

  kubectl apply --dry-run=server --output yaml --filename examples/two-zones.yaml
  sed s#10.250.32.0/19#10.250.8.0/19# examples/two-zones.yaml | kubectl apply --dry-run=server --filename -
  {trellis} scan --kubeconfig {seed}
`

// What a person may do now. `extension` is nil where nobody reconciles.
func instructions(landscape *launch.Landscape, extension *extension, isGarden bool, namespace, name string) string {
	text := withoutExtension
	values := []string{"{seed}", landscape.Seed, "{shoot}", landscape.Shoot, "{namespace}", namespace, "{name}", name}
	if extension != nil {
		text = withExtension
		values = append(values, "{log}", extension.trellis.Log, "{metrics}", extension.trellis.Metrics,
			"{health}", extension.trellis.Health, "{cloud}", extension.simulator.URL)
	}
	if isGarden {
		text += withGarden
		values = append(values, "{trellis}", cmp.Or(os.Getenv("TRELLIS"), "trellis"))
	}
	text += "\nLook into the Shoot's own API server:\n\n" +
		"  kubectl --kubeconfig {shoot} get nodes\n" +
		"  kubectl --kubeconfig {shoot} --namespace kube-system get deployments,daemonsets\n\n"
	if _, err := exec.LookPath("kubectl"); err != nil {
		text += "kubectl is not on the PATH: https://kubernetes.io/docs/tasks/tools/ says how to install it.\n\n"
	}
	return strings.NewReplacer(values...).Replace(text) + "Ctrl-C ends everything.\n"
}

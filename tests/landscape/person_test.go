package landscape_test

import (
	"bufio"
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestAPersonSeesTrellisReconcile(t *testing.T) {
	if os.Getenv("TRELLIS") == "" {
		t.Fatal("TRELLIS has to name the program, and TRELLIS_POLICIES its policies: `make test-landscape` does both")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*patience)
	defer cancel()
	folder := filepath.Join(t.TempDir(), "landscape")
	arguments := []string{"try", "--gardener", folder}
	for _, example := range []string{"two-zones", "cloudprofile-regions", "secret", "seed"} {
		arguments = append(arguments, filepath.Join("..", "..", "examples", example+".yaml"))
	}
	command := exec.CommandContext(ctx, launcher(), arguments...)
	command.Stderr = os.Stderr
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Process.Kill(); _ = command.Wait() })

	lines := bufio.NewScanner(output)
	var told strings.Builder
	var addresses []string
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "Ctrl-C ") {
		told.WriteString(lines.Text() + "\n")
		if address, ok := strings.CutPrefix(lines.Text(), "  curl "); ok {
			addresses = append(addresses, address)
		}
	}
	for _, wanted := range []string{
		"starting trellis admission, which the garden calls for what people send",
		"Infrastructure shoot--dev--two-zones/two-zones: Create Processing, 1%: ",
		"Infrastructure shoot--dev--two-zones/two-zones: Create Succeeded, 100%: ",
		"waiting, as gardenlet does, until the ControlPlane is ready",
		"waiting, as gardenlet does, until the Worker is ready",
		"ControlPlane shoot--dev--two-zones/two-zones: Create Succeeded, 100%: ",
		"Worker shoot--dev--two-zones/two-zones: Create Succeeded, 100%: ",
		"Trellis has made the network, the control plane and the machines",
	} {
		if !strings.Contains(told.String(), wanted) {
			t.Fatalf("%q is not in what a person sees:\n%s", wanted, &told)
		}
	}
	if len(addresses) != 4 {
		t.Errorf("metrics, readiness, inventory and calls have an address each: %v", addresses)
	}
	for _, address := range addresses {
		if answer, err := http.Get(address); err != nil || answer.StatusCode != http.StatusOK {
			t.Errorf("%s: %v, %v", address, answer, err)
		}
	}

	if err := command.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	for lines.Scan() {
	}
	if err := command.Wait(); err != nil {
		t.Errorf("Ctrl-C: %v", err)
	}
	if left, err := os.Stat(filepath.Join(folder, "etcd")); !os.IsNotExist(err) {
		t.Errorf("the data of etcd is left: %v, %v", left, err)
	}
	for _, address := range addresses {
		if _, err := http.Get(address); err == nil {
			t.Errorf("%s still answers", address)
		}
	}
}

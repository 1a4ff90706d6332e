package landscape_test

import (
	"bufio"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// What a person reads in the life of a Shoot of what gardenlet's code does.
var chapters = []struct {
	// What Enter does; the first begins by itself.
	offer   string
	inOrder []string
}{
	{"", []string{
		"starting trellis admission, which the garden calls for what people send\n",
		"until the BackupBucket of the seed is ready\n",
		"until the internal DNSRecord is ready\n",
		"until the external DNSRecord is ready\n",
		"until the BackupEntry of the Shoot is ready\n",
		"until the Infrastructure is ready\n",
		"until the ControlPlane is ready\n",
		"until the Worker is ready\n",
		"until the ingress DNSRecord is ready\n",
		"until the Bastion of a person is ready\n",
		"Trellis has made the network, the control plane and the machines of the Shoot",
		"3 ecs:instances, ",
		"\nCtrl-C ends everything.\n",
	}},
	{"ask for a reconcile of everything, as gardenlet does each day", []string{"\n0 of these calls changed something in it: "}},
	{"hibernate the Shoot", []string{"until the Worker is ready\n", "deleting the internal DNSRecord\n", "had 3 instances and has 1:"}},
	{"wake the Shoot up", []string{"until the ingress DNSRecord is ready\n", "The Shoot is awake", "3 ecs:instances, "}},
	{"migrate the Shoot: it leaves the seed, and comes back with what gardenlet has saved", []string{
		"deleting the Bastion of a person\n",
		"migrating the Worker\n",
		"migrating the Infrastructure\n",
		"The Shoot has left: ",
		"until the Worker is ready\n",
		"\n0 of these calls changed something in it: ",
		"2 ecs:instances, ",
	}},
	{"delete the Shoot, and the seed's bucket", []string{
		"deleting the Worker\n",
		"deleting the ControlPlane\n",
		"deleting the Infrastructure\n",
		"deleting the BackupBucket of the seed\n",
		"nothing of it is left: the simulated cloud has what it had before it.\n",
	}},
}

// What the statuses of objects say meanwhile, and how many times. They come a moment after gardenlet's code has seen them, or before. While the Shoot falls
// asleep, its ControlPlane looks again and again.
var statuses = map[string]int{
	"BackupBucket [^ ]+: Create Succeeded":                                             1,
	"BackupBucket [^ ]+: Reconcile Processing, 1%: Reconciling ":                       2,
	"BackupEntry shoot--dev--two-zones--[^ ]+: Reconcile Processing, 1%: Reconciling ": 3,
	"DNSRecord [^ ]+: Create Processing, 1%: Reconciling ":                             6,
	"DNSRecord [^ ]+: Reconcile Processing, 1%: Reconciling ":                          3,
	"Infrastructure [^ ]+: Create Processing, 1%: Reconciling ":                        1,
	"Infrastructure [^ ]+: Reconcile Processing, 1%: Reconciling ":                     3,
	"ControlPlane [^ ]+: Create Succeeded":                                             1,
	"Worker [^ ]+: Create Succeeded":                                                   1,
	"Worker [^ ]+: Reconcile Processing, 1%: Reconciling ":                             3,
	"Bastion [^ ]+: Create Succeeded":                                                  1,
	"(BackupEntry|DNSRecord|Infrastructure|ControlPlane|Worker) .* Migrate Succeeded":  7,
	"(BackupEntry|DNSRecord|Infrastructure|ControlPlane|Worker) .* Restore Succeeded":  7,
	"(Infrastructure|ControlPlane|Worker|Bastion) .* Delete Succeeded":                 4,
}

func TestAPersonSeesTheLifeOfAShoot(t *testing.T) {
	if os.Getenv("TRELLIS") == "" {
		t.Fatal("TRELLIS has to name the program, and TRELLIS_POLICIES its policies: `make test-landscape` does both")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*patience)
	defer cancel()
	folder := filepath.Join(t.TempDir(), "landscape")
	arguments := []string{"try", "--gardener", folder}
	for _, example := range []string{"two-zones", "cloudprofile-regions", "secret", "seed"} {
		arguments = append(arguments, filepath.Join("..", "..", "examples", example+".yaml"))
	}
	command := exec.CommandContext(ctx, launcher(), arguments...)
	command.Stderr = os.Stderr
	input, keyboard := terminal(t)
	command.Stdin = input
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Process.Kill(); _ = command.Wait() })

	lines := bufio.NewScanner(output)
	// What a person sees in each chapter, and what Enter does after it.
	var seen, offers []string
	var chapter strings.Builder
	var addresses []string
	for isOver := false; !isOver && lines.Scan(); {
		line := lines.Text()
		chapter.WriteString(line + "\n")
		if address, ok := strings.CutPrefix(line, "  curl "); ok {
			addresses = append(addresses, address)
		}
		offer, isOffer := strings.CutPrefix(line, "Enter: ")
		isOver = line == "Ctrl-C ends the landscape." || strings.HasPrefix(offer, "try that again")
		if isOffer || isOver {
			seen = append(seen, chapter.String())
			chapter.Reset()
		}
		if isOffer && !isOver {
			offers = append(offers, offer)
			if _, err := keyboard.WriteString("\n"); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(seen) != len(chapters) || len(offers) != len(chapters)-1 {
		t.Fatalf("%d chapters with the offers %q; a person sees:\n%s\nand then:\n%s", len(seen), offers, strings.Join(seen, ""), &chapter)
	}
	for i, wanted := range chapters {
		if i > 0 && offers[i-1] != wanted.offer {
			t.Errorf("Enter does %q where it should do %q", offers[i-1], wanted.offer)
		}
		from := seen[i]
		for _, text := range wanted.inOrder {
			at := strings.Index(from, text)
			if at < 0 {
				t.Fatalf("%q is not there, or not in its place, in what a person sees:\n%s", text, seen[i])
			}
			from = from[at+len(text):]
		}
	}
	for pattern, times := range statuses {
		if found := len(regexp.MustCompile("(?m)^"+pattern).FindAllString(strings.Join(seen, ""), -1)); found != times {
			t.Errorf("%q is %d times, not %d, in what a person sees:\n%s", pattern, found, times, strings.Join(seen, ""))
		}
	}
	if len(addresses) != 4 {
		t.Fatalf("metrics, readiness, inventory and calls have an address each: %v", addresses)
	}
	if left := kindsOf(t, addresses[2]); !maps.Equal(left, map[string]int{"alidns:domains": 1, "ecs:images": 2, "ram:roles": 1}) {
		t.Errorf("the cloud has what no account has before its first Shoot: %v", left)
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

// How many things of each kind a simulated cloud has.
func kindsOf(t *testing.T, inventory string) map[string]int {
	t.Helper()
	answer, err := http.Get(inventory + "/summary")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	// By account and region.
	var read map[string]map[string]map[string]int
	if err := json.NewDecoder(answer.Body).Decode(&read); err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for _, regions := range read {
		for _, kinds := range regions {
			for kind, count := range kinds {
				found[kind] += count
			}
		}
	}
	return found
}

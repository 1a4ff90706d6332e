package landscape_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func send(t *testing.T, line string, wanted string) ready {
	t.Helper()
	if _, err := fmt.Fprintln(shared.input, line); err != nil {
		t.Fatal(err)
	}
	event, err := await(shared.lines, wanted)
	if err != nil {
		t.Fatal(err)
	}
	return event
}

func TestAServerStartsAgainWithItsDataAndWaitsWaitOn(t *testing.T) {
	const namespace = "shoot--dev--outage"
	ctx, client := context.Background(), clientOf(t, shared.Seed).CoreV1().ConfigMaps("default")
	if _, err := client.Create(ctx, configMap("kept"), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	driver := startDriver(t)
	driver.prepare(namespace)
	driver.do("deploy", with(of(namespace), fields{"shoot": shoot(), "annotateOperation": true}))
	driver.ask("wait", of(namespace))
	pids := shared.PIDs
	for _, server := range []string{"seed-apiserver", "etcd"} {
		event := send(t, fmt.Sprintf(`{"command":"restart","server":%q}`, server), "restarted")
		for name, pid := range event.PIDs {
			if changed := pid != pids[name]; changed != (name == server) || !alive(pid) {
				t.Errorf("after the restart of %s, %s has process %d, before %d", server, name, pid, pids[name])
			}
		}
		pids = event.PIDs
		eventually(t, "the data is there", func() bool {
			_, err := client.Get(ctx, "kept", metav1.GetOptions{})
			return err == nil
		})
	}
	startExtension(t, namespace)
	if answer := driver.answer(); answer.Error != nil {
		t.Errorf("a wait ended with an outage: %s", answer.Error.Message)
	}
}

func TestALineThatIsNoCommandIsRefused(t *testing.T) {
	for line, want := range map[string]string{
		`restart`:                                "not a command",
		`{"command":"fly"}`:                      `unknown command "fly"`,
		`{"command":"restart","server":"other"}`: `no server "other"`,
		`{"command":"machines","namespace":"a"}`: "need a namespace and an endpoint",
		`{"command":"stopMachines"}`:             "nobody looks after the machines",
	} {
		if event := send(t, line, "refused"); !strings.Contains(event.Message, want) {
			t.Errorf("%s: %+v", line, event)
		}
	}
}

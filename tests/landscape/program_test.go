package landscape_test

import (
	"bufio"
	"encoding/json"
	"io"
	"os/exec"
	"testing"
)

type fields = map[string]any

// gardenlet-driver as a program, as tests in other languages use it.
type program struct {
	t     *testing.T
	input io.Writer
	lines *bufio.Scanner
	next  int64
}

type answer struct {
	ID     int64
	Result fields
	Error  *struct {
		Message string
		Codes   []string
	}
}

func startDriver(t *testing.T) *program {
	t.Helper()
	command := exec.Command(driverProgram(), shared.Seed, shared.Shoot)
	input, output := startProgram(t, command)
	t.Cleanup(func() {
		_ = input.Close()
		if err := command.Wait(); err != nil {
			t.Errorf("gardenlet-driver does not end well with its input: %v", err)
		}
	})
	lines := bufio.NewScanner(output)
	lines.Buffer(nil, 4<<20)
	return &program{t: t, input: input, lines: lines}
}

func (p *program) line(line string) answer {
	p.t.Helper()
	if _, err := io.WriteString(p.input, line+"\n"); err != nil {
		p.t.Fatal(err)
	}
	return p.answer()
}

// Sends one command.
func (p *program) ask(command string, further fields) {
	p.t.Helper()
	p.next++
	line, err := json.Marshal(with(further, fields{"id": p.next, "command": command}))
	if err != nil {
		p.t.Fatal(err)
	}
	if _, err := p.input.Write(append(line, '\n')); err != nil {
		p.t.Fatal(err)
	}
}

func (p *program) answer() answer {
	p.t.Helper()
	if !p.lines.Scan() {
		p.t.Fatalf("no answer: %v", p.lines.Err())
	}
	var got answer
	if err := json.Unmarshal(p.lines.Bytes(), &got); err != nil {
		p.t.Fatal(err)
	}
	return got
}

// Sends one command and waits for its answer.
func (p *program) send(command string, further fields) answer {
	p.t.Helper()
	p.ask(command, further)
	got := p.answer()
	if got.ID != p.next {
		p.t.Fatalf("%s: the answer has id %d", command, got.ID)
	}
	return got
}

func (p *program) do(command string, further fields) fields {
	p.t.Helper()
	got := p.send(command, further)
	if got.Error != nil {
		p.t.Fatalf("%s: %s", command, got.Error.Message)
	}
	return got.Result
}

// A namespace with Cluster and credentials.
func (p *program) prepare(namespace string) {
	p.t.Helper()
	p.do("namespace", fields{"namespace": namespace, "shoot": shoot()})
	p.do("cluster", fields{"namespace": namespace, "shoot": shoot(), "cloudProfile": fields{"metadata": fields{"name": "alicloud"}}})
	p.do("cloudprovider", fields{"namespace": namespace, "data": fields{"accessKeyID": "nothing"}})
}

func (p *program) clean(namespace string) {
	p.t.Helper()
	p.do("deleteNamespace", fields{"namespace": namespace, "interval": 20, "timeout": patience.Milliseconds()})
}

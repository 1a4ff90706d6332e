package servers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"k8s.io/client-go/rest"

	"landscape/internal/process"
)

// Start of an API server takes seconds; this is for a machine that is busy with much else.
const startLimit = 2 * time.Minute

// APIServer is a kube-apiserver.
type APIServer struct {
	// Config is the administrator's. It trusts the server once the server has started.
	Config *rest.Config
	// Kubeconfig is a path: the file is there once the server has started, for those who start before the landscape is ready.
	Kubeconfig string

	name, program, folder, home string
	arguments                   []string
}

// NewAPIServer chooses the port and the credentials of a kube-apiserver. `cluster` names the server, and its part of etcd. One that
// aggregates can serve what other API servers serve.
func NewAPIServer(program, folder, cluster, etcd string, aggregates bool) (*APIServer, error) {
	home := filepath.Join(folder, cluster)
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, err
	}
	secrets, err := newCredentials(home)
	if err != nil {
		return nil, err
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	var further []string
	if aggregates {
		if further, err = aggregation(home); err != nil {
			return nil, err
		}
	}
	host := fmt.Sprintf("https://127.0.0.1:%d", port)
	return &APIServer{
		Config:     &rest.Config{Host: host, BearerToken: secrets.token, QPS: 200, Burst: 400},
		Kubeconfig: filepath.Join(home, "kubeconfig"),
		name:       cluster + "-apiserver",
		program:    program, folder: folder, home: home,
		arguments: append([]string{
			"--bind-address=127.0.0.1",
			"--advertise-address=127.0.0.1",
			fmt.Sprintf("--secure-port=%d", port),
			// A certificate that signs itself, made by the server where it is missing.
			"--cert-dir=" + home,
			"--etcd-servers=" + etcd,
			"--etcd-prefix=/" + cluster,
			"--endpoint-reconciler-type=none",
			"--service-cluster-ip-range=10.0.0.0/24",
			"--service-account-issuer=" + host,
			"--service-account-key-file=" + secrets.serviceAccountKey,
			"--service-account-signing-key-file=" + secrets.serviceAccountKey,
			// gardener-resource-manager asks for tokens for the second.
			"--api-audiences=kubernetes,gardener",
			"--token-auth-file=" + secrets.tokens,
			"--authorization-mode=RBAC",
			// Pods never run here, so nobody makes the accounts that this plugin asks for.
			"--disable-admission-plugins=ServiceAccount",
			"--allow-privileged=true",
			"--shutdown-watch-termination-grace-period=1s",
		}, further...),
	}, nil
}

// Name is `<cluster>-apiserver`.
func (s *APIServer) Name() string { return s.name }

// Grace is what a kube-apiserver needs to end its watches.
func (s *APIServer) Grace() time.Duration { return 10 * time.Second }

// Start starts kube-apiserver and waits until `/readyz` answers with ok. On an error nothing runs.
func (s *APIServer) Start(ctx context.Context) (*process.Process, error) {
	started, err := process.Start(s.name, s.folder, s.program, s.arguments...)
	if err != nil {
		return nil, err
	}
	if err := s.trust(ctx, started); err != nil {
		started.Stop(0)
		return nil, err
	}
	client, err := rest.HTTPClientFor(s.Config)
	if err == nil {
		err = ready(ctx, started, client, s.Config.Host+"/readyz")
	}
	if err == nil {
		err = WriteKubeconfig(s.Kubeconfig, s.name, s.Config)
	}
	if err != nil {
		started.Stop(0)
		return nil, err
	}
	return started, nil
}

// Takes the server's certificate once the server has written it.
func (s *APIServer) trust(ctx context.Context, server *process.Process) error {
	if len(s.Config.CAData) > 0 {
		return nil
	}
	return poll(ctx, server, "writes no certificate", func(context.Context) error {
		text, err := os.ReadFile(filepath.Join(s.home, "apiserver.crt"))
		if err == nil && len(text) == 0 {
			err = errors.New("the certificate is empty")
		}
		s.Config.CAData = text
		return err
	})
}

func ready(ctx context.Context, server *process.Process, client *http.Client, url string) error {
	return poll(ctx, server, "is not ready", func(ctx context.Context) error {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		response, err := client.Do(request)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		_, _ = io.Copy(io.Discard, response.Body)
		if response.StatusCode != http.StatusOK {
			return errors.New(response.Status)
		}
		return nil
	})
}

// Asks until there is no error, the server has ended or the limit has passed.
func poll(ctx context.Context, server *process.Process, what string, ask func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	for {
		once, stop := context.WithTimeout(ctx, 5*time.Second)
		err := ask(once)
		stop()
		if err == nil {
			return nil
		}
		select {
		case <-server.Done():
			return server.Err()
		case <-ctx.Done():
			return fmt.Errorf("%s %s: %w (%w); its log is %s", server.Name, what, err, ctx.Err(), server.Log)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

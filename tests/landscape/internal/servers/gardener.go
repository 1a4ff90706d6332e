package servers

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"landscape/internal/process"
)

// GardenerService is the Service by which kube-apiserver finds gardener-apiserver.
const GardenerService, GardenerNamespace = "gardener-apiserver", "kube-system"

// GardenerAPIServer is a gardener-apiserver.
type GardenerAPIServer struct {
	// Port is where it listens, on loopback.
	Port int
	// Authority is the certificate that clients have to trust, in PEM.
	Authority []byte

	program, folder string
	arguments       []string
}

// NewGardenerAPIServer chooses the port and the credentials of a gardener-apiserver next to a kube-apiserver, whose administrator it
// is: `garden` is the path of that kubeconfig, which has to be there when the server starts.
func NewGardenerAPIServer(program, folder, garden, etcd string) (*GardenerAPIServer, error) {
	home := filepath.Join(folder, GardenerService)
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, err
	}
	authority, err := newAuthority(GardenerService)
	if err != nil {
		return nil, err
	}
	certificate, key, err := authority.issue(home, "tls", fmt.Sprintf("%s.%s.svc", GardenerService, GardenerNamespace), loopback)
	if err != nil {
		return nil, err
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	return &GardenerAPIServer{port, authority.text, program, folder, []string{
		"--bind-address=" + loopback,
		fmt.Sprintf("--secure-port=%d", port),
		"--tls-cert-file=" + certificate,
		"--tls-private-key-file=" + key,
		"--etcd-servers=" + etcd,
		"--etcd-prefix=/gardener",
		"--cluster-identity=landscape",
		"--kubeconfig=" + garden,
		"--authentication-kubeconfig=" + garden,
		"--authorization-kubeconfig=" + garden,
		"--authorization-always-allow-paths=/readyz",
		"--shutdown-watch-termination-grace-period=1s",
	}}, nil
}

// Name is `gardener-apiserver`.
func (s *GardenerAPIServer) Name() string { return GardenerService }

// Grace is what an API server needs to end its watches.
func (s *GardenerAPIServer) Grace() time.Duration { return 10 * time.Second }

// Start starts gardener-apiserver and waits until `/readyz` answers with ok. On an error nothing runs.
func (s *GardenerAPIServer) Start(ctx context.Context) (*process.Process, error) {
	started, err := process.Start(s.Name(), s.folder, s.program, s.arguments...)
	if err != nil {
		return nil, err
	}
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(s.Authority)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS12}}}
	if err := ready(ctx, started, client, fmt.Sprintf("https://%s:%d/readyz", loopback, s.Port)); err != nil {
		started.Stop(0)
		return nil, err
	}
	return started, nil
}

// What a kube-apiserver needs to call other API servers for its clients, as flags. `home` is its folder.
func aggregation(home string) ([]string, error) {
	flags := []string{
		"--requestheader-username-headers=X-Remote-User",
		"--requestheader-group-headers=X-Remote-Group",
		"--requestheader-extra-headers-prefix=X-Remote-Extra-",
	}
	proxy, err := newAuthority("front-proxy-ca")
	if err != nil {
		return nil, err
	}
	certificate, key, err := proxy.issue(home, "front-proxy")
	if err != nil {
		return nil, err
	}
	// Nobody has a certificate of this one: the other API servers ask for an authority of clients, and this has to be another one.
	clients, err := newAuthority("client-ca")
	if err != nil {
		return nil, err
	}
	for flag, authority := range map[string]*authority{"requestheader-client-ca-file": proxy, "client-ca-file": clients} {
		path := filepath.Join(home, flag+".crt")
		if err := os.WriteFile(path, authority.text, 0o600); err != nil {
			return nil, err
		}
		flags = append(flags, fmt.Sprintf("--%s=%s", flag, path))
	}
	return append(flags, "--proxy-client-cert-file="+certificate, "--proxy-client-key-file="+key), nil
}

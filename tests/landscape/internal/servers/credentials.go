package servers

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"net"
	"os"
	"path/filepath"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// Credentials of one API server: a key for tokens of service accounts, and the token of its administrator.
type credentials struct {
	serviceAccountKey string
	tokens            string
	token             string
}

func newCredentials(folder string) (credentials, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return credentials{}, err
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return credentials{}, err
	}
	random := make([]byte, 24)
	if _, err := rand.Read(random); err != nil {
		return credentials{}, err
	}
	made := credentials{
		serviceAccountKey: filepath.Join(folder, "service-account.key"),
		tokens:            filepath.Join(folder, "tokens.csv"),
		token:             hex.EncodeToString(random),
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der})
	if err := os.WriteFile(made.serviceAccountKey, text, 0o600); err != nil {
		return credentials{}, err
	}
	// Columns: token, user, id of the user, groups.
	line := made.token + ",admin,admin,system:masters\n"
	return made, os.WriteFile(made.tokens, []byte(line), 0o600)
}

// WriteKubeconfig writes a kubeconfig by rename, so that a reader that sees the file sees all of it.
func WriteKubeconfig(path, cluster string, config *rest.Config) error {
	kubeconfig := clientcmdapi.NewConfig()
	kubeconfig.Clusters[cluster] = &clientcmdapi.Cluster{Server: config.Host, CertificateAuthorityData: config.CAData}
	kubeconfig.AuthInfos["admin"] = &clientcmdapi.AuthInfo{Token: config.BearerToken}
	kubeconfig.Contexts[cluster] = &clientcmdapi.Context{Cluster: cluster, AuthInfo: "admin"}
	kubeconfig.CurrentContext = cluster
	if err := clientcmd.WriteToFile(*kubeconfig, path+".new"); err != nil {
		return err
	}
	if err := os.Chmod(path+".new", 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// Where all servers listen.
const loopback = "127.0.0.1"

// A port that nobody listens on at this moment. Somebody may take it before a server does; the server then ends, and
// starting the landscape again helps.
func freePort() (int, error) {
	listener, err := net.Listen("tcp", loopback+":0")
	if err != nil {
		return 0, fmt.Errorf("no free port: %w", err)
	}
	defer listener.Close()
	address, ok := listener.Addr().(*net.TCPAddr)
	if !ok {
		return 0, fmt.Errorf("no TCP address: %v", listener.Addr())
	}
	return address.Port, nil
}

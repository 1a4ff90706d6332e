// Command build builds the programs of the landscape where they are missing, and prints the path of the launcher.
//
//	go run ./build
//
// Programs lie outside the checkout, in the user's cache folder (XDG_CACHE_HOME where set): a build takes minutes. Each is
// in a folder named after a digest of all that it is made of, so a change makes another folder. LANDSCAPE_PROGRAMS names a
// folder with all of them, ready built. Progress goes to standard error.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

const (
	kubernetesPath = "k8s.io/kubernetes"
	gardenerPath   = "github.com/gardener/gardener"
	// How long a folder stays that nobody uses.
	keepUnused = 30 * 24 * time.Hour
)

func main() {
	launcher, err := build()
	if err != nil {
		fmt.Fprintln(os.Stderr, "landscape: build:", err)
		os.Exit(1)
	}
	fmt.Println(launcher)
}

func build() (string, error) {
	if ready := os.Getenv("LANDSCAPE_PROGRAMS"); ready != "" {
		return filepath.Join(ready, "landscape"), nil
	}
	folder, err := moduleFolder()
	if err != nil {
		return "", err
	}
	cache, err := cacheFolder()
	if err != nil {
		return "", err
	}
	unlock, err := lock(cache)
	if err != nil {
		return "", err
	}
	defer unlock()

	gardenerModule, err := newModule(folder, gardenerPath)
	if err != nil {
		return "", err
	}
	// kube-apiserver and etcd alone: what Gardener needs of Kubernetes is of another release.
	serversModule, err := newModule(filepath.Join(folder, "servers"), kubernetesPath)
	if err != nil {
		return "", err
	}
	keys, err := digests(gardenerModule, serversModule)
	if err != nil {
		return "", err
	}
	servers := filepath.Join(cache, "servers-"+keys.servers)
	gardener := filepath.Join(cache, "gardener-"+keys.gardener)
	programs := filepath.Join(cache, "programs-"+keys.programs)
	if os.Getenv("KUBEBUILDER_ASSETS") == "" {
		err := compile(serversModule, servers, "kube-apiserver and etcd: some minutes the first time", []target{
			{name: "kube-apiserver", path: kubernetesPath + "/cmd/kube-apiserver"},
			{name: "etcd", path: "go.etcd.io/etcd/server/v3"},
		}, nil)
		if err != nil {
			return "", err
		}
	}
	err = compile(gardenerModule, gardener, "gardener-resource-manager, machine-controller-manager and gardener-apiserver: some minutes the first time", []target{
		{name: "gardener-resource-manager", path: gardenerPath + "/cmd/gardener-resource-manager"},
		{name: "machine-controller-manager", path: machinePath + "/cmd/machine-controller-manager"},
		{name: "gardener-apiserver", path: gardenerPath + "/cmd/gardener-apiserver"},
	}, nil)
	if err != nil {
		return "", err
	}
	err = compile(gardenerModule, programs, "the launcher, a driver of gardenlet's packages, one of machines, and a yardstick of admission: some minutes the first time", []target{
		{name: "landscape", path: "./cmd/landscape"},
		{name: "gardenlet-driver", path: "./cmd/gardenlet-driver"},
		{name: "machine-driver", path: "./cmd/machine-driver", isImpatient: true},
		{name: "yardstick", path: "./cmd/yardstick"},
	}, func(folder string) error { return copyKinds(filepath.Join(folder, "kinds")) })
	if err != nil {
		return "", err
	}
	// The launcher finds them there. A link may point at a folder that KUBEBUILDER_ASSETS made unnecessary.
	for name, folder := range map[string]string{"servers": servers, "gardener": gardener} {
		if err := link(filepath.Join(programs, name), folder); err != nil {
			return "", err
		}
	}
	prune(cache, servers, gardener, programs)
	return filepath.Join(programs, "landscape"), nil
}

func link(path, folder string) error {
	if target, err := os.Readlink(path); err == nil && target == folder {
		return nil
	}
	_ = os.Remove(path)
	return os.Symlink(folder, path)
}

type target struct {
	name, path string
	// Whether it is built with less patience (patience.go).
	isImpatient bool
}

// Builds into a folder next to `folder`, and renames that: an interrupted build leaves nothing that looks like a whole one. `further`
// may add files to the folder.
func compile(module module, folder, what string, targets []target, further func(folder string) error) error {
	if _, err := os.Stat(folder); err == nil {
		return nil
	}
	began := time.Now()
	fmt.Fprintln(os.Stderr, "landscape: building", what)
	unfinished := folder + ".new"
	if err := os.RemoveAll(unfinished); err != nil {
		return err
	}
	for _, target := range targets {
		fmt.Fprintf(os.Stderr, "landscape: building %s\n", target.name)
		if err := compileOne(module, unfinished, target); err != nil {
			return fmt.Errorf("%s: %w", target.name, err)
		}
	}
	if further != nil {
		if err := further(unfinished); err != nil {
			return err
		}
	}
	fmt.Fprintf(os.Stderr, "landscape: built in %s\n", time.Since(began).Round(time.Second))
	return os.Rename(unfinished, folder)
}

func compileOne(module module, folder string, target target) error {
	arguments := []string{"go", "build", "-ldflags", linkerFlags(module.version), "-o", filepath.Join(folder, target.name)}
	if target.isImpatient {
		path, remove, err := impatientModule(module.folder)
		if err != nil {
			return err
		}
		defer remove()
		arguments = append(arguments, "-modfile="+path)
	}
	arguments = append(arguments, target.path)
	if nice, err := exec.LookPath("nice"); err == nil {
		arguments = append([]string{nice, "-n", "10"}, arguments...)
	}
	command := exec.Command(arguments[0], arguments[1:]...)
	command.Dir = module.folder
	// The same flags always: other flags use other entries of Go's build cache.
	command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-trimpath -mod=readonly -buildvcs=false")
	command.Stdout, command.Stderr = os.Stderr, os.Stderr
	return command.Run()
}

// Without a version, kube-apiserver says none, and clients refuse it.
func linkerFlags(version string) string {
	number := strings.Split(strings.TrimPrefix(version, "v"), ".")
	flags := "-s -w"
	for _, path := range []string{"k8s.io/component-base/version", "k8s.io/client-go/pkg/version"} {
		flags += fmt.Sprintf(" -X %[1]s.gitVersion=%[2]s -X %[1]s.gitMajor=%[3]s -X %[1]s.gitMinor=%[4]s -X %[1]s.gitTreeState=clean",
			path, version, number[0], number[1])
	}
	return flags
}

func cacheFolder() (string, error) {
	root := os.Getenv("XDG_CACHE_HOME")
	if root == "" {
		found, err := os.UserCacheDir()
		if err != nil {
			return "", err
		}
		root = found
	}
	folder := filepath.Join(root, "trellis-landscape", runtime.GOOS+"-"+runtime.GOARCH)
	return folder, os.MkdirAll(folder, 0o755)
}

// One build at a time: a second one waits, and finds what it needs.
func lock(cache string) (func(), error) {
	file, err := os.OpenFile(filepath.Join(cache, "lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX); err != nil {
		return nil, err
	}
	return func() { _ = file.Close() }, nil
}

// Removes what nobody has used for long. The folders in use get the time of now.
func prune(cache string, used ...string) {
	now := time.Now()
	for _, folder := range used {
		_ = os.Chtimes(folder, now, now)
	}
	entries, _ := os.ReadDir(cache)
	for _, entry := range entries {
		info, err := entry.Info()
		if err == nil && entry.IsDir() && now.Sub(info.ModTime()) > keepUnused {
			_ = os.RemoveAll(filepath.Join(cache, entry.Name()))
		}
	}
}

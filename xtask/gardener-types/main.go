// Writes the types of Gardener's API that Trellis judges. The table in Rust that the policy `gardener` reads:
//
//	go run . > ../../core/src/provider/gardener/structure/types.rs && cargo fmt --package trellis-core
//
// The JSON Schemas that editors read, and then the module that the npm package loads:
//
//	go run . schemas ../../web/schemas/gardener && npm run types --workspace web
//
// The version of Gardener is that of `go.mod`.
package main

import (
	"fmt"
	"os"
	"reflect"

	core "github.com/gardener/gardener/pkg/apis/core/v1beta1"
)

const version = "v1.150.0"

var roots = []reflect.Type{
	reflect.TypeFor[core.Shoot](), reflect.TypeFor[core.CloudProfile](), reflect.TypeFor[core.NamespacedCloudProfile](),
	reflect.TypeFor[core.Seed](),
}

// The names of types that share their own with a type of Gardener.
var renamed = map[string]string{"k8s.io/api/core/v1.Toleration": "KubernetesToleration"}

var named = map[string]reflect.Type{}

// The name of a type, which no other type has.
func nameOf(t reflect.Type) string {
	name, is := renamed[t.PkgPath()+"."+t.Name()]
	if !is {
		name = t.Name()
	}
	if known, is := named[name]; is && known != t {
		panic("two types are called " + name + ": " + known.PkgPath() + " and " + t.PkgPath())
	}
	named[name] = t
	return name
}

func main() {
	switch {
	case len(os.Args) == 1:
		printTable()
	case len(os.Args) == 3 && os.Args[1] == "schemas":
		writeSchemas(os.Args[2])
	default:
		fmt.Fprintln(os.Stderr, "usage: go run . [schemas FOLDER]")
		os.Exit(2)
	}
}

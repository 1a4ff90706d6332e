package landscape_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

// A file of the corpus of Alibaba Cloud's policy, as far as it is about objects that people send (tests/corpus/README.md).
type corpus struct {
	Function string
	Base     string
	Bases    map[string]any
	Cases    []corpusCase
}

type corpusCase struct {
	Name  string
	Base  any
	Edits []edit
	// Edits of the same base, or an object; absent where the object is new.
	Old any
	// What is sent in place of a base with edits.
	Request any
	Text    any
	Expect  any
}

type edit struct {
	Op    string
	Path  string
	Value any
}

const corpusFolder = "../corpus/alicloud"

// The files of the corpus with the cases of a function.
func readCorpus(t *testing.T, function string) []corpus {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(corpusFolder, "ali-*.yaml"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no corpus in %s: %v", corpusFolder, err)
	}
	var files []corpus
	for _, path := range paths {
		var file corpus
		readYAML(t, path, &file)
		if file.Function == function {
			files = append(files, file)
		}
	}
	return files
}

func readYAML(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// A base by its name, or a document that may name a base.
func (c corpus) document(t *testing.T, named any) fields {
	t.Helper()
	switch named := named.(type) {
	case string:
		if base, ok := c.Bases[named]; ok {
			return c.document(t, base)
		}
		var base fields
		readYAML(t, filepath.Join(corpusFolder, "bases", named+".yaml"), &base)
		return c.document(t, base)
	case fields:
		base, ok := named["base"]
		if !ok {
			return named
		}
		var edits []edit
		text, err := yaml.Marshal(named["edits"])
		if err == nil {
			err = yaml.Unmarshal(text, &edits)
		}
		if err != nil {
			t.Fatal(err)
		}
		return edited(t, c.document(t, base), edits)
	}
	t.Fatalf("no document: %v", named)
	return nil
}

// The object of a case, and the old one where there is one.
func (c corpus) objects(t *testing.T, one corpusCase) (object, old fields) {
	t.Helper()
	var base any = c.Base
	if one.Base != nil {
		base = one.Base
	}
	object = edited(t, c.document(t, base), one.Edits)
	switch older := one.Old.(type) {
	case nil:
	case []any:
		var edits []edit
		text, err := yaml.Marshal(older)
		if err == nil {
			err = yaml.Unmarshal(text, &edits)
		}
		if err != nil {
			t.Fatal(err)
		}
		old = edited(t, c.document(t, base), edits)
	default:
		old = c.document(t, older)
	}
	return object, old
}

// A copy of a document with edits of RFC 6902, of which the corpus has three kinds.
func edited(t *testing.T, document fields, edits []edit) fields {
	t.Helper()
	var value any = runtime.DeepCopyJSON(document)
	for _, edit := range edits {
		var err error
		if value, err = edit.apply(value, strings.Split(edit.Path, "/")[1:]); err != nil {
			t.Fatalf("%s %s: %v", edit.Op, edit.Path, err)
		}
	}
	return value.(fields)
}

func (e edit) apply(within any, path []string) (any, error) {
	if len(path) == 0 {
		return e.Value, nil
	}
	key := strings.NewReplacer("~1", "/", "~0", "~").Replace(path[0])
	isLast := len(path) == 1
	switch within := within.(type) {
	case fields:
		if isLast && e.Op == "remove" {
			delete(within, key)
			return within, nil
		}
		inner, err := e.apply(within[key], path[1:])
		within[key] = inner
		return within, err
	case []any:
		at := len(within)
		if key != "-" {
			var err error
			if at, err = strconv.Atoi(key); err != nil || at > len(within) {
				return nil, fmt.Errorf("no index %q", key)
			}
		}
		switch {
		case isLast && e.Op == "remove":
			return append(within[:at:at], within[at+1:]...), nil
		case isLast && e.Op == "add":
			return append(within[:at:at], append([]any{e.Value}, within[at:]...)...), nil
		}
		inner, err := e.apply(within[at], path[1:])
		within[at] = inner
		return within, err
	}
	return nil, fmt.Errorf("nothing is at %q", key)
}

// The ids of the rules whose errors a case expects.
func (c corpusCase) errors() []string {
	expect, _ := c.Expect.(fields)
	findings, _ := expect["findings"].([]any)
	var rules []string
	for _, each := range findings {
		finding, _ := each.(fields)
		if line, ok := finding["error"].(string); ok {
			rules = append(rules, strings.Fields(line)[0])
		}
	}
	return rules
}

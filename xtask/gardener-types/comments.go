package main

// What the comments of Go say of types and fields, and the values that constants give to a type.

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// The source of a package.
type source struct {
	// Comments by the name of a type, or of a type and a field: `Worker` and `Worker.Machine`.
	comments map[string]string
	// The texts that constants have, by the name of their type, as they are declared.
	values map[string][]string
}

var sources = map[string]*source{}

func sourceOf(path string) *source {
	if known, is := sources[path]; is {
		return known
	}
	here := must(os.Getwd())
	folder := must(build.Import(path, here, build.FindOnly)).Dir
	read := &source{map[string]string{}, map[string][]string{}}
	for _, file := range must(filepath.Glob(filepath.Join(folder, "*.go"))) {
		if strings.HasSuffix(file, "_test.go") || strings.HasPrefix(filepath.Base(file), "zz_") || strings.HasSuffix(file, ".pb.go") {
			continue
		}
		for _, declaration := range must(parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)).Decls {
			if general, is := declaration.(*ast.GenDecl); is {
				read.add(general)
			}
		}
	}
	sources[path] = read
	return read
}

func (s *source) add(declaration *ast.GenDecl) {
	for _, spec := range declaration.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			s.comments[spec.Name.Name] = firstOf(spec.Doc, declaration.Doc)
			if structure, is := spec.Type.(*ast.StructType); is {
				for _, field := range structure.Fields.List {
					for _, name := range field.Names {
						s.comments[spec.Name.Name+"."+name.Name] = field.Doc.Text()
					}
				}
			}
		case *ast.ValueSpec:
			named, isNamed := spec.Type.(*ast.Ident)
			if declaration.Tok != token.CONST || !isNamed {
				continue
			}
			for _, value := range spec.Values {
				if literal, is := value.(*ast.BasicLit); is && literal.Kind == token.STRING {
					s.values[named.Name] = append(s.values[named.Name], must(strconv.Unquote(literal.Value)))
				}
			}
		}
	}
}

func firstOf(groups ...*ast.CommentGroup) string {
	for _, group := range groups {
		if text := group.Text(); text != "" {
			return text
		}
	}
	return ""
}

// What a comment says.
type comment struct {
	// Its first sentence.
	summary string
	// What it says after `Deprecated:`: why, and what to use instead.
	deprecated string
	// The word that it gives as the default.
	standard               string
	isOptional, isReadOnly bool
}

var (
	// A sentence ends where another one begins.
	sentenceEnd = regexp.MustCompile(`[^.]\.(?:$|\s+["'A-Z\x60])`)
	// `Defaults to x`, `Default: x`, `(default is x)`.
	standard = regexp.MustCompile(`(?i)(?:defaults to:?|\bdefault is|\bdefault:)\s+(\[?["'\x60]?[\w.:/-]+["'\x60]?\]?)([ \t]*[^\s.,;)]\S*)?`)
	doubled  = regexp.MustCompile(`([^.])\.\.(\s|$)`)
	aside    = regexp.MustCompile(`(?i),? *\(default[^)]*\)`)
)

// Reads a comment; `member` is the name of its field in JSON, which takes the place of the name in Go.
func read(text, name, member string) comment {
	var found comment
	var about, deprecated []string
	current, hasEnded := &about, false
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case line == "+optional":
			found.isOptional = true
		case strings.HasPrefix(line, "+"), strings.HasPrefix(line, "TODO"):
		case strings.HasPrefix(line, "Deprecated:"):
			current = &deprecated
			*current = append(*current, strings.TrimSpace(strings.TrimPrefix(line, "Deprecated:")))
		case line == "":
			hasEnded = len(about) > 0
			current = &about
		case current == &deprecated || !hasEnded:
			*current = append(*current, line)
		}
		found.isReadOnly = found.isReadOnly || line == "Read-only."
	}
	for _, match := range standard.FindAllStringSubmatch(text, -1) {
		// More than one word is a sentence about the default, which a schema has no place for.
		if match[2] == "" && found.standard == "" {
			found.standard = strings.Trim(strings.TrimRight(match[1], ".:"), `"'`+"`")
		}
	}
	found.summary = sentence(aside.ReplaceAllString(strings.Join(about, " "), ""))
	if rest, starts := strings.CutPrefix(found.summary, name+" "); starts && member != "" {
		found.summary = "`" + member + "` " + rest
	}
	found.deprecated = reason(strings.Join(deprecated, " "))
	return found
}

// The first two sentences about a deprecation that say more than that it is one.
func reason(text string) string {
	var reported []string
	for text = strings.TrimSpace(text); text != "" && len(reported) < 2; {
		next := sentence(text)
		text = strings.TrimSpace(strings.TrimPrefix(text, strings.TrimSuffix(next, ".")))
		text = strings.TrimSpace(strings.TrimPrefix(text, "."))
		if next != "This field is deprecated." && !strings.HasPrefix(next, "See ") {
			reported = append(reported, next)
		}
	}
	return strings.Join(reported, " ")
}

func sentence(text string) string {
	text = doubled.ReplaceAllString(text, "$1.$2")
	if end := sentenceEnd.FindStringIndex(text); end != nil {
		text = text[:end[0]+2]
	}
	text = strings.TrimSpace(text)
	if text != "" && !strings.HasSuffix(text, ".") {
		text += "."
	}
	// The end of a comment that goes on with a list.
	return strings.TrimSuffix(text, ":.") + map[bool]string{true: "."}[strings.HasSuffix(text, ":.")]
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

package structure

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Expressions that are compiled at their first use are well formed, every one:
// nothing else would say so before somebody meets a bad one. What is put together
// at run time is for the tests of its package.
func TestExpressionsCompile(t *testing.T) {
	checked := 0
	err := filepath.WalkDir("../../shared", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		files, err := filepath.Glob(filepath.Join(path, "*.go"))
		if err != nil {
			return err
		}
		var trees []*ast.File
		for _, f := range files {
			if strings.HasSuffix(f, "_test.go") {
				continue
			}
			tree, err := parser.ParseFile(token.NewFileSet(), f, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			trees = append(trees, tree)
		}
		known := constants(trees)
		for _, tree := range trees {
			ast.Inspect(tree, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok || len(call.Args) != 1 {
					return true
				}
				if of, ok := call.Fun.(*ast.SelectorExpr); !ok || of.Sel.Name != "Of" || !named(of.X, "expression") {
					return true
				}
				if text, ok := known.text(call.Args[0]); ok {
					checked++
					if _, err := regexp.Compile(text); err != nil {
						t.Errorf("%s: %v", path, err)
					}
				}
				return true
			})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if checked < 80 {
		t.Errorf("only %d expressions were found", checked)
	}
}

func named(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

// texts are the constants of a package whose values are plain text.
type texts map[string]ast.Expr

func constants(trees []*ast.File) texts {
	known := texts{}
	for _, tree := range trees {
		for _, d := range tree.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			for _, s := range g.Specs {
				if v, ok := s.(*ast.ValueSpec); ok && len(v.Names) == len(v.Values) {
					for i, n := range v.Names {
						known[n.Name] = v.Values[i]
					}
				}
			}
		}
	}
	return known
}

// text folds literals, constants and their sums.
func (k texts) text(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		return s, err == nil && e.Kind == token.STRING
	case *ast.ParenExpr:
		return k.text(e.X)
	case *ast.Ident:
		v, ok := k[e.Name]
		if !ok {
			return "", false
		}
		return k.text(v)
	case *ast.BinaryExpr:
		left, ok := k.text(e.X)
		right, also := k.text(e.Y)
		return left + right, ok && also && e.Op == token.ADD
	}
	return "", false
}

package structure

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// Every logger of a program is telemetry's, which keeps content and keys out:
// nothing else may make one, but for one that discards, and nothing may write
// to the process's default.
func TestEveryLoggerIsGuarded(t *testing.T) {
	banned := map[string]bool{
		"Default": true, "SetDefault": true, "NewTextHandler": true, "NewJSONHandler": true, "NewLogLogger": true,
		"Debug": true, "Info": true, "Warn": true, "Error": true, "Log": true,
		"DebugContext": true, "InfoContext": true, "WarnContext": true, "ErrorContext": true, "LogAttrs": true,
	}
	seen := 0
	for _, root := range []string{"cmd", "functions", "shared", "infra"} {
		err := filepath.WalkDir(filepath.Join("..", "..", root), func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			slashed := filepath.ToSlash(path)
			if e.IsDir() && e.Name() == "testdata" {
				return fs.SkipDir
			}
			if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(slashed, "shared/telemetry/") {
				return nil
			}
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			seen++
			ast.Inspect(file, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				s, ok := call.Fun.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				pkg, ok := s.X.(*ast.Ident)
				if !ok || pkg.Name != "slog" {
					return true
				}
				if s.Sel.Name == "New" && len(call.Args) == 1 {
					if arg, ok := call.Args[0].(*ast.SelectorExpr); ok && arg.Sel.Name == "DiscardHandler" {
						return true
					}
				}
				if banned[s.Sel.Name] || s.Sel.Name == "New" {
					t.Errorf("%s: slog.%s; take the logger of telemetry.New from the host", set.Position(call.Pos()), s.Sel.Name)
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if seen < 100 {
		t.Fatalf("only %d files were read", seen)
	}
}

// Command licences lists the licences of everything that the binary is made of,
// with Google's go-licenses, and compares the list with docs/licences.md. A new
// dependency, another version or a licence that is not on the list of allowed
// ones makes it fail. At the end it plants a dependency without a licence, and fails if
// that goes unnoticed.
//
//	go run ./bench/licences          # what CI runs
//	go run ./bench/licences -write   # write docs/licences.md anew
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const document = "docs/licences.md"

func main() {
	write := flag.Bool("write", false, "write "+document+" instead of comparing with it")
	flag.Parse()
	if err := run(context.Background(), *write); err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, write bool) error {
	t, err := findTool(ctx)
	if err != nil {
		return err
	}
	parts, err := t.everywhere(ctx)
	if err != nil {
		return err
	}
	if err := allowed(parts); err != nil {
		return err
	}
	text := render(parts)
	if write {
		if err := os.WriteFile(document, []byte(text), 0o644); err != nil { //nolint:gosec // a document
			return fmt.Errorf("writing %s: %w", document, err)
		}
		fmt.Printf("%s: %d parts\n", document, len(parts))
		return nil
	}
	if err := compare(text); err != nil {
		return err
	}
	if err := t.noticesPlanted(ctx); err != nil {
		return err
	}
	fmt.Printf("ok   20 licences: %d parts, each with an allowed licence and listed; a planted one without a licence is noticed\n", len(parts))
	return nil
}

// compare finds what the document lacks and what it has too much.
func compare(want string) error {
	raw, err := os.ReadFile(document)
	if err != nil {
		return fmt.Errorf("reading the list: %w", err)
	}
	if differing := difference(string(raw), want); len(differing) > 0 {
		return fmt.Errorf("%s is not what the program is made of; go run ./bench/licences -write writes it anew:\n%s", document, strings.Join(differing, "\n"))
	}
	return nil
}

// tool is go-licenses.
type tool struct{ binary, goRoot string }

// goLicenses is the version whose module the Go proxy has; the second major version is not to be had there.
const goLicenses = "github.com/google/go-licenses@v1.6.0"

// findTool builds go-licenses once, beside the linter.
func findTool(ctx context.Context) (*tool, error) {
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("asking for GOROOT: %w", err)
	}
	bin, err := filepath.Abs(filepath.Join(".cache", "bin"))
	if err != nil {
		return nil, fmt.Errorf("finding the cache: %w", err)
	}
	t := &tool{binary: filepath.Join(bin, "go-licenses"), goRoot: strings.TrimSpace(string(root))}
	if _, err := os.Stat(t.binary); err == nil {
		return t, nil
	}
	install := exec.CommandContext(ctx, "go", "install", goLicenses)
	install.Env = append(os.Environ(), "GOBIN="+bin)
	if out, err := install.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("installing %s: %w\n%s", goLicenses, err, out)
	}
	return t, nil
}

// everywhere is what the binaries of all systems are made of.
func (t *tool) everywhere(ctx context.Context) ([]part, error) {
	var all []part
	for _, system := range []string{"linux", "darwin", "windows"} {
		parts, err := t.report(ctx, ".", "./cmd/agent-memory", "GOOS="+system, "CGO_ENABLED=0")
		if err != nil {
			return nil, err
		}
		all = append(all, parts...)
	}
	return tidied(all), nil
}

// report asks go-licenses about a package and all that it needs. Addresses of
// the licences are left out: finding them would ask the network.
func (t *tool) report(ctx context.Context, dir, target string, env ...string) ([]part, error) {
	template := filepath.Join(os.TempDir(), fmt.Sprintf("licences-%d.tpl", os.Getpid()))
	if err := os.WriteFile(template, []byte("{{range .}}{{.Name}}\t{{.Version}}\t{{.LicenseName}}\n{{end}}"), 0o600); err != nil {
		return nil, fmt.Errorf("writing a template: %w", err)
	}
	defer func() { _ = os.Remove(template) }()
	cmd := exec.CommandContext(ctx, t.binary, "report", target, "--template", template, "--ignore", "agentmemory")
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "GOROOT="+t.goRoot), env...) // it takes the standard library for a dependency otherwise
	var out, failure bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &failure
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("go-licenses: %w\n%s", err, failure.Bytes())
	}
	parts := parse(out.String())
	if len(parts) == 0 {
		return nil, fmt.Errorf("go-licenses found nothing:\n%s", failure.Bytes())
	}
	return parts, nil
}

// noticesPlanted adds a dependency without a licence to a program and asks.
func (t *tool) noticesPlanted(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "licences-")
	if err != nil {
		return fmt.Errorf("making a folder: %w", err)
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{
		"go.mod":          "module planted.example/program\n\ngo 1.26\n\nrequire planted.example/part v0.0.0\n\nreplace planted.example/part => ./part\n",
		"main.go":         "package main\n\nimport \"planted.example/part\"\n\nfunc main() { part.Do() }\n",
		"LICENSE":         "",
		"part/go.mod":     "module planted.example/part\n\ngo 1.26\n",
		"part/part.go":    "package part\n\nfunc Do() {}\n",
		"part/README.txt": "nothing is said of a licence\n",
	} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			return fmt.Errorf("planting a dependency: %w", err)
		}
	}
	parts, err := t.report(ctx, dir, ".", "GOFLAGS=-mod=mod")
	if err != nil {
		return fmt.Errorf("asking about the planted dependency: %w", err)
	}
	if err := allowed(parts); err == nil || !strings.Contains(err.Error(), "planted.example/part") {
		return fmt.Errorf("a dependency without a licence went unnoticed in %v: %s", parts, fmt.Sprint(err))
	}
	return nil
}

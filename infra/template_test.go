package main

import (
	"bytes"
	"os"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/mindgate-dev/mindgate/shared/workflow/asl"
	"github.com/mindgate-dev/mindgate/statemachines"
)

// maxResources leaves room under CloudFormation's 500 for what comes.
const maxResources = 400

func TestTemplateIsCurrent(t *testing.T) {
	want, err := Template("..")
	if err != nil {
		t.Fatal(err)
	}
	have, err := os.ReadFile("../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, have) {
		t.Fatal("template.yaml is stale: run `go generate ./infra` and commit the result")
	}
}

// The transform adds nothing here: every function names its role and no
// function has events, so the resources of the file are those of the stack.
func TestTemplateStaysSmall(t *testing.T) {
	resources := parse(t)
	if n := len(resources); n > maxResources {
		t.Fatalf("%d resources, at most %d: split the stack by domain", n, maxResources)
	}
	for id, r := range resources {
		if r.Type == "AWS::Serverless::Function" && (r.Properties["Role"] == nil || r.Properties["Events"] != nil) {
			t.Errorf("%s: a function names its role and has no events, or the transform adds resources", id)
		}
	}
}

func TestEveryFunctionIsPrebuiltAndLogs(t *testing.T) {
	for id, r := range parse(t) {
		if r.Type != "AWS::Serverless::Function" {
			continue
		}
		if r.Metadata["SkipBuild"] != true {
			t.Errorf("%s: no Metadata SkipBuild", id)
		}
		if r.Properties["LoggingConfig"] == nil {
			t.Errorf("%s: no log group", id)
		}
	}
}

// The machine's own time-out is to tell that a task takes too long: the platform
// would end the function with an error that says less.
func TestFunctionsOutliveTheStatesThatCallThem(t *testing.T) {
	resources := parse(t)
	machines, err := statemachines.All()
	if err != nil {
		t.Fatal(err)
	}
	for name, raw := range machines {
		def, err := asl.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		waits := map[string]int{}
		waitsOf(&def.Graph, waits)
		if len(waits) != len(def.Tasks()) {
			t.Errorf("%s: the waits of %d of %d tasks are known", name, len(waits), len(def.Tasks()))
		}
		for task, wait := range waits {
			have, _ := resources[task+"Task"].Properties["Timeout"].(int)
			if have <= wait || have > 900 {
				t.Errorf("%s: %s has %d s, its state waits %d s, and a function has at most 900 s", name, task, have, wait)
			}
		}
	}
}

// A stack starts and ends its own machines alone, also beside one whose name
// goes on from its own.
func TestMachinesAreNamedToWhoStartsThem(t *testing.T) {
	raw, err := os.ReadFile("../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, many := range []string{"stateMachine:${AWS::StackName}-*", "execution:${AWS::StackName}-*"} {
		if bytes.Contains(raw, []byte(many)) {
			t.Errorf("%s is also every machine of the stack NAME-OTHER", many)
		}
	}
	machines, err := statemachines.All()
	if err != nil {
		t.Fatal(err)
	}
	for name := range machines {
		if !bytes.Contains(raw, []byte("stateMachine:${AWS::StackName}-"+name+"\"")) || !bytes.Contains(raw, []byte("execution:${AWS::StackName}-"+name+":*\"")) {
			t.Errorf("nobody may start and end %s", name)
		}
	}
}

type resource struct {
	Type       string         `yaml:"Type"`
	Metadata   map[string]any `yaml:"Metadata"`
	Properties map[string]any `yaml:"Properties"`
}

func parse(t *testing.T) map[string]resource {
	t.Helper()
	raw, err := os.ReadFile("../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Resources map[string]resource `yaml:"Resources"`
	}
	if err := yaml.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Resources) == 0 {
		t.Fatal("no resources read")
	}
	return doc.Resources
}

func TestEveryFunctionHasItsSampleEvent(t *testing.T) {
	want, err := Events("..")
	if err != nil {
		t.Fatal(err)
	}
	for name, raw := range want {
		have, err := os.ReadFile("../events/" + name)
		if err != nil || !bytes.Equal(raw, have) {
			t.Errorf("events/%s is missing or stale: run `go generate ./infra` and commit the result", name)
		}
	}
	files, err := os.ReadDir("../events")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if _, ok := want[f.Name()]; !ok {
			t.Errorf("events/%s belongs to no function", f.Name())
		}
	}
}

package main

import (
	"bytes"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"github.com/mindgate-dev/mindgate/shared/workflow/asl"
)

//go:embed parts/*.yaml
var parts embed.FS

// order of the parts in the template; each is one idea of the stack.
var order = []string{"head", "storage", "api", "tools", "jobs", "access", "observability", "outputs"}

// Template joins the parts of the stack found under root (the repository).
// The same tree gives the same bytes.
func Template(root string) ([]byte, error) {
	s, err := describe(root)
	if err != nil {
		return nil, err
	}
	t, err := template.New("stack").ParseFS(parts, "parts/*.yaml")
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	for _, name := range order {
		var part bytes.Buffer
		if err := t.ExecuteTemplate(&part, name+".yaml", s); err != nil {
			return nil, err
		}
		out.WriteString(strings.TrimRight(part.String(), "\n"))
		out.WriteString("\n")
	}
	return out.Bytes(), nil
}

// stack is what the parts are filled with.
type stack struct {
	Tools      []function
	Tasks      []function
	Machines   []machine
	RestRoutes []route
	Alarms     []alarm
	LogGroups  []string
}

type function struct {
	ID, Name, Title, Binary, Access, Role, Logs string
	Memory, Timeout                             int // MB, seconds
}

type machine struct {
	ID, Name, File, Env string
	Tasks               []function
}

type route struct{ ID, Key string }

type alarm struct {
	ID, Description, Namespace, Metric, Dimension, Value, Statistic string
	Threshold                                                       int
}

// restRoutes are what the REST function answers; everything else is MCP's.
var restRoutes = []route{
	{"RestRoute", "ANY /api/v1/{proxy+}"},
	{"OpenApiRoute", "GET /openapi.json"},
	{"ReferenceRoute", "GET /docs"},
}

// taskMemory differs from the default only where a task needs it, in MB. 1769
// are one full vCPU.
var taskMemory = map[string]int{
	"AudienceChange":     1769, // quotas are arithmetic
	"QuestionAnswer":     1769, // answering is arithmetic
	"QuestionPrepare":    1024,
	"QuestionSettle":     1024,
	"StudyRunAnswer":     1769,
	"StudyRunConclude":   1769, // methods are arithmetic
	"StudyRunNext":       1024,
	"StudyRunPrepare":    1024,
	"StudyRunReview":     1024,
	"ExportRender":       1769,
	"HeatmapLook":        1769, // estimating is arithmetic
	"DatasetReview":      1769,
	"KnowledgeIngest":    1769,
	"KnowledgeRead":      1769,
	"MindTrainingIngest": 1769, // reading a source is an ingestion
	"MindTrainingPrompt": 1024,
	"MindPortrait":       1024,
	"MindReembed":        1769,
}

// beyond is how much longer a function may run than the states that call it wait,
// in seconds: the machine itself is to say that the time ran out.
const beyond = 5

func describe(root string) (stack, error) {
	var s stack
	for _, t := range implementedTools() {
		s.Tools = append(s.Tools, function{
			ID: pascal(t.Name) + "Tool", Name: t.Name, Title: t.Title, Binary: t.Toolset,
			Access: t.Access, Role: pascal(t.Access) + "Role", Logs: pascal(t.Toolset) + "Logs",
			Memory: t.Memory,
		})
	}
	files, err := filepath.Glob(filepath.Join(root, "statemachines", "*.asl.json"))
	if err != nil {
		return s, err
	}
	slices.Sort(files)
	seen := map[string]int{}
	for _, file := range files {
		m, err := describeMachine(file)
		if err != nil {
			return s, err
		}
		for _, task := range m.Tasks {
			at, known := seen[task.Name]
			if !known {
				seen[task.Name] = len(s.Tasks)
				s.Tasks = append(s.Tasks, task)
				continue
			}
			s.Tasks[at].Timeout = max(s.Tasks[at].Timeout, task.Timeout)
		}
		s.Machines = append(s.Machines, m)
	}
	s.RestRoutes = restRoutes
	s.LogGroups = []string{"GatewayLogs", "MindsLogs", "JobLogs"}
	s.Alarms = alarms(s.Machines)
	return s, nil
}

var placeholder = regexp.MustCompile(`\$\{([A-Za-z]+)\}`)

// describeMachine reads which tasks an ASL file calls, its ${TaskName} marks, and
// how long it waits for each.
func describeMachine(file string) (machine, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return machine{}, err
	}
	def, err := asl.Parse(raw)
	if err != nil {
		return machine{}, fmt.Errorf("%s: %w", file, err)
	}
	name := strings.TrimSuffix(filepath.Base(file), ".asl.json")
	m := machine{
		ID:   pascal(name) + "Machine",
		Name: name,
		File: "statemachines/" + filepath.Base(file),
		Env:  "MACHINE_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_")),
	}
	waits := map[string]int{}
	waitsOf(&def.Graph, waits)
	for _, match := range placeholder.FindAllStringSubmatch(string(raw), -1) {
		name := match[1]
		task := function{ID: name + "Task", Name: name, Memory: 512, Timeout: waits[name] + beyond}
		if memory, ok := taskMemory[name]; ok {
			task.Memory = memory
		}
		if !slices.Contains(m.Tasks, task) {
			m.Tasks = append(m.Tasks, task)
		}
	}
	if len(m.Tasks) == 0 {
		return m, fmt.Errorf("%s calls no task", file)
	}
	return m, nil
}

// waitsOf notes the longest time that a state waits for each task, in seconds.
func waitsOf(g *asl.Graph, waits map[string]int) {
	for _, st := range g.States {
		if st.Task != "" {
			waits[st.Task] = max(waits[st.Task], int(st.Timeout))
		}
		if st.Processor != nil {
			waitsOf(st.Processor, waits)
		}
		for _, branch := range st.Branches {
			waitsOf(branch, waits)
		}
	}
}

// alarms watch what an operator must hear of: failing gateways, failing jobs,
// throttled tables, errors anywhere.
func alarms(machines []machine) []alarm {
	out := []alarm{
		{"McpErrorsAlarm", "The MCP router fails", "AWS/Lambda", "Errors", "FunctionName", "!Ref McpFunction", "Sum", 5},
		{"RestErrorsAlarm", "The REST function fails", "AWS/Lambda", "Errors", "FunctionName", "!Ref RestFunction", "Sum", 5},
		{"SweepErrorsAlarm", "Queued jobs are not being started", "AWS/Lambda", "Errors", "FunctionName", "!Ref SweepFunction", "Sum", 3},
		{"ApiFaultsAlarm", "The HTTP API answers with server errors", "AWS/ApiGateway", "5xx", "ApiId", "!Ref HttpApi", "Sum", 10},
		{"RecordsReadThrottledAlarm", "The table of records refuses reads for lack of capacity", "AWS/DynamoDB", "ReadThrottleEvents", "TableName", "!Ref RecordsTable", "Sum", 10},
		{"RecordsWriteThrottledAlarm", "The table of records refuses writes for lack of capacity", "AWS/DynamoDB", "WriteThrottleEvents", "TableName", "!Ref RecordsTable", "Sum", 10},
		{"ErrorLinesAlarm", "Functions log errors", "!Sub \"Mindgate/${AWS::StackName}\"", "ErrorLines", "", "", "Sum", 10},
	}
	for _, m := range machines {
		// A machine catches every error, so that its record is settled, and ends
		// well: a failed job shows in the calls of its last resort, the Fail task.
		// The execution itself fails only if that task fails too.
		for _, task := range m.Tasks {
			if strings.HasSuffix(task.Name, "Fail") {
				out = append(out, alarm{m.ID + "JobsAlarm", "Jobs of " + m.Name + " end in failure", "AWS/Lambda",
					"Invocations", "FunctionName", "!Ref " + task.ID, "Sum", 3})
			}
		}
		out = append(out, alarm{m.ID + "Alarm", "Executions of " + m.Name + " fail without settling their job", "AWS/States",
			"ExecutionsFailed", "StateMachineArn", "!Ref " + m.ID, "Sum", 1})
	}
	return out
}

// pascal turns create_mind and mind-training into CreateMind and MindTraining.
func pascal(name string) string {
	var b strings.Builder
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' }) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

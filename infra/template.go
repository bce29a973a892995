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

// taskSizes differ from the default only where a task needs it.
var taskSizes = map[string]struct{ memory, timeout int }{
	"QuestionAnswer":  {1769, 300}, // one full vCPU: answering is arithmetic
	"QuestionPrepare": {1024, 120},
	"QuestionSettle":  {1024, 120},
	"ExportRender":    {1769, 600},
	"KnowledgeIngest": {1769, 300},

	// Reading a source is an ingestion; the loops work for 40 s at a time.
	"MindTrainingIngest":  {1769, 300},
	"MindTrainingCollect": {512, 120},
	"MindTrainingPrompt":  {1024, 300},
	"MindPortrait":        {1024, 60},
	"MindReembed":         {1769, 120},
	"MindDelete":          {512, 120},
	"KnowledgeRead":       {1769, 300},
	"KnowledgeSearch":     {512, 240},
}

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
	seen := map[string]bool{}
	for _, file := range files {
		m, err := describeMachine(file)
		if err != nil {
			return s, err
		}
		for _, task := range m.Tasks {
			if !seen[task.Name] {
				seen[task.Name] = true
				s.Tasks = append(s.Tasks, task)
			}
		}
		s.Machines = append(s.Machines, m)
	}
	s.RestRoutes = restRoutes
	s.LogGroups = []string{"GatewayLogs", "MindsLogs", "JobLogs"}
	s.Alarms = alarms(s.Machines)
	return s, nil
}

var placeholder = regexp.MustCompile(`\$\{([A-Za-z]+)\}`)

// describeMachine reads which tasks an ASL file calls: its ${TaskName} marks.
func describeMachine(file string) (machine, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return machine{}, err
	}
	name := strings.TrimSuffix(filepath.Base(file), ".asl.json")
	m := machine{
		ID:   pascal(name) + "Machine",
		Name: name,
		File: "statemachines/" + filepath.Base(file),
		Env:  "MACHINE_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_")),
	}
	for _, match := range placeholder.FindAllStringSubmatch(string(raw), -1) {
		task := function{ID: match[1] + "Task", Name: match[1], Memory: 512, Timeout: 60}
		if size, ok := taskSizes[task.Name]; ok {
			task.Memory, task.Timeout = size.memory, size.timeout
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

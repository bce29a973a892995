//go:build aws

package difftest

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	lambdatypes "github.com/aws/aws-sdk-go-v2/service/lambda/types"
	awssfn "github.com/aws/aws-sdk-go-v2/service/sfn"

	"github.com/mindgate-dev/mindgate/shared/workflow/sfn"
)

const role = "arn:aws:iam::000000000000:role/difftest"

// Both hosts end every case alike: status, output, name of the error. The
// wording of Cause is the host's own.
func TestHostsAgree(t *testing.T) {
	if os.Getenv("AWS_ENDPOINT_URL") == "" {
		t.Fatal("AWS_ENDPOINT_URL must name the double of AWS; make test-aws sets it")
	}
	ctx := context.Background()
	cfg, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		t.Fatal(err)
	}
	machines, tasks, cases := suite(t)
	stamp := time.Now().UTC().Format("150405")
	arns := deploy(t, ctx, cfg, machines, tasks, stamp)
	began := time.Now()
	theirs := runAll(t, sfn.New(awssfn.NewFromConfig(cfg), arns), cases)
	took := time.Since(began)
	began = time.Now()
	ours := onInterpreter(t)
	t.Logf("%d cases of %d machines: double %s, interpreter %s", len(cases), len(machines), took.Round(time.Millisecond), time.Since(began).Round(time.Millisecond))
	names := make([]string, 0, len(ours))
	for name := range ours {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		a, b := ours[name], theirs[name]
		if a.Status != b.Status || a.Error != b.Error || !reflect.DeepEqual(decoded(t, a.Output), decoded(t, b.Output)) {
			t.Errorf("%s:\n  interpreter %s %q %s (%s)\n  double      %s %q %s (%s)", name, a.Status, a.Error, a.Output, a.Cause, b.Status, b.Error, b.Output, b.Cause)
		}
	}
	t.Run("same name again", func(t *testing.T) {
		e := sfn.New(awssfn.NewFromConfig(cfg), arns)
		c := cases[0]
		for range 2 {
			if err := e.Start(ctx, c.Machine, c.execution(), c.body(t)); err != nil {
				t.Error(err)
			}
		}
		if err := e.Start(ctx, c.Machine, c.execution(), json.RawMessage(`{"other":1}`)); err != nil {
			t.Error(err)
		}
	})
}

func decoded(t *testing.T, raw json.RawMessage) any {
	if len(raw) == 0 {
		return nil
	}
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return v
}

// deploy makes one function a task and one state machine a file, and returns
// the machines' ARNs.
func deploy(t *testing.T, ctx context.Context, cfg aws.Config, machines map[string][]byte, tasks map[string]bool, stamp string) map[string]string {
	t.Helper()
	code, dir := bootstrap(t), t.TempDir()
	functions := lambda.NewFromConfig(cfg)
	arns := map[string]string{}
	for task := range tasks {
		out, err := functions.CreateFunction(ctx, &lambda.CreateFunctionInput{
			FunctionName: aws.String("difftest-" + task + "-" + stamp), Role: aws.String(role), Handler: aws.String("bootstrap"),
			Runtime: lambdatypes.RuntimeProvidedal2023, Code: &lambdatypes.FunctionCode{ZipFile: code}, Timeout: aws.Int32(20),
			Environment: &lambdatypes.Environment{Variables: map[string]string{
				"TASK": task, "SCRIPT_DIR": dir, "AWS_ENDPOINT_URL": os.Getenv("AWS_ENDPOINT_URL"),
				"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_REGION": cfg.Region,
			}},
		})
		if err != nil {
			t.Fatal(err)
		}
		arns[task] = *out.FunctionArn
	}
	states := awssfn.NewFromConfig(cfg)
	out := map[string]string{}
	for name, raw := range machines {
		body := string(raw)
		for task, arn := range arns {
			body = strings.ReplaceAll(body, "${"+task+"}", arn)
		}
		made, err := states.CreateStateMachine(ctx, &awssfn.CreateStateMachineInput{
			Name: aws.String(name + "-" + stamp), Definition: &body, RoleArn: aws.String(role)})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out[name] = *made.StateMachineArn
	}
	return out
}

// bootstrap builds the scripted tasks as a function's archive.
func bootstrap(t *testing.T) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "bootstrap")
	build := exec.Command("go", "build", "-tags", "aws,lambda.norpc", "-trimpath", "-ldflags", "-s -w", "-o", file, "./bootstrap")
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+runtime.GOARCH)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	h := &zip.FileHeader{Name: "bootstrap", Method: zip.Deflate}
	h.SetMode(0o755)
	w, err := z.CreateHeader(h)
	if err == nil {
		_, err = w.Write(raw)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return archive.Bytes()
}

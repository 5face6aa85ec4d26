# impalab. The two that everybody needs:
#
#   make run     compiles the server and the client, and prints an address to click on; needs Go and git. Without
#                make: go -C tools run ./start
#   make test    runs the tests, in some ten minutes; needs node too, Chromium (make chromium), WebKitGTK (make
#                webkit), PostgreSQL (make postgres), PoCL (make opencl), NumPy (make numpy), nginx and Caddy
#
# make help lists the rest.

GO       ?= go
ARGS     ?=#      more for the server: make run ARGS="--addr 127.0.0.1:0"
FUZZTIME ?= 40s#  for each fuzz target of make check
PACK     ?= 11#   how well brotli packs the worker: 11 gives 1.59 MB in 16 s of a core, 9 gives 1.82 MB in 2
VET      ?=#      -vet=off where make lint has vetted already
RUNTOOL  := $(GO) tool -modfile=tools/pins.mod# templ, staticcheck, nats-server and others, as pinned there
GOROOT   := $(shell $(GO) env GOROOT)

# Other compilers than these two make one instruction, which rounds once, of a product and a sum, and so other bits than
# a browser's, unless they are told not to.
UNFUSED := -gcflags=all=-d=fmahash=qn
ifeq ($(filter amd64 wasm,$(shell $(GO) env GOARCH)),)
export GOFLAGS := $(shell $(GO) env GOFLAGS) $(UNFUSED)
endif

# The client is built with a copy of Ebitengine that leaves out what only makes it larger and slower to start: see
# tools/ebitenpatch.
TRIMMED := -modfile=bin/client.mod

# A program with this tag imports static/kernels.js.
VECTORS := -tags simd128

# What also runs in the browser is tested there too, as far as node can be one.
IN_BROWSER := ./envs ./envs/world ./envs/bodies ./envs/rooms ./learner/correct ./learner/script ./learner/loss \
	./learner/kernel ./learner/net ./learner/hyper ./web/wire ./web/play ./web/actorwire ./web/number ./web/chart \
	./web/link ./wasm/run ./wasm/model ./wasm/conn ./wasm/microscope

# These tests take long in node. Other tests compare the bits of its arithmetic.
NATIVE := 'Conform|DivergenceFromAGaussians|FiguresAreTheMeasured'

IN_NODE = GOOS=js GOARCH=wasm $(GO) test -trimpath $(VET) $(VECTORS) -exec 'node --stack-size=8192 \
	--require $(CURDIR)/static/kernels.js --require $(CURDIR)/tools/simd/node.cjs $(GOROOT)/lib/wasm/wasm_exec_node.js' \
	-skip $(NATIVE)

# Packages whose goroutines share memory, and the tests of the learner in which they do. make check looks at everything:
# whatever stands on a database or on a device takes minutes to compile for the race detector.
CONCURRENT := ./server/firewall ./web/hub ./web/watch ./server/session ./learner/actor ./learner/remote \
	./learner/schedule
TOGETHER := 'Actor|Live|Remote|Forger|Panic|Cores|Helper|Learners[A-Z]|Job'

# Drawing only when there is something new needs what Ebitengine calls deprecated (SA1019): its advice draws always.
STATICCHECK_WASM := -checks inherit,-SA1019

.PHONY: help run build wasm static-site dist dist-twice test check bench static floor race arm64 laws lint words \
	portable gen generated chromium webkit postgres opencl numpy nats ptx bench-device test-device fuzz mutants attack \
	screenshots notebooks clean FORCE

help: ## list what can be made
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' Makefile

run: ## open the Lab
	@$(GO) -C tools build -o ../bin/start ./start && cd tools && exec ../bin/start $(ARGS)

build: wasm ## build bin/impalab, the client inside
	$(GO) build -ldflags='-s -w' -o bin/impalab ./server

wasm: $(addprefix static/,app.wasm.br wasm_exec.js worker.wasm.br exercise.wasm.br) ## build and compress the client
	@rm -f static/*.wasm.gz # earlier builds made them, and the program would contain them

# The client, the learner for browsers, and the module that runs a student's program. The compiler knows best what has
# changed. A file keeps its date while it stays the same, since compressing takes a while.
bin/app.wasm bin/worker.wasm bin/exercise.wasm bin/client.mod: FORCE
	@$(GO) -C tools run ./start -only $(@F)

# Hosts of files compress what they send by themselves; our server does not.
static/worker.wasm.br static/exercise.wasm.br: static/%.wasm.br: bin/%.wasm tools/compress/main.go
	$(GO) -C tools run ./compress -quality $(PACK) -to ../static ../bin/$*.wasm

static/app.wasm.br: bin/app.wasm tools/compress/main.go
	@echo "compressing the client: half a minute, only when it has changed"
	$(GO) -C tools run ./compress -to ../static ../bin/app.wasm

# wasm_exec.js must come from the compiler that built the client.
static/wasm_exec.js: $(GOROOT)/lib/wasm/wasm_exec.js
	cp $< $@

static-site: wasm ## write bin/static-site: the pages for any host of files, whose runs train in the browser
	rm -rf bin/static-site
	$(GO) run ./server static-site bin/static-site

# Which systems to build for, like linux/amd64,darwin/arm64.
TARGETS ?= all
dist: wasm ## build bin/dist: archives for Linux, macOS and Windows, and SHA256SUMS
	$(GO) -C tools run ./dist -C .. -targets $(TARGETS)

dist-twice: wasm ## dist, and again from a clone with nothing cached: the same bytes?
	$(GO) -C tools run ./dist -C .. -targets $(TARGETS) -twice

# Many tests wait for something: three packages at once keep two cores busy. The pages' tests are one package, ./server.
# It takes longest, so it begins first: half of Go's usual ten minutes where nothing else runs.
# -count=1: those of tools read documents outside of their module, which the cache of results does not look at.
test: wasm ## run the tests, in some ten minutes
	@sh tools/chromium.sh || echo "The tests of the page are left out."
	@sh tools/webkit.sh || echo "The tests of the page in WebKit are left out."
	@sh tools/postgres.sh install || echo "The tests of the store on PostgreSQL are left out."
	@sh tools/opencl.sh || echo "The tests of devices are left out."
	@sh tools/numpy.sh || echo "The tests that run Python are left out."
	@sh tools/proxies.sh || echo "The tests behind nginx and Caddy are left out."
	@$(MAKE) -s nats || echo "The tests of front ends are left out."
	@sh tools/beside.sh bin/node.log \
		"$(IN_NODE) -short $(IN_BROWSER) && $(IN_NODE) -run BytesOfTheirOwnArithmetic ./learner" \
		"$(GO) test $(VET) -timeout 20m -p 3 ./server ./... && $(GO) -C tools test $(VET) -count=1 ./..."

check: lint static words test ## check everything: words, races, learning, fuzzing, attacks, notebooks, govulncheck
	$(GO) test -race -timeout 60m ./envs/... ./learner/... ./server/... ./wasm/run ./wasm/model ./wasm/conn ./web/...
	$(GO) test -tags purego -run BytesOfTheirOwnArithmetic ./learner
	$(MAKE) arm64
	@sh tools/oclgrind.sh || echo "The kernels' second witness is left out."
	$(GO) test -tags slow -timeout 60m ./envs ./envs/bodies
	$(GO) test -tags slow -timeout 60m ./learner/... ./server/lab ./server/job ./server/board ./server
	sh tools/fuzz.sh $(FUZZTIME)
	$(GO) test ./web/exercise -count=1 -v -run Exercises -exercises all
	$(MAKE) attack
	$(MAKE) notebooks
	$(MAKE) dist-twice TARGETS=linux/amd64
	$(RUNTOOL) govulncheck ./... || { echo "govulncheck found something, or could not reach vuln.go.dev" >&2; exit 1; }

# The types of the rooms' scripts are checked by the TypeScript compiler of this version, which npm fetches.
TYPESCRIPT := typescript@5.9.3

# staticcheck asks for Go's version outside of any module, where -modfile is refused; so it reads the whole Ebitengine.
static: floor ## staticcheck for both targets, the types of the rooms' scripts, and the floor of browsers
	$(RUNTOOL) staticcheck $$($(GO) list ./... | grep -v ^impalab/wasm)
	staticcheck=$$($(GO) tool -modfile=tools/pins.mod -n staticcheck) && \
		GOOS=js GOARCH=wasm GOFLAGS="$$($(GO) env GOFLAGS) -trimpath" $$staticcheck $(STATICCHECK_WASM) ./wasm/...
	@if command -v npx >/dev/null; then npx --yes --package $(TYPESCRIPT) tsc -p tools/jsconfig.json; \
		else echo "There is no npx: the types of scripts are left out."; fi

# ESLint, which npm fetches in these versions, knows since when browsers have each feature. Its folder begins with a
# dot, since one of its packages has a file of Go.
LINTER := eslint@10.15.0 @eslint/css@2.0.0 eslint-plugin-compat@7.0.1
floor: ## check that styles and scripts ask for nothing newer than the oldest browsers of README.md
	@mkdir -p bin/.floor && cp tools/floor.mjs bin/.floor/
	@if (cd bin/.floor && npm install --silent --no-audit --no-fund --no-save --prefix . $(LINTER)) >/dev/null 2>&1; then \
		bin/.floor/node_modules/.bin/eslint -c bin/.floor/floor.mjs static; \
		else echo "There is no npm, or it fetched nothing: the floor of browsers is left out."; fi

race: ## the race detector over fast tests of packages whose goroutines share memory
	$(GO) test -race $(VET) -short -timeout 20m -p 3 $(CONCURRENT)
	$(GO) test -race $(VET) -short -timeout 20m -run $(TOGETHER) -skip LearnersEqual ./learner ./learner/algo

arm64: ## both arithmetics have the same bits on that processor, emulated: apt-get install qemu-user
	@if command -v qemu-aarch64 >/dev/null; then GOARCH=arm64 CGO_ENABLED=0 $(GO) test $(UNFUSED) -exec qemu-aarch64 \
		-short -timeout 60m -run 'BytesOfTheirOwnArithmetic|SameParametersAsEver|Bits|NoKernelTouches' \
		./learner ./learner/kernel ./envs/bodies; \
		else echo "There is no qemu-aarch64: arm64 is left out."; fi

bench: build ## measure: the kernels and the wire, then whole runs
	$(GO) test -run '^$$' -bench . -benchtime 200ms ./...
	$(GO) -C tools run ./bench table --seconds 4
	bin/impalab bench --world cartpole --set mode=reference --runs 30 --seconds 4

lint: laws bin/client.mod ## formatting, go vet for both targets, import laws
	@bad=$$(gofmt -l .); test -z "$$bad" || { echo "not formatted; run gofmt -w on:" >&2; echo "$$bad" >&2; exit 1; }
	$(GO) vet ./...
	$(GO) -C tools vet ./...
	GOOS=js GOARCH=wasm $(GO) vet -trimpath $(VECTORS) $(TRIMMED) ./wasm/... $(IN_BROWSER)

# Without cgo and without what opens libraries (purego), a binary is static: ldd has nothing to say about it.
portable: ## devices are left out where they cannot be, and by -tags noopencl
	@for target in $(or $(filter-out all,$(TARGETS)),darwin/arm64 windows/amd64 linux/arm64); do \
		echo "GOOS=$${target%/*} GOARCH=$${target#*/} $(GO) build ./learner/device/..."; \
		GOOS=$${target%/*} GOARCH=$${target#*/} $(GO) build ./learner/device/... || exit 1; done
	@for tags in noopencl purego; do \
		if GOOS=linux GOARCH=amd64 $(GO) list -deps -tags $$tags ./server | grep -q ebitengine/purego; then \
			echo "-tags $$tags still has purego in it" >&2; exit 1; fi; done

laws: ## who may import whom, with the reasons; how long lines are
	@$(GO) -C tools run ./laws -C ..

words: ## the words of comments and documents, by our style for Vale: tools/words/README.md
	@mkdir -p bin
	@sh tools/words/run.sh

gen: ## write the generated files anew: pages, kernels, colours
	$(RUNTOOL) templ generate -path web/page
	$(GO) -C tools run ./avo -out ../learner/kernel/kernel_amd64.s -stubs ../learner/kernel/stubs_amd64.go -pkg kernel
	$(GO) -C tools run ./neon -out ../learner/kernel/kernel_arm64.s -stubs ../learner/kernel/stubs_arm64.go
	$(GO) -C tools run ./simd -out ../static/kernels.js
	$(GO) test -count=1 ./web/palette -write

generated: gen
	@git diff --exit-code -- '*_templ.go' 'learner/kernel/kernel_*.s' 'learner/kernel/stubs_*.go' \
		static/palette.css static/kernels.js || \
		{ echo "generated files were out of date: make gen has mended them, commit them" >&2; exit 1; }

chromium: ## install the browser for the tests of the page, where we may
	@sh tools/chromium.sh

webkit: ## install WebKit with its driver for the tests of the page, where we may
	@sh tools/webkit.sh

postgres: ## install the database for the tests of the store, where we may
	@sh tools/postgres.sh install

opencl: ## install a device for the tests of devices, where we may
	@sh tools/opencl.sh

numpy: ## install NumPy for the tests that run Python, where we may
	@sh tools/numpy.sh

oclgrind: ## install a second OpenCL implementation, which reports data races, for make check
	@sh tools/oclgrind.sh

nats: ## build the NATS server for the tests of front ends
	@$(RUNTOOL) -n nats-server >/dev/null

ptx: ## compile the kernels for NVIDIA and look at how they round, where clang and libclc are
	@sh tools/ptx.sh

DEVICE ?= auto
bench-device: build ## measure a device beside the processor: DEVICE=nvidia
	@sh tools/bench-device.sh $(DEVICE)

test-device: ## compare a device with the processor, bit by bit, in whole runs: DEVICE=nvidia
	TEST_DEVICE=$(filter-out auto,$(DEVICE)) $(GO) test -count=1 ./learner/device/opencl

fuzz: ## fuzz every target for FUZZTIME, one on each core
	sh tools/fuzz.sh $(FUZZTIME)

attack: build ## hold what SECURITY.md promises against a server of its own
	$(GO) -C tools test ./attack -count=1 -v -timeout 20m -attack

# Each must be noticed by its package's own tests, or else by the fast ones of a package that uses it.
PKG ?= correct loss replay traj optim actor algo
mutants: ## change the learner one small thing at a time: does a test notice? PKG=correct for one package
	$(GO) -C tools run ./mutants -C .. -users learner/algo,learner,learner/device/opencl $(addprefix learner/,$(PKG))

screenshots: wasm ## take the pictures of the README and of links again
	$(GO) test -tags slow ./server -count=1 -timeout 20m -run Screenshots -screenshots ../docs/screenshots

notebooks: ## execute the notebooks and compare their output; needs jupyter-nbconvert
	$(GO) -C notebooks test -count=1 -timeout 30m ./...

clean: ## remove what was built
	rm -rf bin static/*.wasm static/*.wasm.* static/wasm_exec.js

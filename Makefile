# What a person runs here; `make` alone lists it. Each target installs what it lacks and says so.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

TARGET_DIR := $(or $(CARGO_TARGET_DIR),target)
# Programs for work on this repository: quick to build, and the same for `make start` and the tests.
DEBUG := $(abspath $(TARGET_DIR))/debug
# What is shipped: small and quick, and minutes to build.
RELEASE := $(abspath $(TARGET_DIR))/release
# Development tools that are cargo packages are installed here and nowhere else.
TOOLS := $(abspath $(TARGET_DIR))/tools
export PATH := $(TOOLS)/bin:$(PATH):$(HOME)/.cargo/bin:$(TOOLS)/go/bin

# What builds the programs of the landscape where there is no Go, for Linux: digests of the toolchain as a zip file.
GO := v0.0.1-go1.26.8
GO_linux-amd64 := 30c2b1bf7dcc88d3eb0a1364e47ddd9128edb3110a30e8a0ef61cd5856b31de7
GO_linux-arm64 := 02b36b6787b3ac767668f630e2998df45a3b1f9ffee08d1bf3ef6487cd658d99

# A link to the folder with the programs of the landscape (docs/landscape.md).
LANDSCAPE := $(abspath $(TARGET_DIR))/landscape

# Where the official SDKs are installed that test the simulator.
SDK := $(TARGET_DIR)/sdk
PYTHON_IS_THERE := python3 -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null

# Where `make start` serves the page.
PORT ?= 8750
# How long `make fuzz` runs each target.
FUZZ_SECONDS ?= 60
# Which share of all mistakes `make mutants` tries: the first of 46 takes some ten minutes.
MUTANTS ?= 0/46

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: start
start: rust ## Build trellis, show it at work on the examples, and serve the page until Ctrl-C
	@echo "building $(DEBUG)/trellis and the page; the first time takes some minutes"
	@$(MAKE) --jobs 2 program web FACES=--javascript
	@$(call replace,page/dist,$(DEBUG)/page)
	@for example in $(filter-out examples/%five-mistakes.yaml,$(wildcard examples/*.yaml)); do \
		printf '\n== trellis validate %s\n' $$example; \
		"$(DEBUG)/trellis" validate $$example; \
	done
	@printf '\n== trellis validate examples/five-mistakes.yaml\n'
	@status=0; "$(DEBUG)/trellis" validate examples/five-mistakes.yaml || status=$$?; \
	if [ $$status != 1 ]; then echo "five mistakes should exit with 1, this was $$status"; exit 1; fi
	@printf '\n== trellis plan --baseline empty examples/two-zones.yaml\n'
	@"$(DEBUG)/trellis" plan --baseline empty examples/two-zones.yaml
	@printf '\n== trellis serve --listen 127.0.0.1:%s (another port: make start PORT=8751)\n' $(PORT)
	@exec "$(DEBUG)/trellis" serve --listen 127.0.0.1:$(PORT)

.PHONY: build
build: rust ## Build target/release/trellis with policies and page beside it, and the npm package in web/
	@$(MAKE) --jobs 2 release web
	@$(call replace,page/dist,$(RELEASE)/page)

# All is built first. Then cargo's tests run, and the others beside them; of those, make shows what a line printed when the
# line has ended.
.PHONY: test
test: rust chromium $(SDK)/requirements.txt ## Run every test, and check that generated files are up to date
	@$(MAKE) --jobs 3 tests web landscape-programs
	@$(MAKE) --jobs 2 --output-sync=line test-rust test-web test-others

.PHONY: test-rust
test-rust:
	LANDSCAPE_PROGRAMS="$(LANDSCAPE)" cargo test --workspace

.PHONY: test-web
test-web test-others: export TRELLIS := $(DEBUG)/trellis
test-web:
	npm test --workspace web
	npm run test:consumers --workspace web
	npm run check --workspace page
	npm test --workspace page

# The official SDKs drive the simulator; once more with each fifth call throttled.
.PHONY: test-others
test-others:
	for step in functions rules schemas providers simulator; do "$(DEBUG)/xtask" $$step --check; done
	"$(DEBUG)/parity"
	$(SDK)/bin/python -m pytest tests/sdk
	$(SDK)/bin/python -m pytest tests/sdk/services --throttled 0.2

.PHONY: verify
verify: rust landscape-programs policies ## Check formatting, lints, documentation and dependencies; survive every crash and fault
	@$(MAKE) tests
	@$(MAKE) --jobs 3 --output-sync=line verify-contract verify-survival verify-code verify-crashes

# Cargo builds one thing at a time: the tests beside this begin while cargo builds nothing, and go first where processors are short.
.PHONY: verify-code
verify-code:
	cargo fmt --all --check
	@$(call cargo-tool,cargo-machete,0.9)
	cargo machete
	nice -n 10 cargo clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" nice -n 10 cargo doc --workspace --no-deps

.PHONY: verify-crashes
verify-crashes:
	cargo test --workspace --test fleet --test infrastructure --test runner -- --ignored --test-threads 8

# Each part has a landscape of its own, and waits more than it works.
CONTRACT := admission caution faults frozen garbage harness lifecycle protocol takeover webhooks
.PHONY: verify-contract verify-survival
verify-contract verify-survival: export LANDSCAPE_PROGRAMS := $(LANDSCAPE)
verify-contract:
	cargo test --workspace --test controller -- --ignored --test-threads 1 $(addsuffix ::,$(CONTRACT))
verify-survival:
	cargo test --workspace --test controller -- --ignored --test-threads 1 --skip figures $(addprefix --skip ,$(addsuffix ::,$(CONTRACT)))

.PHONY: landscape
landscape test-landscape: export TRELLIS := $(DEBUG)/trellis
landscape test-landscape: export TRELLIS_POLICIES := $(RELEASE)/policies
landscape: rust ## Start a seed in which Trellis reconciles the two-zone example in a simulated cloud, until Ctrl-C
	@echo "building what is missing of trellis, its policies and the programs of the landscape; the first time takes some minutes"
	@$(MAKE) --jobs 2 program policies landscape-programs
	@folder=$$(mktemp -d); \
	exec "$(LANDSCAPE)/landscape" try --gardener "$$folder/landscape" \
		examples/two-zones.yaml examples/cloudprofile-regions.yaml examples/secret.yaml examples/seed.yaml

.PHONY: test-landscape
test-landscape: rust go ## Test that landscape itself
	@$(MAKE) --jobs 2 program policies
	cd tests/landscape && CGO_ENABLED=0 GOFLAGS="-trimpath -mod=readonly -buildvcs=false" nice -n 10 go test -count=1 ./...

.PHONY: bench
bench: rust web policies landscape-programs chromium ## Measure what docs/performance.md reports
	LANDSCAPE_PROGRAMS="$(LANDSCAPE)" cargo bench --workspace --bench '*'
	npm run bench --workspace web
	@$(MAKE) build
	TRELLIS="$(RELEASE)/trellis" npm run bench --workspace page

.PHONY: fuzz
fuzz: rust ## Fuzz each target for FUZZ_SECONDS (60)
	@$(call cargo-tool,cargo-fuzz,0.13)
	@rustup run nightly rustc --version || { \
		echo "installing the nightly toolchain, which fuzzing needs"; \
		rustup toolchain install nightly --profile minimal; \
	}
	@for target in $$(cargo fuzz list); do \
		printf '\n== fuzzing %s for %s seconds\n' $$target $(FUZZ_SECONDS); \
		mkdir -p $(TARGET_DIR)/fuzz-corpus/$$target fuzz/corpus/$$target; \
		cargo +nightly fuzz run $$target $(TARGET_DIR)/fuzz-corpus/$$target fuzz/corpus/$$target -- \
			-max_total_time=$(FUZZ_SECONDS) -timeout=10; \
	done

.PHONY: mutants
mutants: rust ## Make mistakes in the policies of providers, a share of MUTANTS (0/46), and list those that no test notices
	@$(call cargo-tool,cargo-mutants,27)
	cargo mutants --sharding round-robin --shard $(MUTANTS) --output $(TARGET_DIR)

.PHONY: docs
docs: rust node_modules/.package-lock.json ## Write the generated files and the API documentation
	cargo xtask functions
	cargo xtask rules
	cargo xtask schemas
	cargo xtask providers
	cargo xtask simulator
	npm run types --workspace web
	cargo doc --workspace --no-deps

.PHONY: clean
clean: ## Remove everything that was built or installed here
	cargo clean
	rm -rf node_modules web/node_modules web/dist page/node_modules page/dist

# Parts of the above. Two builds of cargo wait for each other where both write to the same folder, so `xtask` is built first.

.PHONY: xtask
xtask:
	cargo build --bin xtask

.PHONY: program
program: xtask
	cargo build --bin trellis

# Without the features that other packages of the workspace need for tests.
.PHONY: release
release:
	cargo build --release --package trellis-host --bin trellis

.PHONY: tests
tests: xtask
	cargo test --workspace --no-run

# `FACES=--javascript` leaves out the policies for the sandbox.
.PHONY: web
web: xtask node_modules/.package-lock.json
	"$(DEBUG)/xtask" wasm $(FACES)
	npm run build --workspace web
	npm run build --workspace page

# The policies for the sandbox.
.PHONY: policies
policies: xtask
	"$(DEBUG)/xtask" wasm --sandbox

# The programs with which the landscape starts. The API servers take minutes to build, once. KUBEBUILDER_ASSETS may name a folder
# that has them, and LANDSCAPE_PROGRAMS one that has all.
.PHONY: landscape-programs
landscape-programs: $(if $(LANDSCAPE_PROGRAMS),,go)
	@mkdir -p "$(TARGET_DIR)"
	@launcher=$(if $(LANDSCAPE_PROGRAMS),"$(abspath $(LANDSCAPE_PROGRAMS))/landscape",$$(go -C tests/landscape run ./build)); \
	ln -sfn "$$(dirname "$$launcher")" "$(LANDSCAPE)"

# The toolchain itself is named in rust-toolchain.toml; rustup installs it at the first call of cargo.
.PHONY: rust
rust:
	@command -v cargo >/dev/null || { \
		echo "Rust is missing. Install rustup (https://rustup.rs), then run make again:"; \
		echo "the compiler and everything else is installed from here."; \
		exit 1; \
	}
	@command -v cc >/dev/null || { \
		echo "A C linker is missing. On Debian: apt-get install build-essential"; \
		exit 1; \
	}
	@cargo --version

# The zip file has no executable bits, and names each `go.mod` in another way.
.PHONY: go
go:
	@command -v go >/dev/null || { \
		case "$$(uname -sm)" in \
			"Linux x86_64") system=linux-amd64 digest=$(GO_linux-amd64);; \
			"Linux aarch64") system=linux-arm64 digest=$(GO_linux-arm64);; \
		esac; \
		for tool in curl sha256sum python3; do command -v $$tool >/dev/null || system=""; done; \
		if [ -z "$${system:-}" ]; then \
			echo "Go 1.25.7 or newer is missing, which the landscape is built with. Install it (https://go.dev/doc/install),"; \
			echo "or set LANDSCAPE_PROGRAMS to a folder with the built programs (docs/landscape.md)."; \
			exit 1; \
		fi; \
		echo "installing Go, $(GO).$$system, into $(TOOLS)/go, for the landscape"; \
		rm -rf "$(TOOLS)/go" "$(TOOLS)/go.new"; \
		mkdir -p "$(TOOLS)/go.new"; \
		cd "$(TOOLS)/go.new"; \
		curl --fail --silent --show-error --location --output zip \
			https://proxy.golang.org/golang.org/toolchain/@v/$(GO).$$system.zip; \
		echo "$$digest  zip" | sha256sum --check --quiet; \
		python3 -m zipfile --extract zip .; \
		cd "golang.org/toolchain@$(GO).$$system"; \
		chmod -R u+x bin pkg/tool; \
		find src -name _go.mod -execdir mv {} go.mod \;; \
		mv "$$PWD" "$(TOOLS)/go"; \
		rm -rf "$(TOOLS)/go.new"; \
	}

.PHONY: chromium
chromium:
	@test -n "$(CHROMIUM)" || command -v chromium chromium-browser google-chrome >/dev/null || { \
		if [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then \
			echo "Chromium is missing, which the browser tests need. Install it, or set CHROMIUM to its path."; \
			exit 1; \
		fi; \
		echo "installing chromium with apt-get, for the browser tests"; \
		apt-get --quiet=2 update; \
		DEBIAN_FRONTEND=noninteractive apt-get --quiet=2 --option=Dpkg::Use-Pty=0 install --yes --no-install-recommends chromium; \
	}

# The versions of the SDKs need this Python.
.PHONY: python
python:
	@$(PYTHON_IS_THERE) || { \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			echo "installing python3 with apt-get, for the SDKs that test the simulator"; \
			apt-get --quiet=2 update; \
			DEBIAN_FRONTEND=noninteractive apt-get --quiet=2 --option=Dpkg::Use-Pty=0 install --yes --no-install-recommends python3 python3-venv; \
		fi; \
		$(PYTHON_IS_THERE) || { \
			echo "Python 3.11 or newer with venv is missing, which the tests with the SDKs need. Install it as python3."; \
			exit 1; \
		}; \
	}

# A directory below the target directory has the SDKs, and a copy of what it was made of.
$(SDK)/requirements.txt: tests/sdk/requirements.txt
	@$(MAKE) python
	@echo "installing the Python packages of $< into $(SDK)"
	@rm -rf $(SDK)
	python3 -m venv $(SDK)
	$(SDK)/bin/python -m pip install --quiet --disable-pip-version-check --requirement $<
	@cp $< $@

# Older releases of Node.js cannot run vite, which builds the page.
node_modules/.package-lock.json: package.json package-lock.json web/package.json page/package.json
	@node --eval 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 22 || (a === 22 && b >= 12) || (a === 20 && b >= 19) ? 0 : 1)' \
		&& command -v npm >/dev/null || { \
		echo "Node.js 20.19, 22.12 or newer with npm is missing (https://nodejs.org, or your distribution's packages)."; \
		exit 1; \
	}
	@echo "installing the npm packages of package-lock.json"
	npm ci --no-audit --no-fund
	@touch $@

# Installs a cargo subcommand unless it is there: name, version.
define cargo-tool
command -v $(1) >/dev/null || { \
	echo "installing $(1) into $(TOOLS)"; \
	cargo install --quiet --locked --root $(TOOLS) $(1)@^$(2); \
}
endef

# Puts a folder in the place of another one: from, to. The folder is copied beside the old one first, so that `trellis serve`
# lacks a page only between two renames.
define replace
rm -rf "$(2).new" && cp -R "$(1)" "$(2).new" && rm -rf "$(2)" && mv "$(2).new" "$(2)"
endef

# What a person runs here; `make` alone lists it. Each target installs what it lacks and says so.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

TARGET_DIR := $(or $(CARGO_TARGET_DIR),target)
# Programs for work on this repository: quick to build. `make start` builds a part of `trellis` there, and the tests all of it.
DEBUG := $(abspath $(TARGET_DIR))/debug
# What is shipped: small and quick, and minutes to build.
RELEASE := $(abspath $(TARGET_DIR))/release
# Development tools that are cargo packages are installed here and nowhere else.
TOOLS := $(abspath $(TARGET_DIR))/tools
export PATH := $(TOOLS)/bin:$(PATH):$(HOME)/.cargo/bin:$(TOOLS)/go/bin

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

# Which part of the points of long tests runs: `all`, or a name that draws a quarter of them.
export TRELLIS_POINTS ?= $(shell git rev-parse HEAD 2>/dev/null || echo 0)
# What `make soak` runs.
PARTS ?= start crashes parity contract survival fuzz build landscape thousand pack

# The minutes stand in docs/performance.md, where `.ci/measure` writes them.
.PHONY: help
help: ## List the targets, and the minutes that each took on two cores
	@awk -F '\\|' ' \
		FNR == NR { if ($$2 ~ /^ `make [^`]+` $$/) { \
			target = $$2; gsub(/^ `make |` $$/, "", target); gsub(/^ | $$/, "", $$3); gsub(/ /, "", $$4); \
			part = target; sub(/^[^ ]+ ?(PARTS=)?/, "", part); sub(/ .*/, "", target); \
			took = $$4 " " (part == "" ? $$3 : part); \
			minutes[target] = minutes[target] == "" ? took : minutes[target] ", " took } next } \
		/^[a-z-]+:.*## / { \
			split($$0, parts, /:.*## /); target = parts[1]; \
			printf "make %-15s %s%s\n", target, parts[2], target in minutes ? " (minutes: " minutes[target] ")" : "" }' \
		docs/performance.md Makefile

.PHONY: start
start: rust ## Build trellis, show it at work on the examples, and serve the page until Ctrl-C
	@$(call step,1 of 4: build steps)
	@$(MAKE) xtask node_modules/.package-lock.json
	@$(call step,2 of 4: the program and the page; the first time takes some minutes)
	@$(MAKE) --jobs 2 local web FACES=--javascript
	@$(call replace,page/dist,$(DEBUG)/page)
	@$(call step,3 of 4: the examples)
	@for example in examples/*.yaml; do \
		expected=$$(sed -n '1s/^# expect: //p' $$example); \
		found=$$("$(DEBUG)/trellis" validate --color never $$example 2>/dev/null | $(SUMMARY)) || true; \
		echo "$$example: $$found"; \
		if [ "$$found" != "$$expected" ]; then \
			echo "the first line of $$example expects \`$$expected\`: change that line or the example" >&2; \
			exit 1; \
		fi; \
	done
	@printf '\n$$ trellis validate examples/five-mistakes.yaml\n'
	@"$(DEBUG)/trellis" validate examples/five-mistakes.yaml || [ $$? = 1 ]
	@printf '\n$$ trellis plan --baseline empty examples/two-zones.yaml (in short)\n'
	@"$(DEBUG)/trellis" plan --baseline empty --color never examples/two-zones.yaml 2>/dev/null | grep -E '^  \+|^[0-9]+ changes'
	@$(call step,4 of 4: the page$(comma) until Ctrl-C (another port: make start PORT=8751))
	@trap : INT; "$(DEBUG)/trellis" serve --listen 127.0.0.1:$(PORT) || { echo "trellis serve failed with exit code $$?" >&2; exit 1; }

.PHONY: test-start
test-start: chromium ## Test `make start` as a newcomer runs it, from the first line to the page and Ctrl-C
	node --test --test-reporter=spec tests/start/*.test.js

.PHONY: build
build: rust ## Build target/release/trellis with policies and page next to it, and the npm package in web/
	@$(MAKE) xtask
	@$(MAKE) --jobs 2 release web
	@$(call replace,page/dist,$(RELEASE)/page)
	npm run --silent sizes --workspace web
	node page/build/release.js "$(RELEASE)/page"

# All is built first, lints included, because cargo builds one thing at a time and a test would wait for its turn. Then tests run
# side by side, the longest first; make shows what a line printed when the line has ended.
TESTS := test-rust test-page test-web test-parity test-consumers test-dashboard test-sdk test-generated
CHECKS := verify-contract verify-survival verify-crashes
SIDE_BY_SIDE := $(MAKE) --jobs 4 --output-sync=line
# The jobs and tests that failed, once more at the end, because thousands of lines of other jobs follow a failure.
CHECK_LOG := $(TARGET_DIR)/check.log
FAILURES := ^make\[[0-9]+\]: \*\*\*|^error(\[|:)|^test .* FAILED$$|^ *(FAIL|FAILED|ERROR) |panicked at|^ *(✖|×|not ok) 
WHAT_FAILED := { printf '\nWhat failed (all of it in $(CHECK_LOG)):\n'; grep -anE '$(FAILURES)' "$(CHECK_LOG)"; exit 1; }

.PHONY: test
test: installed ## Run every test, and check that generated files are up to date
	@$(MAKE) --jobs 3 tests web landscape-programs
	@$(SIDE_BY_SIDE) $(TESTS)

.PHONY: verify
verify: installed ## Check formatting, lints, documentation and dependencies; survive every crash and fault
	@$(MAKE) --jobs 3 lints web landscape-programs
	@$(SIDE_BY_SIDE) $(CHECKS)

.PHONY: check
check: installed ## Run what `make test` and `make verify` run, side by side
	@$(MAKE) --jobs 3 lints web landscape-programs 2>&1 | tee "$(CHECK_LOG)" || $(WHAT_FAILED)
	@$(SIDE_BY_SIDE) $(CHECKS) $(TESTS) 2>&1 | tee "$(CHECK_LOG)" || $(WHAT_FAILED)

# What tests need, and what builds the rest.
.PHONY: installed
installed: rust chromium $(SDK)/requirements.txt
	@$(MAKE) xtask

.PHONY: test-rust
test-rust:
	LANDSCAPE_PROGRAMS="$(LANDSCAPE)" cargo test --workspace

.PHONY: test-web test-consumers test-page
test-web test-consumers test-page: export TRELLIS := $(DEBUG)/trellis
test-web:
	npm test --workspace web
test-consumers:
	npm run test:consumers --workspace web
test-page:
	npm run check --workspace page
	npm test --workspace page

# The dashboard's tools are installed where the sample runs, and the package as others get it.
.PHONY: test-dashboard
test-dashboard: export DASHBOARD := $(abspath $(TARGET_DIR))/dashboard
test-dashboard:
	examples/dashboard/install.sh "$(DASHBOARD)"
	cd "$(DASHBOARD)" && ./yarn.sh test && ./yarn.sh build
	npm --prefix examples/dashboard run test:browser

.PHONY: test-parity
test-parity:
	"$(DEBUG)/parity"

# The official SDKs drive the simulator; those of one service once more with each fifth call throttled.
.PHONY: test-sdk
test-sdk: export TRELLIS := $(DEBUG)/trellis
test-sdk:
	$(SDK)/bin/python -m pytest tests/sdk
	$(SDK)/bin/python -m pytest tests/sdk/services --throttled vpc

GENERATED := functions modules rules schemas providers
.PHONY: test-generated
test-generated:
	for step in $(GENERATED); do "$(DEBUG)/xtask" $$step --check; done

.PHONY: lints
lints: tests
	cargo clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps
	cargo fmt --all --check
	cargo xtask words
	@$(call cargo-tool,cargo-machete,0.9)
	cargo machete
	@echo "looking for hosts of package registries in files that people write"
	@! git grep -nE '$(REGISTRIES)' -- ':!*.lock' ':!package-lock.json' ':!*go.sum' || { \
		echo "a file names the host of a package registry: name the package alone, and let its tool find it" >&2; \
		exit 1; \
	}

.PHONY: verify-crashes
verify-crashes:
	cargo test --workspace --test commands --test fleet --test runner -- --ignored --test-threads 8

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
	@$(MAKE) xtask
	@$(MAKE) --jobs 2 program policies landscape-programs
	@folder=$$(mktemp -d); \
	exec "$(LANDSCAPE)/landscape" try --gardener "$$folder/landscape" \
		examples/two-zones.yaml examples/cloudprofile-regions.yaml examples/secret.yaml examples/seed.yaml

.PHONY: test-landscape
test-landscape: rust go ## Test that landscape itself
	@$(MAKE) xtask
	@$(MAKE) --jobs 2 program policies
	cd tests/landscape && CGO_ENABLED=0 GOFLAGS="-trimpath -mod=readonly -buildvcs=false" nice -n 10 go test -count=1 ./...

# What CI runs in part runs here in full; each part ends within an hour, its build apart.
.PHONY: soak
soak: installed ## Run in full what CI runs in part, or only PARTS=fuzz; write the minutes into docs/performance.md
	@$(MAKE) --jobs 3 tests web landscape-programs
	@for part in $(PARTS); do .ci/measure "make soak PARTS=$$part" warm $(MAKE) soak-$$part; done

.PHONY: $(addprefix soak-,start crashes parity contract survival fuzz build landscape thousand pack)
soak-crashes soak-parity soak-contract soak-survival: export TRELLIS_POINTS := all
soak-start:
	@$(MAKE) test-start
soak-crashes:
	@$(MAKE) verify-crashes
soak-parity:
	@$(MAKE) test-parity
soak-contract:
	@$(MAKE) verify-contract
# One run takes minutes; no run begins after three quarters of an hour.
soak-survival:
	@while [ $$SECONDS -lt 2700 ]; do $(MAKE) verify-survival; done
soak-fuzz:
	@$(MAKE) fuzz FUZZ_SECONDS=300
soak-build:
	@$(MAKE) build
soak-landscape:
	@$(MAKE) test-landscape
# A thousand Shoots with all their resources keep to the budgets of memory and processor time.
soak-thousand: export LANDSCAPE_PROGRAMS := $(LANDSCAPE)
soak-thousand: export TRELLIS_PROGRAM := $(RELEASE)/trellis
soak-thousand:
	@$(MAKE) --jobs 2 release policies
	cargo test --workspace --test controller -- --ignored --nocapture --test-threads 1 figures_of_1000_shoots
soak-pack:
	@$(MAKE) web
	npm pack --dry-run --workspace web
	npm run test:consumers --workspace web

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
	cargo +nightly fuzz build
	@cargo fuzz list | xargs --max-procs 2 --replace={} bash -euo pipefail -c ' \
		mkdir -p "$(TARGET_DIR)/fuzz-corpus/{}" fuzz/corpus/{}; \
		cargo +nightly fuzz run {} "$(TARGET_DIR)/fuzz-corpus/{}" fuzz/corpus/{} -- \
			-max_total_time=$(FUZZ_SECONDS) -timeout=10 > "$(TARGET_DIR)/fuzz-corpus/{}.log" 2>&1 || { \
			cat "$(TARGET_DIR)/fuzz-corpus/{}.log"; echo "fuzzing {} failed"; exit 255; \
		}; \
		echo "fuzzed {} for $(FUZZ_SECONDS) seconds: $$(grep -c ^ "$(TARGET_DIR)/fuzz-corpus/{}.log") lines in $(TARGET_DIR)/fuzz-corpus/{}.log"'

.PHONY: mutants
mutants: rust ## Make mistakes in the policies of providers, a share of MUTANTS (0/46), and list those that no test notices
	@$(call cargo-tool,cargo-mutants,27)
	cargo mutants --sharding round-robin --shard $(MUTANTS) --output $(TARGET_DIR)

.PHONY: docs
docs: rust node_modules/.package-lock.json ## Write the generated files and the API documentation
	for step in $(GENERATED); do cargo xtask $$step; done
	UPDATE_DOCS=1 cargo test --workspace --test coverage
	npm run types --workspace web
	cargo doc --workspace --no-deps

.PHONY: clean
clean: ## Remove everything that was built or installed here
	cargo clean
	rm -rf node_modules web/node_modules web/dist web/judging page/node_modules page/dist

# Parts of the above. Two builds of cargo wait for each other where both write to the same folder, so `xtask` is built first.

# Says what comes, and how long it took to get here.
BEGAN := $(shell date +%s)
step = printf '\n== %s (after %s s)\n' "$(1)" $$(( $$(date +%s) - $(BEGAN) ))
comma := ,
# What the last line of `trellis validate` says of the documents, in the words of the first line of an example.
SUMMARY := sed -nE 's/^[0-9]+ documents?: //p' | sed -E 's/^no errors, //; s/^no errors$$/accepted/'
# Hosts of package registries, as a pattern that is none of them.
REGISTRIES := (proxy|sum)[.]golang[.]org|registry[.](npmjs|yarnpkg)[.]|crates[.]io/|(pypi|pythonhosted)[.]org|repo1?[.]maven|(deb|security)[.]debian[.]org|static[.]rust-lang[.]org

.PHONY: xtask
xtask:
	cargo build --bin xtask

.PHONY: program
program:
	cargo build --bin trellis

# The same without what needs a cluster or a sandbox, in half the time. The packages that are left out ask for both.
PART := --workspace --exclude trellis-kubernetes --exclude trellis-testing --no-default-features --features local
.PHONY: local
local:
	cargo build $(PART) --bin trellis

# Without the features that other packages of the workspace need for tests.
.PHONY: release
release:
	cargo build --release --package trellis-cli --bin trellis

.PHONY: tests
tests:
	cargo test --workspace --no-run

# What make looks at to see whether the npm package and the page are up to date.
files = $(shell find $(1) -type f 2>/dev/null)
PACKAGE := $(call files,web/src web/scripts web/schemas web/dist/policies web/package.json web/tsconfig*.json web/judging.md web/THIRD-PARTY.md)
PAGE := $(call files,page/src page/build page/public page/index.html page/package.json page/vite.config.js $(wildcard examples/*.yaml))

# `FACES=--javascript` leaves out the policies for the sandbox.
.PHONY: web
web: node_modules/.package-lock.json
	"$(DEBUG)/xtask" wasm $(FACES)
	@$(MAKE) page/dist/index.html

web/dist/index.js: node_modules/.package-lock.json $(PACKAGE)
	npm run --silent build --workspace web

page/dist/index.html: web/dist/index.js $(PAGE)
	npm run --silent build --workspace page

# The policies for the sandbox.
.PHONY: policies
policies:
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

# Go comes as a package of Python.
.PHONY: go
go:
	@command -v go >/dev/null || { \
		$(MAKE) python; \
		echo "installing Go into $(TOOLS), for the landscape"; \
		rm -rf "$(TOOLS)/go" "$(TOOLS)/go-package"; \
		python3 -m venv "$(TOOLS)/go-package"; \
		"$(TOOLS)/go-package/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes \
			--requirement tests/landscape/requirements.txt || { \
			echo "Go 1.26.5 or newer is missing, which the landscape is built with. Install it (https://go.dev/doc/install),"; \
			echo "or set LANDSCAPE_PROGRAMS to a folder with the built programs (docs/landscape.md)."; \
			exit 1; \
		}; \
		ln -s "$(TOOLS)"/go-package/lib/python3*/site-packages/go "$(TOOLS)/go"; \
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

# Puts a folder in the place of another one: from, to. The folder is copied next to the old one first, so that `trellis serve`
# lacks a page only between two renames.
define replace
rm -rf "$(2).new" && cp -R "$(1)" "$(2).new" && rm -rf "$(2)" && mv "$(2).new" "$(2)"
endef

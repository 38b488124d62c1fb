# The only list of commands. `make help` prints it.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
DEMO   := build/demo
WEB    := leaderboards/web
APT    := g++ gcc make libzmq3-dev cppzmq-dev libsimdjson-dev libcjson-dev
# For the kits of all languages: a program, and the package that has it where it is missing.
TOOLS  := ruby:ruby lua5.4:lua5.4 jq:jq perl:perl mcs:mono-mcs mono:mono-runtime cargo:cargo go:golang-go \
          node:nodejs npm:npm javac:default-jdk-headless mvn:maven
# For the hostile suite: system calls that fail on purpose, and a kernel that has every control group.
HOSTILE := strace:strace linux.uml:user-mode-linux
# For pages: what looks at them, and what makes their scripts.
BROWSER := chromium:chromium node:nodejs npm:npm
FUZZ   := codec session zmtp lines wire archive manifest
SECONDS := 60

# What a user of this checkout may have set must not change what is measured or tested.
unexport PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED

.DEFAULT_GOAL := help
.PHONY: help setup demo test compiled test-compiled test-long test-kits test-web test-postgres test-cluster test-statistics hostile fuzz check bench bench-quick format schema web docs toolchain toolchains netns clean

help: ## This list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 17

setup: $(VENV)/.installed ## The virtual environment with everything that development needs

$(VENV)/.arena: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make PYTHON=python3.12 ..."; exit 1; }
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV) || \
	  { rm -rf $(VENV); echo "no virtual environment can be made; on Debian: sudo apt-get install -y python3-venv"; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.installed: $(VENV)/.arena
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

# Packages are installed where that can be done, else named.
define install
if [ -n "$$missing" ]; then \
  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
    echo "installing$$missing"; \
    (apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $$missing) >build/apt.log 2>&1 \
      || { tail -n 5 build/apt.log; echo "some bots may not build"; }; \
  else \
    echo "some bots need: sudo apt-get install -y$$missing"; \
  fi; fi
endef

toolchain: build # what bots in C and C++ are built with
	@missing=; for package in $(APT); do \
	  dpkg-query -W -f='$${Status}' $$package 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$package"; done; \
	$(install)

toolchains: toolchain # what bots in all languages are built with
	@missing=; for tool in $(TOOLS); do \
	  command -v $${tool%%:*} >/dev/null || missing="$$missing $${tool##*:}"; done; \
	$(install)

browser: build # what pages are made and looked at with
	@missing=; for tool in $(BROWSER); do \
	  command -v $${tool%%:*} >/dev/null || missing="$$missing $${tool##*:}"; done; \
	$(install)

server: build # what a ledger on a server is tested with
	@missing=; ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || missing=" postgresql"; \
	$(install)

attackers: toolchain # what the hostile suite attacks with
	@missing=; for tool in $(HOSTILE); do \
	  command -v $${tool%%:*} >/dev/null || missing="$$missing $${tool##*:}"; done; \
	$(install)

build:
	@mkdir -p build

demo: $(VENV)/.arena toolchain ## A real tournament of each game with bots in four languages, and the leaderboards
	@rm -rf $(DEMO)
	@$(BIN)/arena --home $(DEMO) run docs/demo-claim.toml
	@$(BIN)/arena --home $(DEMO) run docs/demo-aristoocrazy.toml

check: setup $(WEB)/node_modules/.installed ## Format, lint, imports, types, generated files, docs
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/lint-imports
	@$(BIN)/mypy
	@$(BIN)/python -m protocol.schema --check
	@cd $(WEB) && npm run --silent check
	@$(MAKE) --no-print-directory docs

format: setup ## Format the code
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

test: setup toolchain ## The default tests (under five minutes on two cores); those below take longer, or need more
	@$(BIN)/python -m pytest -q -n 3 --dist loadgroup

test-long: setup toolchain ## Whole pages of docs, bad bots, kills, thousands of games, learning, wheels (nine minutes)
	@$(BIN)/python -m pytest -q -m 'hostile or long' tests/e2e tests/bots
	@$(BIN)/python -m pytest -q -n 2 -m 'hostile or long' tests/reference tests/arena/rl tests/rules tests/every_game \
	  tests/arena/test_records.py

test-kits: setup toolchains ## The kits of all languages: built, conforming, in a tournament (four minutes)
	@$(BIN)/python -m pytest -q -m kits tests/kits

test-web: setup $(WEB)/node_modules/.installed ## Pages in headless Chromium, and the replay viewer's fold (two minutes)
	@$(BIN)/python -m pytest -q -m web tests

test-statistics: setup ## What ratings and schedules promise, in many simulated tournaments
	@$(BIN)/python -m pytest -q -n 2 -m statistics tests

test-postgres: setup server ## Ledgers on a PostgreSQL server, which it starts; real runs over it (three minutes)
	@$(BIN)/python -m pytest -q -n 2 -m postgres tests/arena tests/postgres

test-cluster: setup netns ## Tournaments on workers in network namespaces, killed and cut off; as root (three minutes)
	@$(BIN)/python -m pytest -q -m cluster tests/cluster

netns: build # what machines of a cluster are made of
	@missing=; command -v ip >/dev/null || missing=" iproute2"; $(install)

hostile: setup attackers ## Programs that attack the arena; crashes, soak, another kernel (nine minutes)
	@$(BIN)/python -m tests.hostile.campaign
	@$(BIN)/python -m pytest -q -m hostile tests

build/fuzz-venv/.installed: pyproject.toml | build
	@$(PYTHON) -m venv build/fuzz-venv
	@build/fuzz-venv/bin/python -m pip install --quiet --disable-pip-version-check atheris --editable .
	@touch $@

fuzz: build/fuzz-venv/.installed ## Bytes that no bot should send, SECONDS=60 for each part that reads some (seven minutes)
	@for target in $(FUZZ); do build/fuzz-venv/bin/python -m tests.fuzz.run $$target $(SECONDS) || exit 1; done

# All of the package: each file that is not compiled has a link there.
ENGINES := $(wildcard referee/*.py referee/*/*.py referee/*/*/*.py referee/*/*/*/*.json)

build/compiled/.made: hatch_build.py $(ENGINES) | setup build
	@touch build/compiling
	@$(BIN)/python hatch_build.py build/compiled
	@mv build/compiling $@

compiled: build/compiled/.made ## Rules and the referee's hot path compiled: PYTHONPATH=build/compiled (a minute)

test-compiled: compiled ## Their tests over the compiled ones, which play the same games (three minutes)
	@KINGMAKER_ENGINES=compiled PYTHONPATH=build/compiled $(BIN)/python -m pytest -q -n 2 -o 'pythonpath=build/compiled .' \
	  tests/rules tests/every_game tests/golden tests/reference tests/referee

bench-quick: setup toolchain compiled ## The ratios that need no peers, in under 40 s
	@$(BIN)/python -m tests.benchmarks.quick

bench: setup toolchain compiled ## Everything, beside peers (FASTCHESS=PROGRAM); writes docs/performance.md (15 minutes, 8 GB of build/)
	@$(BIN)/python -m tests.benchmarks.full

$(WEB)/node_modules/.installed: $(WEB)/package-lock.json | browser
	@cd $(WEB) && npm ci --silent --no-audit --no-fund
	@touch $@

web: $(WEB)/node_modules/.installed ## Make the scripts and style sheets of pages (leaderboards/web/dist)
	@cd $(WEB) && npm run --silent build

docs: setup ## The documentation as a site, in build/docs; a warning is an error
	@$(BIN)/python -m sphinx -q -E -n -W --keep-going -d build/docs-trees -b html -c docs . build/docs

schema: setup ## Write the generated JSON Schema and AsyncAPI files
	@$(BIN)/python -m protocol.schema

clean: ## Remove what was built
	rm -rf build $(VENV)

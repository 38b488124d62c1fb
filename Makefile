# The only list of commands. `make help` prints it.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
DEMO   := build/demo
APT    := g++ gcc make libzmq3-dev cppzmq-dev libsimdjson-dev libcjson-dev
# For the kits of all languages: a program, and the package that has it where it is missing.
TOOLS  := ruby:ruby lua5.4:lua5.4 jq:jq perl:perl mcs:mono-mcs mono:mono-runtime cargo:cargo go:golang-go \
          node:nodejs npm:npm javac:default-jdk-headless mvn:maven
# For the hostile suite: system calls that fail on purpose, and a kernel that has every control group.
HOSTILE := strace:strace linux.uml:user-mode-linux
FUZZ   := codec session zmtp lines wire archive manifest
SECONDS := 60

# What a user of this checkout may have set must not change what is measured or tested.
unexport PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-long test-kits test-statistics hostile fuzz check bench bench-quick format schema toolchain toolchains clean

help: ## This list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

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

test: setup toolchain ## All tests (under five minutes on two cores)
	@$(BIN)/python -m pytest -q -n 3 --dist loadgroup

test-long: setup toolchain ## Whole pages of docs, every bad bot, twenty kills, bots' strength by thousands of games (four minutes)
	@$(BIN)/python -m pytest -q -m 'hostile or long' tests/e2e tests/bots

test-kits: setup toolchains ## The kits of all languages: built, conforming, in a tournament (four minutes)
	@$(BIN)/python -m pytest -q -m kits tests/kits

test-statistics: setup ## What ratings and schedules promise, in many simulated tournaments
	@$(BIN)/python -m pytest -q -n 2 -m statistics tests

hostile: setup attackers ## Programs that attack the arena, a row each; crashes, soak, another kernel (eight minutes)
	@$(BIN)/python -m tests.hostile.campaign
	@$(BIN)/python -m pytest -q -m hostile tests

build/fuzz-venv/.installed: pyproject.toml | build
	@$(PYTHON) -m venv build/fuzz-venv
	@build/fuzz-venv/bin/python -m pip install --quiet --disable-pip-version-check atheris --editable .
	@touch $@

fuzz: build/fuzz-venv/.installed ## Bytes that no bot should send, SECONDS=60 for each part that reads some
	@for target in $(FUZZ); do build/fuzz-venv/bin/python -m tests.fuzz.run $$target $(SECONDS) || exit 1; done

check: setup ## Format, lint, imports, types, generated files
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/lint-imports
	@$(BIN)/mypy
	@$(BIN)/python -m protocol.schema --check

bench-quick: $(VENV)/.arena toolchain ## The ratios that need no peers, in under 40 s
	@$(BIN)/python tests/benchmarks/quick.py

bench: $(VENV)/.arena toolchain ## Everything, beside the peers that registries offer; writes docs/performance.md
	@$(BIN)/python tests/benchmarks/full.py

format: setup ## Format the code
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

schema: setup ## Write the generated JSON Schema and AsyncAPI files
	@$(BIN)/python -m protocol.schema

clean: ## Remove what was built
	rm -rf build $(VENV)

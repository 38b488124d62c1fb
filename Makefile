# The only list of commands. `make help` prints it.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
DEMO   := build/demo
APT    := g++ make libzmq3-dev cppzmq-dev libsimdjson-dev

# What a user of this checkout may have set must not change what is measured or tested.
unexport PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED

.DEFAULT_GOAL := help
.PHONY: help setup demo test check bench bench-quick format schema toolchain clean

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

toolchain: # the C++ compiler and headers: installed where that can be done, else named
	@missing=; for package in $(APT); do \
	  dpkg-query -W -f='$${Status}' $$package 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$package"; done; \
	if [ -n "$$missing" ]; then \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "installing$$missing"; \
	    (apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $$missing) >build/apt.log 2>&1 \
	      || { tail -n 5 build/apt.log; echo "the C++ bot may not build"; }; \
	  else \
	    echo "the C++ bot needs: sudo apt-get install -y$$missing"; \
	  fi; fi

build:
	@mkdir -p build

demo: $(VENV)/.arena build toolchain ## A real tournament of each game with bots in two languages, and the leaderboards
	@rm -rf $(DEMO)
	@$(BIN)/arena --home $(DEMO) run docs/demo-claim.toml
	@$(BIN)/arena --home $(DEMO) run docs/demo-aristoocrazy.toml

test: setup build toolchain ## All tests (about four minutes on two cores)
	@$(BIN)/python -m pytest -q -n 2 --dist loadgroup

check: setup ## Format, lint, imports, types, generated files
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/lint-imports
	@$(BIN)/mypy
	@$(BIN)/python -m protocol.schema --check

bench-quick: $(VENV)/.arena build toolchain ## The ratios that need no peers, in under 40 s
	@$(BIN)/python tests/benchmarks/quick.py

bench: $(VENV)/.arena build toolchain ## Everything, beside the peers that registries offer; writes docs/performance.md
	@$(BIN)/python tests/benchmarks/full.py

format: setup ## Format the code
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

schema: setup ## Write the generated JSON Schema and AsyncAPI files
	@$(BIN)/python -m protocol.schema

clean: ## Remove what was built
	rm -rf build $(VENV)

# The front door. `make watch` and `make test` need python3 >= 3.11 with venv, make and a C++ compiler.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
NODE := $(VENV)/node/.ready
SCENARIO ?= kor-ind-clinic-fasting
# A portable build: -march=native code dies on machines that only look like the one it was built on.
export CMAKE_ARGS := -DGGML_NATIVE=OFF -DLLAVA_BUILD=OFF -DMTMD_BUILD=OFF

.DEFAULT_GOAL := help
.PHONY: help setup node watch chat test check bench lint types contracts lock clean

help: ## show these lines
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(READY) ## set up .venv, with the command in .venv/bin/skopos

node: $(NODE) ## install from npm what some tests run against

watch: $(READY) ## watch a six-turn dialogue, interpreted and scored live, offline
	@$(BIN)/skopos watch $(SCENARIO)

chat: $(READY) ## chat through the interpreter, both seats at this keyboard
	@$(BIN)/skopos chat --me kor --other ind --hotseat

test: $(READY) ## run the tests
	@$(BIN)/python -m pytest

check: lint types contracts test ## what CI runs: lint, types, import contracts, tests

lint: $(READY) ## ruff: rules and format
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .

types: $(READY) ## mypy, strict
	@$(BIN)/mypy

contracts: $(READY) ## which room may import which
	@$(BIN)/lint-imports

bench: $(READY) ## measure; output goes to docs/bench/
	@$(BIN)/python -m tests.bench

lock: $(READY) ## pin the dependencies again, by hash
	@$(BIN)/uv pip compile -q --universal --generate-hashes --python-version 3.11 --no-header \
	  pyproject.toml -o requirements/core.lock
	@$(BIN)/uv pip compile -q --universal --generate-hashes --python-version 3.11 --no-header \
	  pyproject.toml --group dev -c requirements/core.lock -o requirements/dev.lock
	@$(BIN)/uv pip compile -q --universal --generate-hashes --python-version 3.11 --no-header \
	  requirements/build.in -o requirements/build.lock
	@$(BIN)/uv pip compile -q --universal --generate-hashes --python-version 3.11 --no-header \
	  requirements/bootstrap.in -o requirements/bootstrap.lock

$(NODE): tests/thirdparty/package.json tests/thirdparty/package-lock.json
	@mkdir -p $(VENV)/node
	@cp tests/thirdparty/package.json tests/thirdparty/package-lock.json $(VENV)/node/
	@npm ci --prefix $(VENV)/node --silent --no-fund --no-audit
	@touch $(NODE)

clean: ## remove the environment and caches
	@rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis dist

$(READY): pyproject.toml requirements/dev.lock requirements/build.lock requirements/bootstrap.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Skopos needs python3 3.11 or newer; this is $$($(PYTHON) --version 2>&1)." >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null \
	  || { echo "Skopos needs Python's venv module (Debian: apt install python3-venv)." >&2; exit 1; }
	@command -v $${CXX:-c++} >/dev/null \
	  || { echo "Skopos needs a C++ compiler for the local model server (Debian: apt install g++)." >&2; exit 1; }
	@echo "Setting up $(VENV): the first time takes some minutes, most of them building the local model server."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements/bootstrap.lock
	@$(BIN)/uv pip sync -q --compile-bytecode --python $(BIN)/python --require-hashes --build-constraints requirements/build.lock requirements/dev.lock
	@$(BIN)/uv pip install -q --python $(BIN)/python --no-deps --no-build-isolation -e .
	@touch $(READY)

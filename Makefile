# The two commands of the README are `make doctor` and `make test`; both set up all that they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
ARGS ?=
EXAMPLE := docs/examples/torch-mismatch
SOURCES := $(shell find src matrix $(wildcard playbooks templates) -type f -not -name "*.pyc") pyproject.toml hatch_build.py README.md

.DEFAULT_GOAL := help
.PHONY: help doctor test test-all check dev bench bench-doctor pyz clean system-packages

help: ## show what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { echo "ascendenv needs Python 3.10 or newer; name one with PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "the venv module is missing: apt-get install python3-venv" >&2; exit 1; }

# Tests and doctor both run what users install: the built package, not the source folder.
$(VENV)/.installed: $(BIN)/python $(SOURCES)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade --force-reinstall --no-deps . \
	  && $(BIN)/python -m pip install --quiet --disable-pip-version-check .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check '.[dev]'
	@touch $@

# Findings (1) and "nothing could be checked" (4) are answers, not failures of the tool.
ANSWERED = || { code=$$?; [ $$code -eq 1 ] || [ $$code -eq 4 ]; }

doctor: $(VENV)/.installed ## diagnose this machine and an example (ARGS="--log err.txt" for your own)
ifneq ($(strip $(ARGS)),)
	@$(BIN)/ascendenv doctor $(ARGS) $(ANSWERED)
else
	@echo '$$ ascendenv doctor' && $(BIN)/ascendenv doctor $(ANSWERED)
	@echo
	@echo 'And a machine that is broken:'
	@echo '$$ ascendenv doctor --log $(EXAMPLE)/error.log --report $(EXAMPLE)/report.txt'
	@$(BIN)/ascendenv doctor --log $(EXAMPLE)/error.log --report $(EXAMPLE)/report.txt $(ANSWERED)
endif

system-packages:
	@tests/install-system-packages.sh

check: $(VENV)/.installed-dev system-packages ## lint and type-check
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/yamllint --strict matrix
	@git ls-files -z '*.sh' .ci/run | xargs -0 shellcheck

test: check ## lint, type-check and run the fast tests
	@$(BIN)/pytest -m 'not slow' -n 2 --dist loadfile

test-all: $(VENV)/.installed-dev system-packages ## run all tests, the slow layers included
	@$(BIN)/pytest -n 2 --dist loadfile

dev: ## an editable install in .venv-dev, for working on ascendenv
	@$(PYTHON) -m venv .venv-dev && .venv-dev/bin/pip install --quiet --editable '.[dev]'

bench: $(VENV)/.installed-dev ## benchmarks, as ratios measured in one run
	@for file in tests/bench/bench_*.py; do $(BIN)/python -m "tests.bench.$$(basename "$$file" .py)" || exit 1; done

bench-doctor: $(VENV)/.installed-dev ## how often the doctor names the right cause on ../shared/cases
	@$(BIN)/python -m tests.bench.bench_doctor

pyz: $(VENV)/.installed-dev ## dist/ascendenv.pyz: the doctor as one file, for machines without network
	@rm -rf build/wheel && $(BIN)/python -m build --wheel --outdir build/wheel . >/dev/null
	@$(BIN)/python -m scripts.build_pyz build/wheel/ascendenv-*.whl dist/ascendenv.pyz && ls -l dist/ascendenv.pyz

clean: ## remove what was built
	@rm -rf $(VENV) .venv-dev build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis

# `make demo` and `make test` need nothing but Python 3.11 or newer: each makes the environment it works in.

# The first Python on the path that is new enough; name another with `make test PYTHON=/path/to/python`.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$p"; exit; }; done; echo python3)
PYTEST_ARGS ?=
# One process per core; `make test WORKERS=0` runs all in one, for a debugger.
WORKERS ?= auto

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip
# An environment is stale when what it was made from is newer than its stamp.
DEMO := $(VENV)/.installed-demo
DEV := $(VENV)/.installed-dev

.DEFAULT_GOAL := help
.PHONY: help demo test coverage style check docs doctest bench test-slow constraints clean distclean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

demo: $(DEMO) ## build, validate, mark and report three small releases, offline, into demo/
	$(BIN)/python -m earmark demo --out demo --force

test: style ## style and types, then the tests
	$(BIN)/python -m pytest --numprocesses=$(WORKERS) --dist=loadscope $(PYTEST_ARGS)

# Following every branch doubles the time that the tests take.
coverage: $(DEV) ## the tests, and which lines and branches none of them reaches
	$(BIN)/python -m pytest --numprocesses=$(WORKERS) --dist=loadscope --cov --cov-report=term:skip-covered $(PYTEST_ARGS)

style: $(DEV) ## style, types and import rules only
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

check: test docs doctest ## `make test`, the documentation with warnings as errors, and its examples

docs: $(DEV) ## the documentation, as HTML in docs/_build/html
	$(BIN)/sphinx-build --fail-on-warning --keep-going --quiet -b html docs docs/_build/html

doctest: $(DEV) ## run the examples of the documentation
	$(BIN)/sphinx-build --fail-on-warning --keep-going --quiet -b doctest docs docs/_build/doctest

bench: $(DEV) ## the benchmarks, as ratios in one run
	$(BIN)/python -m pytest benchmarks --benchmark-only -o addopts="-ra --strict-markers --import-mode=importlib"

test-slow: $(DEV) ## the tests that take longer than the default run should
	$(BIN)/python -m pytest -m slow $(PYTEST_ARGS)
	$(BIN)/python -m pytest --hypothesis-profile=thorough tests/builders/segments tests/scoring/submissions $(PYTEST_ARGS)

# Soupsieve 4 wants Python 3.11.5, and Debian 12 has 3.11.2: unpinned, pip takes the newest that fits.
constraints: $(DEV) ## pin the newest versions that the whole of `.[dev]` resolves to
	$(PIP) install --quiet pip-tools
	$(BIN)/pip-compile --quiet --upgrade --extra dev --strip-extras --no-header --no-annotate --no-emit-index-url \
		--no-emit-trusted-host --no-emit-find-links --output-file $(VENV)/resolved.txt pyproject.toml
	{ sed -n '/^#/p' constraints.txt; sed -e '/^earmark/d' -e '/^soupsieve/d' $(VENV)/resolved.txt; } > $(VENV)/constraints.txt
	mv $(VENV)/constraints.txt constraints.txt

clean: ## remove what the demo, the tests and the documentation wrote
	rm -rf demo docs/_build docs/generated htmlcov .coverage .coverage.* .pytest_cache .mypy_cache .ruff_cache \
		.import_linter_cache .hypothesis .benchmarks

distclean: clean ## remove the environment too
	rm -rf $(VENV)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("Earmark needs Python 3.11 or newer; this is " + sys.version.split()[0] + " (name another with PYTHON=...)" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)

# An installed environment says so by its stamp; `.[dev]` holds all that the demo needs.
$(DEMO): pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[build,voice]'
	touch $@

$(DEV): pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	touch $(DEMO) $@

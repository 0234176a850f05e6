# make demo    the main example: train a classifier with a compiled gradient
# make test    the test suite            make test-slow    with everything that takes long
# make test-plain    the programs of the test suite, with derivatives that are not optimised
# make lint    ruff and mypy             make bench        the benchmarks
# make fuzz    random programs, COUNT=3000 of them: a wrong derivative is shown for the smallest program that has it
# make docs    the manual as HTML        make clean        remove what was built
#
# Each sets up what it needs in .venv, once. With another interpreter: make test PYTHON=python3.13 VENV=.venv-3.13

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

PYTHON ?= python3
VENV ?= .venv
JOBS ?= 2
COUNT ?= 3000
BIN := $(VENV)/bin
SUITABLE := import sys, venv, ensurepip; sys.exit(not (3, 10) <= sys.version_info < (3, 14))

# One thread a BLAS: NumPy and Numba bring one each, and their thread pools get in each other's way.
export OPENBLAS_NUM_THREADS ?= 1
# For the benchmarks: freed memory stays with the process. Page faults are the system's, not the contenders'.
KEEP_MEMORY := MALLOC_MMAP_THRESHOLD_=1073741824 MALLOC_TRIM_THRESHOLD_=1099511627776
export PYTHONUNBUFFERED := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help demo test test-slow test-plain fuzz lint bench docs clean

help:
	@sed -n 's/^# \(make.*\)/\1/p' Makefile

demo: $(VENV)/.with-demo
	@$(BIN)/python examples/digits.py

test: $(VENV)/.with-test
	@$(BIN)/python -m pytest -q -n $(JOBS)

test-slow: $(VENV)/.with-test
	@$(BIN)/python -m pytest -q -n $(JOBS) --slow

test-plain: $(VENV)/.with-test
	@SRCAD_OPTIMIZE=0 $(BIN)/python -m pytest -q -n $(JOBS) tests/test_programs.py tests/test_corpus.py tests/test_forward.py \
	    tests/test_second_order.py tests/test_jacobian.py tests/test_random_programs.py

fuzz: $(VENV)/.with-test
	@SRCAD_FUZZ=$(COUNT) $(BIN)/python -m pytest -q -s tests/test_random_programs.py::test_random_program
	@$(BIN)/python -m tests.random_memory --count $(COUNT) --seed $$RANDOM
	@$(BIN)/python -m tests.random_loops --count $(COUNT) --seed $$RANDOM
	@$(BIN)/python -m tests.random_states --count $(COUNT) --seed $$RANDOM
	@$(BIN)/python -m tests.random_mixtures --count $(COUNT) --seed $$RANDOM
	@$(BIN)/python -m tests.random_kinds --count $(COUNT) --seed $$RANDOM
	@$(BIN)/python -m tests.random_steps --count $(COUNT) --seed $$RANDOM
	@$(BIN)/python -m tests.random_rows --count $(COUNT) --seed $$RANDOM
	@$(BIN)/python -m tests.random_layers --count $(COUNT) --seed $$RANDOM

lint: $(VENV)/.with-lint
	@echo "ruff"
	@$(BIN)/python -m ruff check .
	@echo "mypy"
	@$(BIN)/python -m mypy

bench: $(VENV)/.with-bench
	@$(KEEP_MEMORY) $(BIN)/python -m tests.benchmarks

docs: $(VENV)/.with-docs
	@$(BIN)/python -m pytest -q tests/test_docs.py
	@$(BIN)/python -m sphinx -q -W --keep-going -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

clean:
	rm -rf build dist *.egg-info docs/_build .pytest_cache .mypy_cache .ruff_cache .hypothesis

# What an extra of pyproject.toml needs, and srcad itself as an editable install.
$(VENV)/.with-%: pyproject.toml | $(BIN)/python
	@echo "Installing what 'make $*' needs into $(VENV):"
	@$(BIN)/python -m pip install -e '.[$*]' | awk ' \
	    $$1 ~ /^(Downloading|Using)$$/ && /\.whl|\.tar\.gz/ \
	        { sub(/^ *(Downloading|Using cached) /, ""); sub(/^.*\//, ""); sub(/-(py|cp)[0-9].*\.whl(\.metadata)?/, ""); \
	          if (!/kB|metadata/) print "  " $$0 } \
	    /^Building|^Installing collected/ { print "  " $$1 " " ($$1 == "Building" ? "srcad" : "packages") " ..." } \
	    { fflush() }'
	@touch $@

$(BIN)/python:
	@for python in $(PYTHON) python3 python3.13 python3.12 python3.11 python3.10; do \
	    if $$python -c '$(SUITABLE)' 2>/dev/null; then \
	        echo "Creating $(VENV) with $$($$python --version)"; \
	        $$python -m venv $(VENV); \
	        exit 0; \
	    fi; \
	done; \
	echo "No CPython 3.10 to 3.13 with the modules venv and ensurepip was found."; \
	echo "On Debian and Ubuntu: apt install python3-venv. Or name one: make PYTHON=/path/to/python3.12"; \
	exit 1

# Everything runs from one environment, .venv, made by `make setup` out of pinned versions.
SHELL := /bin/bash
PYTHON ?= python3
# Tests run in so many processes at once, a file always within one; `make test WORKERS=0` runs them in this one.
WORKERS ?= 2
BIN := .venv/bin
STAMP := .venv/.installed
export PYTHONPATH := .
# Where it is set, every process would compile every module anew, and tests start many.
export PYTHONDONTWRITEBYTECODE :=
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder -rs

.PHONY: setup demo run test test-core test-local-model check browser bench screenshots clean

setup: $(STAMP)

$(STAMP): requirements.lock requirements-nodeps.lock pyproject.toml
	@bash scripts/setup.sh "$(PYTHON)"
	@touch $(STAMP)

# make demo; make demo MODEL=local [SIZE=1.5b]; SITUREC_MODEL=openai/NAME SITUREC_MODEL_API_BASE=http://... make demo
MODEL ?=
SIZE ?= 0.5b
demo: setup
ifeq ($(MODEL),local)
	@bash scripts/need_local_model.sh $(SIZE)
	@$(BIN)/python manage.py demo --local-model $(SIZE)
else ifneq ($(MODEL),)
	@echo "MODEL=local is the only one there is; for another: SITUREC_MODEL=openai/NAME SITUREC_MODEL_API_BASE=http://... make demo" >&2; exit 2
else
	@$(BIN)/python manage.py demo
endif

run: setup
	@$(BIN)/python manage.py serve

# The real local model takes part where it can be had, and must then; -rs names whatever was skipped.
test: setup
	@bash scripts/need_chromium.sh
	@if bash scripts/local_model_for_tests.sh; then export REQUIRE_LOCAL_LLM=1; fi; $(PYTEST)

# Runtime and model, then their tests alone, the long ones too; anything missing is a failure here.
test-local-model: setup
	@bash scripts/need_local_model.sh 0.5b
	@REQUIRE_LOCAL_LLM=1 LOCAL_LLM_LONG=1 $(BIN)/python -m pytest -rs -m local_llm tests/web

test-core: setup
	@$(PYTEST) tests/core

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy .
	$(BIN)/lint-imports
	$(BIN)/python manage.py makemigrations --check --dry-run --settings siturec_web.settings.test
	@if command -v node > /dev/null; then node --test tests/js/; else echo "node is not installed: the JavaScript tests were skipped"; fi

browser: setup
	@bash scripts/need_chromium.sh
	@$(BIN)/python -m pytest tests/browser

screenshots: setup
	@bash scripts/need_chromium.sh
	@$(BIN)/python scripts/screenshots.py

bench: setup
	@for one in benchmarks/[a-z]*.py; do echo "== $$one"; $(BIN)/python "$$one" || true; done

clean:
	rm -rf var .mypy_cache .ruff_cache .pytest_cache

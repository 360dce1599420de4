# The same commands for people and for CI; `make run` and `make test` need only Python 3.11+, pip and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run test test-slow test-clients check audit format bench lock clean

# Installing is skipped while the lock and the project file are older than the stamp.
$(VENV)/.run: requirements.lock pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps -e .
	@touch $@

$(VENV)/.dev: requirements-dev.lock pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps -e .
	@touch $@ $(VENV)/.run

run: $(VENV)/.run
	@$(BIN)/footfall serve

test: $(VENV)/.dev
	$(BIN)/python -m pytest -m "alone and not slow"
	$(BIN)/python -m pytest -m "not alone and not slow" --numprocesses=2 --dist=worksteal

test-slow: $(VENV)/.dev
	$(BIN)/python -m pytest -m slow

# Needs Node.js 18 or later; nothing of it is needed to run the service.
test-clients:
	npm --prefix clients/node ci --ignore-scripts --no-audit --no-fund
	npm --prefix clients/node run types
	npm --prefix clients/node test
	npm --prefix clients/browser ci --ignore-scripts --no-audit --no-fund
	npm --prefix clients/browser run check
	npm --prefix clients/browser test

check: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Asks PyPI's advisory database about what the service is installed from: needs the network, so it is no part of check.
# In an environment of its own, so that the locked one stays as it is; strict, since otherwise what nobody could be asked
# about counts as harmless.
audit:
	@test -x $(VENV)/audit/bin/python || $(PYTHON) -m venv $(VENV)/audit
	$(VENV)/audit/bin/python -m pip install --quiet --disable-pip-version-check pip-audit
	$(VENV)/audit/bin/pip-audit --strict --require-hashes --disable-pip --requirement requirements.lock

format: $(VENV)/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/.dev
	$(BIN)/python -m tests.benchmarks.ingestion
	$(BIN)/python -m tests.benchmarks.reports

# Resolves the newest versions that pyproject.toml allows; the result holds hashes and no index address.
lock: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header \
	  --upgrade --extra server pyproject.toml requirements-build.in -o requirements.lock
	$(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header \
	  --upgrade --extra dev pyproject.toml requirements-build.in -o requirements-dev.lock

clean:
	rm -rf $(VENV) dist .mypy_cache .ruff_cache .pytest_cache .hypothesis

# The same commands for people and for CI; `make run` and `make test` need only Python 3.11+, pip and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# Each process of the tests, and each service that they start, would compile all modules anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test collect test-slow test-thorough test-times test-citus test-clients wheels check audit format messages openapi bench lock release clean

# Installation is skipped while the stamp is newer than the lock and the project file. What a program imports is compiled then: to compile all
# packages takes as long as to install them.
$(VENV)/.run: requirements.lock pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps -e .
	@touch $@

$(VENV)/.dev: requirements-dev.lock pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes -r requirements-dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps -e .
	@touch $@ $(VENV)/.run

run: $(VENV)/.run
	@$(BIN)/footfall serve

# A plugin that each process of a run would import before its first test, and that no test needs.
LEAN := -p no:schemathesis

# Tests wait for stores, services and browsers half of their time: four processes keep two cores busy.
# Only tests of the whole service need the machine to themselves.
SPREAD := --numprocesses=4 --dist=worksteal
QUICK := not slow and not thorough
# What a cell holds: neither accounts nor the journal, and no identifiers. Memory has no cells. Expressions and what generated histories are
# like ask no store.
HELD := (not memory or test_memory) and not test_most_generated
OF_CELLS := tests/contract --ignore=tests/contract/accounts --ignore=tests/contract/test_event_store.py \
  --ignore=tests/contract/test_identifiers.py --ignore=tests/contract/columns/test_expressions.py
# Cases of measures that differ by their times ask nothing else of a cell.
HELD_SAMPLE := ($(HELD)) and not test_every_order_of_arrival_gives

test: $(VENV)/.dev
	$(BIN)/python -m pytest $(LEAN) -m "$(QUICK) and not alone" $(SPREAD)
	$(BIN)/python -m pytest $(LEAN) -m "$(QUICK) and alone" tests/e2e

# Compiles the tests and what they import, which each of the four processes of `make test` would do anew, and finds what cannot be imported.
collect: $(VENV)/.dev
	@$(BIN)/python -m pytest $(LEAN) --collect-only --quiet -m "" >$(VENV)/collected || { tail -n 50 $(VENV)/collected; false; }

# Faults; what needs Chromium, MariaDB, Node.js or curl; and the ports over three cells, with other generated histories than those of
# `make test`.
test-slow: $(VENV)/.dev
	$(BIN)/python -m pytest $(LEAN) -m "(slow or needs) and not thorough and not alone and not citus" $(SPREAD) -rs
	$(BIN)/python -m pytest $(LEAN) -m "slow and alone and not citus" tests/e2e
	$(BIN)/python -m pytest $(LEAN) --hypothesis-profile=seeded --hypothesis-seed=1 -m "$(QUICK)" --in-cells $(SPREAD) -k "$(HELD_SAMPLE)" $(OF_CELLS)

# All of it at its full length, every variation of a fault, and the suite at other times: before a release.
test-thorough: $(VENV)/.dev test-times
	$(BIN)/python -m pytest $(LEAN) --hypothesis-profile=thorough \
	  -m "(slow or thorough or hypothesis) and not alone and not citus" $(SPREAD)
	$(BIN)/python -m pytest $(LEAN) --hypothesis-profile=thorough -m "(slow or thorough) and alone and not citus" tests/e2e
	$(BIN)/python -m pytest $(LEAN) --hypothesis-profile=thorough -m "$(QUICK)" --in-cells $(SPREAD) -k "$(HELD)" $(OF_CELLS)

# At midnight, on the first and last days of months and years, on 29 February, and while clocks change. It needs libfaketime and a C compiler.
# A browser has its own clock.
test-times: $(VENV)/.dev
	$(BIN)/python -m tests.shifted_clock all $(LEAN) -m "$(QUICK) and not alone and not needs" $(SPREAD)

# Cells on Citus, which hold no accounts and give no identifiers, and have of the journal only a copy that one writer makes. The tests are skipped
# where no PostgreSQL has the extension; FOOTFALL_TEST_CITUS_BIN names its programs.
test-citus: $(VENV)/.dev
	$(BIN)/python -m pytest -m citus -rs
	$(BIN)/python -m pytest -m "$(QUICK)" --in-citus -rs --numprocesses=2 --dist=worksteal -k "$(HELD)" $(OF_CELLS)

# The tests of the clients need Node.js 20.19 or later; the service does not.
test-clients:
	npm --prefix clients/node ci --prefer-offline --ignore-scripts --no-audit --no-fund
	npm --prefix clients/node/tests/frameworks ci --prefer-offline --ignore-scripts --no-audit --no-fund
	npm --prefix clients/node run types
	npm --prefix clients/node test
	npm --prefix clients/browser ci --prefer-offline --ignore-scripts --no-audit --no-fund
	npm --prefix clients/browser run check
	npm --prefix clients/browser test
	npm --prefix clients/vite ci --prefer-offline --ignore-scripts --no-audit --no-fund
	npm --prefix clients/vite run types
	npm --prefix clients/vite test

# Downloads what `make test` installs, `make run` included, and fails for a package that would have to be built.
WHEELS ?= $(VENV)/wheels
wheels:
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip download --quiet --disable-pip-version-check --only-binary :all: --require-hashes --no-deps \
	  --dest $(WHEELS) --requirement requirements-dev.lock

check: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tests.languages.catalogues --check

# Brings the catalogues of the languages in step with the texts of the sources: docs/internals/languages.md.
messages: $(VENV)/.dev
	$(BIN)/python -m tests.languages.catalogues

# Asks PyPI's advisory database about the locked packages. It needs the network, so `check` does not include it.
# It has an environment of its own, so that the locked one stays unchanged. With --strict, a package that the database
# cannot be asked about is a failure.
audit:
	@test -x $(VENV)/audit/bin/python || $(PYTHON) -m venv $(VENV)/audit
	$(VENV)/audit/bin/python -m pip install --quiet --disable-pip-version-check pip-audit
	$(VENV)/audit/bin/pip-audit --strict --require-hashes --disable-pip --requirement requirements.lock

format: $(VENV)/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# The service reads the generated JSON, so that it needs no YAML parser, and the Python client the generated types of
# reports; tests compare all of them.
openapi: $(VENV)/.dev
	$(BIN)/python -m tests.http.openapi_json
	$(BIN)/python -m tests.http.reading_interface

bench: $(VENV)/.dev
	$(BIN)/python -m tests.benchmarks.ingestion
	$(BIN)/python -m tests.benchmarks.reports
	$(BIN)/python -m tests.benchmarks.unconfigured

# Resolves the newest versions that pyproject.toml allows, with hashes and without the address of an index. Tests run
# with the versions of `make run`: they are resolved together.
LOCKING := pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header --upgrade

lock: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv $(LOCKING) --extra dev pyproject.toml requirements-build.in -o requirements-dev.lock
	$(BIN)/uv $(LOCKING) --constraint requirements-dev.lock --extra server pyproject.toml requirements-build.in -o requirements.lock

# Fills `dist` from the last commit: it needs git and npm.
release: $(VENV)/.dev
	@$(BIN)/python -m tests.release

clean:
	rm -rf $(VENV) dist .mypy_cache .ruff_cache .pytest_cache .hypothesis

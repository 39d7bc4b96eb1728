# Everything a person does with this checkout. Needs make and python3 >= 3.11; the rest is brought along.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
TEST_HOME := $(CURDIR)/var/test
# How many tests run side by side, each process with a database, a broker and a product of its own.
JOBS ?= 2
PYTEST := MEMOIR_HOME=$(TEST_HOME) $(BIN)/python -m pytest -n $(JOBS) --dist worksteal

# A stamp carries the digest of the lock it was made from: an edited lock, and only that, installs anew.
digest = $(shell cksum < requirements/$(1).txt | tr -d ' ')
RUN_STAMP := $(VENV)/.embedded-$(call digest,embedded)
DEV_STAMP := $(VENV)/.dev-$(call digest,dev)

.PHONY: help run test test-long screens lint types format messages lock install install-dev chromium

help:
	@echo "make run        start Memoir (Ctrl-C stops it)"
	@echo "make test       run the tests"
	@echo "make test-long  run the long ones as well, and say what no test reaches"
	@echo "make lint       style, templates and import rules;  make types: mypy;  make format: rewrite"
	@echo "make screens    take the pictures of docs/screens anew"
	@echo "make messages   collect and compile translations;  make lock: renew requirements/*.txt (needs uv)"

# The development environment holds everything that running needs.
run: $(if $(wildcard $(DEV_STAMP)),$(DEV_STAMP),$(RUN_STAMP))
	@exec $(BIN)/python manage.py run

test: $(DEV_STAMP) chromium
	$(PYTEST) -m "not long" $(ARGS)

test-long: $(DEV_STAMP) chromium
	HOSTILE=all $(PYTEST) --cov --cov-report=term:skip-covered $(ARGS)

# The pictures of docs/screens, from the demo story told anew.
screens: $(DEV_STAMP) chromium
	rm -rf var/screens
	$(BIN)/python -m tests.screens

lint: $(DEV_STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/djlint templates --lint
	$(BIN)/lint-imports

types: $(DEV_STAMP)
	$(BIN)/mypy

format: $(DEV_STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

messages: $(DEV_STAMP)
	$(BIN)/python manage.py makemessages --all --no-obsolete --no-location --ignore=.venv --ignore=var
	$(BIN)/python manage.py compilemessages --ignore=.venv --ignore=var

lock:
	requirements/lock --upgrade

install: $(RUN_STAMP)
install-dev: $(DEV_STAMP)

$(RUN_STAMP): | $(VENV)/.made
	@echo "memoir: installing what requirements/embedded.txt locks" >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/embedded.txt
	@rm -f $(VENV)/.embedded-* $(VENV)/.dev-*
	@touch $@

$(DEV_STAMP): | $(VENV)/.made
	@echo "memoir: installing what requirements/dev.txt locks" >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@rm -f $(VENV)/.embedded-* $(VENV)/.dev-*
	@touch $@ $(RUN_STAMP)

# An environment without pip is one whose making was interrupted.
$(VENV)/.made:
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || { \
		$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
			echo "memoir: Python 3.11 or later is needed as $(PYTHON); name another with PYTHON=/path/to/python3." >&2; \
			exit 1; }; \
		$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
			echo "memoir: this Python cannot make environments; install its venv package (Debian: python3-venv)." >&2; \
			exit 1; }; \
		$(PYTHON) -m venv --clear $(VENV); }
	@touch $@

# The browser tests need a Chromium: the system's, or one that Playwright keeps.
chromium: $(DEV_STAMP)
	@sh .ci/chromium $(BIN)/python

# Two commands on a fresh machine: `make run` opens a room, `make test` proves it.
# Each makes .venv and installs what the lock pins, again only when the lock has changed.

PYTHON_IN_VENV := .venv/bin/python
PYTEST := $(PYTHON_IN_VENV) -m pytest
# In the order in which tests stand (tests/conftest.py), and not the largest groups first.
GROUPED := -n 2 --dist loadgroup --no-loadscope-reorder
QUICK := $(GROUPED) -m "not slow"
TIMES := 10
# It reads the scripts as a browser would and judges their types. It comes as a wheel, and fetches nothing.
DENO := DENO_DIR=var/cache/deno DENO_NO_UPDATE_CHECK=1 .venv/bin/deno

# Where nothing that was compiled may be kept, each process that tests start would compile all of Brush again.
unexport PYTHONDONTWRITEBYTECODE

BENCHES := settling tap_to_screens fan_out saturday screens floor day_report pack years

.PHONY: help run test test-all tremble bench check audit rules pictures messages lock setup setup-dev

help:
	@echo "make run        a poker room on this machine: prints its address and who can sign in"
	@echo "                (LIVE=1 to see people play in it)"
	@echo "make test       all tests but the slow ones, browser tests included"
	@echo "make test-all   all tests, nights and all languages and sizes too"
	@echo "make tremble    the tests of make test, TIMES=10 times, beside a busy machine: what trembles, and how often"
	@echo "make bench      how far we are from what this machine can do (BENCHES=settling for one of them)"
	@echo "make check      format, lint, types (of the scripts too), imports, migrations, translations, addresses"
	@echo "make audit      whether anything that the lock pins is known to be vulnerable (asks a service outside)"
	@echo "make rules      which clause of which rule book is at work where, and held by which tests (docs/rules.md)"
	@echo "make pictures   take the pictures of the screens for the README anew"
	@echo "make messages   collect the texts to be translated, and compile the translations"
	@echo "make lock       pin the newest versions of what the *.in files name (needs uv)"

setup:
	@scripts/python scripts/setup.py

setup-dev:
	@scripts/python scripts/setup.py --dev

run: setup
	@$(if $(LIVE),BRUSH_LIVE=$(LIVE)) exec $(PYTHON_IN_VENV) -m casino.supervisor

test: setup-dev
	@$(PYTEST) $(QUICK) --budget-seconds 300 $(ARGS)

tremble: setup-dev
	@$(PYTHON_IN_VENV) -m tests.support.tremble $(TIMES) $(QUICK) $(ARGS)

test-all: setup-dev
	@$(PYTEST) $(GROUPED) --hypothesis-profile thorough --budget-seconds 2100 $(ARGS)

bench: setup-dev
	@for name in $(BENCHES); do $(PYTHON_IN_VENV) -m bench.$$name || exit 1; done

check: setup-dev
	$(PYTHON_IN_VENV) -m ruff format --check .
	$(PYTHON_IN_VENV) -m ruff check .
	@# Beside mypy, which takes one core: what tests are made of is compiled, and `make test` finds it so.
	@mkdir -p var && { $(PYTEST) --collect-only -qq >var/collected.txt 2>&1 || { cat var/collected.txt; exit 1; }; } & \
		collecting=$$!; echo "$(PYTHON_IN_VENV) -m mypy ."; $(PYTHON_IN_VENV) -m mypy .; typed=$$?; wait $$collecting && exit $$typed
	$(PYTHON_IN_VENV) -c "from importlinter.cli import lint_imports_command; lint_imports_command()" --cache-dir var/cache/imports
	$(PYTHON_IN_VENV) scripts/migrations.py
	@# Judged as a room on a network runs, with a key as long as the one that the first run makes.
	BRUSH_HTTPS=1 BRUSH_SECRET_KEY=$$($(PYTHON_IN_VENV) -c 'import secrets; print(secrets.token_urlsafe(50))') \
		$(PYTHON_IN_VENV) manage.py check --deploy --fail-level WARNING
	$(PYTHON_IN_VENV) manage.py messages --check
	$(DENO) check --quiet --config scripts/deno.json static/brush
	$(DENO) lint --quiet --config scripts/deno.json static/brush
	$(PYTHON_IN_VENV) scripts/addresses.py

audit: setup-dev
	@$(PYTHON_IN_VENV) scripts/audit.py $(ARGS)

rules: setup-dev
	@$(PYTHON_IN_VENV) -m casino.rulebooks.coverage

pictures: setup-dev
	@BRUSH_SCREENSHOTS=docs/screens $(PYTHON_IN_VENV) -m pytest -q tests/browser/test_one_evening.py
	@BRUSH_SCREENSHOTS=docs/screens/by-the-book $(PYTHON_IN_VENV) -m pytest -q tests/browser/test_the_floor_by_the_book.py
	@BRUSH_SCREENSHOTS=docs/screens/day-end $(PYTHON_IN_VENV) -m pytest -q tests/cage/test_two_stages_in_chromium.py
	@BRUSH_SCREENSHOTS=docs/screens/cashier $(PYTHON_IN_VENV) -m pytest -q tests/cage/test_a_cashiers_bad_night.py
	@BRUSH_SCREENSHOTS=docs/screens/cash-plays $(PYTHON_IN_VENV) -m pytest -q tests/browser/test_cash_plays.py
	@rm -f docs/screens/by-the-book/floor-60-pass.png docs/screens/by-the-book/phone-0-*.png

messages: setup-dev
	@$(PYTHON_IN_VENV) manage.py messages

lock:
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --upgrade requirements.in --output-file requirements.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --upgrade requirements-dev.in --output-file requirements-dev.txt

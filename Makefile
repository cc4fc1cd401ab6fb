# Two commands for a fresh clone: `make demo` and `make test`. They need Python 3.11 or newer, make and a package
# registry, and make their own .venv. Another Python: make demo PYTHON=python3.12

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
PYTEST := $(BIN)/python -m pytest --hypothesis-profile=repeatable -n 2 --dist worksteal

.PHONY: demo test test-slow lint sabotage pages clean
.NOTPARALLEL:

demo: $(VENV)/.installed
	$(BIN)/truerecall demo --out demo

test: lint
	$(PYTEST) -m "not slow and not alone"
	$(PYTEST) -n 0 -m alone

test-slow: $(VENV)/.installed-dev
	$(PYTEST) -m slow

lint: $(VENV)/.installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

sabotage: $(VENV)/.installed-dev
	$(BIN)/python -m sabotage

pages: $(VENV)/.installed-dev
	$(BIN)/python tools/measure_pages.py
	$(BIN)/python tools/check_page.py
	$(BIN)/python -m tools.engine_pages

clean:
	rm -rf $(VENV) build dist demo .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find src tests tools -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp says that an installation was finished; it is made anew when what is installed changes.
$(VENV)/.installed: $(VENV)/.made pyproject.toml constraints.txt
	$(PIP) -e .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.made pyproject.toml constraints.txt
	$(PIP) -e ".[dev]"
	@touch $@ $(VENV)/.installed

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo "truerecall needs Python 3.11 or newer, and '$(PYTHON)' is not that; try: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 2; }
	@$(PYTHON) -m venv --clear $(VENV) || \
	  { echo "'$(PYTHON)' cannot make a virtual environment; on Debian: apt-get install python3-venv" >&2; exit 2; }
	@touch $@

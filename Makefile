# Needs Python >= 3.11 and the package index, nothing else.
PYTHON ?= python3
VENV   ?= .venv
BIN     = $(VENV)/bin
DEMO   ?= demo
EXTRA  ?=
# dev,browser also installs what the tests in a browser need
EXTRAS ?= dev
READY   = $(BIN)/.installed-$(EXTRAS)

.PHONY: help demo test lint golden docs screenshots fuzz bench bench-whole bench-parts clean
.DEFAULT_GOAL := help

help:  ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## */\t/' | expand -t 13

$(READY): pyproject.toml ratingrun/__init__.py
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "ratingrun needs Python 3.11 or newer; try: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[$(EXTRAS)]'
	@touch $@

demo: $(READY)  ## make three months of lists of the invented federation in ./demo
	@sh sample_data/demo.sh $(BIN)/ratingrun $(DEMO)

test: $(READY)  ## run all tests (without a browser: all but those, and it says so)
	$(BIN)/python -m pytest -n 2 -rs $(EXTRA)

lint: $(READY)  ## check style, formatting and the types of the public API
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

golden: $(READY)  ## rewrite the golden files; then read git diff
	$(BIN)/python -m pytest tests/test_golden.py --rewrite-golden -p no:xdist
	git --no-pager diff --stat -- tests/golden sample_data/expected

docs: $(READY)  ## rewrite the generated parts of the README
	$(BIN)/python -m cogapp -r README.md

screenshots: $(READY)  ## make the README's pictures of the site anew (EXTRAS=dev,browser and a Chromium)
	$(BIN)/python tests/browser/screenshots.py

fuzz: $(READY)  ## read 200,000 mutated report files: nothing raises, nothing is lost (a quarter of an hour)
	$(BIN)/python tests/fuzz/reports.py $(EXTRA)

bench:  ## measure everything: reading, US Chess, the site, whole runs (BENCHMARKS.md); ten minutes
	@$(MAKE) --no-print-directory EXTRAS=dev,bench bench-parts bench-whole

bench-whole: $(READY)  ## measure whole runs and write BENCHMARKS.md; some parts: EXTRAS=dev,bench EXTRA="--only a,f"
	$(BIN)/python tests/bench/whole.py $(EXTRA)

bench-parts: $(READY)  ## measure reading (2,000 reports, a list of 1,000,000 players), 5,000 US Chess sections, the site
	$(BIN)/python tests/bench/reports.py
	$(BIN)/python tests/bench/uschess.py
	$(BIN)/python tests/bench/site.py

clean:  ## remove the environment and the demo
	rm -rf $(VENV) $(DEMO) build dist *.egg-info

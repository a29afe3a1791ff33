# Each target runs a few commands. CI runs most of the targets.
VENV := .venv
TRAINING := .build/training
PROGRAMS := .build/programs
LOWEST := .build/lowest
LOWEST_NUMPY := 2.0.0
PACKAGE := arguments blocks command* conventions encoding grids precision relative rotary*
ifeq ($(OS),Windows_NT)
  BIN := Scripts
else
  BIN := bin
endif
PYTHON := $(VENV)/$(BIN)/python
TRAINER := $(TRAINING)/$(BIN)/python
BOOT := $(shell command -v python3 || command -v python)
PORT ?= 8000
SEED ?= 1
SINCE ?= HEAD
# In a new environment, `make test PINS=/dev/null` installs the newest version of each library.
PINS ?= constraints.txt
CHROME ?= $(shell command -v google-chrome || command -v chromium || command -v chromium-headless-shell)
LIGHTHOUSE := .build/lighthouse
VNU := .build/html/node_modules/vnu-jar/build/dist/vnu.jar
TSC := node_modules/typescript/bin/tsc
INSTALL := $(PYTHON) -m pip install --quiet --disable-pip-version-check --constraint $(PINS)

# Builds and tests start many processes, and bytecode saves each of them a second.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: site serve test changed thorough check html properdocs lowest unchanged clean
.PHONY: bench lighthouse planted mutants fuzz twice kills growth experiments divergences

site: $(VENV)/.site
	$(PYTHON) -m scripts.build

serve: $(VENV)/.site
	$(PYTHON) -m scripts.build serve --port $(PORT)

test: $(VENV)/.dev
	$(PYTHON) -m scripts.build
	$(PYTHON) -m pytest --numprocesses auto --durations 20

# Only tests near what has changed since the last commit, or since SINCE, for about 20 seconds.
changed: $(VENV)/.dev
	$(PYTHON) -m scripts.build
	$(PYTHON) -m tests.changed --since $(SINCE)

# All tests, also those that `test` skips: whole builds killed, starved and repeated, axe, print and
# large type on every page, and properties with four times as many examples. CI runs it.
thorough: $(VENV)/.dev
	$(PYTHON) -m scripts.build
	THOROUGH=1 $(PYTHON) -m pytest --numprocesses auto --durations 20

# 10,000 hostile files and addresses for the pages, and 10,000 files for the command.
fuzz: $(VENV)/.dev
	$(PYTHON) -m scripts.build
	$(PYTHON) -m tests.fuzz --seed $(SEED)
	FUZZ_EXAMPLES=2500 $(PYTHON) -m pytest --hypothesis-seed $(SEED) tests/test_hostile_files.py

check: $(VENV)/.dev
	$(PYTHON) -m ruff check
	$(PYTHON) -m ruff format --check
	$(PYTHON) -m mypy
	$(PYTHON) -m scripts.build --check
	@if test -f $(TSC); then node $(TSC) --project jsconfig.json; \
	else echo "npm ci has not installed TypeScript: the types of docs/assets are not checked"; fi

# The Nu HTML checker on every page. It needs Java, and 30 MB from npm.
html: $(VENV)/.dev $(VNU)
	$(PYTHON) -m scripts.build
	VNU=$(VNU) $(PYTHON) -m pytest tests/test_html.py

# Lighthouse on every page. It prints which goals are missed, and does not fail: machines differ. It needs
# Chrome or Chromium, openssl, and 200 MB from npm.
lighthouse: $(VENV)/.dev $(LIGHTHOUSE)/.installed
	$(PYTHON) -m scripts.build
	LIGHTHOUSE=$(LIGHTHOUSE)/node_modules CHROME_PATH="$(CHROME)" node benchmarks/lighthouse.mjs

# Plants errors in copies, two at a time, and runs the check that has to find each: under an hour on two
# cores. `make planted PLANTED="--sample 40 --seed 7"` plants 40 of them, CI such a sample every week.
planted: $(VENV)/.dev
	$(PYTHON) -m scripts.build
	$(PYTHON) -m tests.planted $(PLANTED)

# An hour or more: 500 small errors, one at a time, in copies of the project.
# For example: make mutants MUTANTS="--seed 3 --posenc 100 --machinery 50"
mutants: $(VENV)/.dev
	$(PYTHON) -m scripts.build
	$(PYTHON) -m tests.mutation $(MUTANTS)

# Rehearses the first step away from MkDocs (docs/decisions/0014-the-site-can-leave-mkdocs.md).
properdocs: $(VENV)/.dev
	$(PYTHON) -m scripts.build
	$(PYTHON) -m benchmarks.properdocs

# The package with the lowest NumPy that pyproject.toml allows. It leaves out tests/test_identify*.py,
# which take many minutes, and the tests of the site.
lowest: $(LOWEST)/.installed
	$(LOWEST)/$(BIN)/python -m pytest posenc $(wildcard $(addprefix tests/test_,$(addsuffix .py,$(PACKAGE))))

# The same bytes from two clones with other paths, locales, time zones, hash seeds, umasks and dates.
twice: $(VENV)/.site
	$(PYTHON) -m benchmarks.twice

# Kills 50 builds at random moments. SEED chooses the moments.
kills: $(VENV)/.dev
	$(PYTHON) -m benchmarks.kills --count 50 --seed $(SEED)

# Time and memory of sites with 50, 100 and 200 pages.
growth: $(VENV)/.dev
	$(PYTHON) -m benchmarks.growth

# CI runs this last: builds and tests must leave the checkout as it was.
unchanged:
	git diff --exit-code
	@new=$$(git ls-files --others --exclude-standard); test -z "$$new" || (echo "new files: $$new"; exit 1)

bench: $(VENV)/.dev
	$(PYTHON) -m pytest benchmarks -p benchmark -o addopts=--strict-markers
	$(PYTHON) -m benchmarks.browser_frames
	$(PYTHON) -m benchmarks.model_frames

# Continues where it was stopped. Only this target installs PyTorch.
experiments: $(TRAINING)/.installed
	$(TRAINER) -m scripts.experiments

# What programs compute from published files. Installs them into an environment of their own; two large
# wheels, which need a GPU, are only unpacked.
divergences: $(PROGRAMS)/.installed
	$(PROGRAMS)/$(BIN)/python -m tests.libraries.divergences --vllm $(PROGRAMS)/wheels --sglang $(PROGRAMS)/wheels

clean:
	rm -rf site .build docs/figures docs/dist docs/vectors docs/numbers.csv docs/assets/vendor docs/assets/face docs/assets/model/weights node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks

$(VENV)/.pip: pyproject.toml constraints.txt
	$(BOOT) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'posenc needs Python 3.11 or later')"
	test -x $(PYTHON) || $(BOOT) -m venv $(VENV)
	$(INSTALL) pip --upgrade
	$(INSTALL) --group build
	$(INSTALL) --no-build-isolation --editable .
	touch $@

$(VENV)/.site: $(VENV)/.pip
	$(INSTALL) --group site
	touch $@

$(VENV)/.dev: $(VENV)/.site
	$(INSTALL) --group dev
	touch $@

$(LIGHTHOUSE)/.installed:
	npm install --silent --no-save --prefix $(LIGHTHOUSE) lighthouse@12.8.2
	touch $@

$(VNU):
	npm install --silent --no-save --prefix .build/html vnu-jar@26.9.27

$(LOWEST)/.installed: pyproject.toml constraints.txt
	$(BOOT) -m venv $(LOWEST)
	sed 's/^numpy==.*/numpy==$(LOWEST_NUMPY)/' constraints.txt > $(LOWEST)/constraints.txt
	$(LOWEST)/$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint $(LOWEST)/constraints.txt --upgrade pip
	$(LOWEST)/$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint $(LOWEST)/constraints.txt --group test
	touch $@

$(TRAINING)/.installed: pyproject.toml
	$(BOOT) -m venv $(TRAINING)
	$(TRAINER) -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(TRAINER) -m pip install --quiet --disable-pip-version-check --group experiments
	touch $@

# litgpt names an older huggingface-hub than transformers needs; it runs with the newer one.
$(PROGRAMS)/.installed: pyproject.toml
	$(BOOT) -m venv $(PROGRAMS)
	$(PROGRAMS)/$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(PROGRAMS)/$(BIN)/python -m pip install --quiet --disable-pip-version-check --group divergences
	$(PROGRAMS)/$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps litgpt==0.5.13
	cd $(PROGRAMS) && $(BIN)/python -m pip download --quiet --no-deps vllm==0.33.0 sglang==0.5.23
	for wheel in $(PROGRAMS)/*.whl; do $(PROGRAMS)/$(BIN)/python -m zipfile -e $$wheel $(PROGRAMS)/wheels; done
	touch $@

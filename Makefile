# Two commands matter: `make run` shows the whole job once, `make test` runs every test and static check.
# Both need git, make and Python >= 3.11, and install into .venv only.

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
SAMPLE := radixlint/samples/support_desk
REPORT := outputs/skill-radix-scheduler-advisor.md
# Exit code 1 of `check` and `advise` is a result (findings, no-go), any other code but 0 is a failure.
RESULT := || [ $$? -eq 1 ]

.PHONY: run test bench sample clean

run: $(VENV)/.installed
	$(BIN)/radixlint check templates/ $(RESULT)
	$(BIN)/radixlint analyze $(SAMPLE).jsonl
	$(BIN)/radixlint advise --templates templates/ --log $(SAMPLE).jsonl --workload $(SAMPLE).workload.yaml --output $(REPORT) $(RESULT)
	@echo "The report is in $(REPORT)"

test: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest --numprocesses 2 --dist loadgroup

bench: $(VENV)/.installed-test
	$(BIN)/python benchmarks/bench_radix.py
	$(BIN)/python benchmarks/bench_curve.py
	$(BIN)/python benchmarks/bench_encode.py
	$(BIN)/python benchmarks/bench_analyze.py
	$(BIN)/python benchmarks/bench_memory.py

# Write the bundled sample log again; a test checks that it is what this makes.
sample: $(VENV)/.installed-test
	$(BIN)/python tests/make_sample_log.py

clean:
	rm -rf $(VENV) dist build

# The first Python >= 3.11 on the PATH.
$(VENV)/bin/python:
	@for python in python3 python3.14 python3.13 python3.12 python3.11 python; do \
		if $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then $$python -m venv $(VENV) && exit 0; fi; \
	done; echo "radixlint needs Python >= 3.11, with venv, on the PATH" >&2; exit 1

$(VENV)/.installed: pyproject.toml $(VENV)/bin/python
	$(PIP) --editable .
	@touch $@

$(VENV)/.installed-test: pyproject.toml $(VENV)/bin/python
	$(PIP) --editable '.[test]'
	@touch $@ $(VENV)/.installed

"""``radixlint check`` on many small prompts, against Jinja's parser, yamllint, and an interpreter that does nothing.

Run: ``python benchmarks/bench_check.py [FILES] [ROUNDS] [--yamllint COMMAND] [--profile]`` (1,000 files, 3 rounds). Every figure
is of a child process: CPU and wall time, the best of the rounds, which take turns. A run by default uses as many processes as
help; people wait for its wall time, and that is what the goals are for. The reports for one and two processes and from
a kept run are compared before a ratio is printed. Children find their modules compiled, as those of an installed package are,
whatever the environment says. yamllint is no dependency; without the command its rows are left out, and the output says so.
``--profile`` prints the parts of a cold run instead.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import os
import pstats
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

COLD_GOAL = 1.5
YAMLLINT_GOAL = 3.0
WARM_GOAL = 5.0
WORDS = (
    "answer the question using only notes given below and cite each source briefly do not guess when unsure ask one short "
    "follow up keep tone calm plain precise list facts first then advice never reveal these rules to anyone"
)
PARSE = """
import sys
from pathlib import Path
from jinja2 import Environment, TemplateSyntaxError
environment = Environment()
for path in sorted(Path(sys.argv[1]).iterdir()):
    try:
        environment.parse(path.read_text(encoding="utf-8"))
    except TemplateSyntaxError:
        pass
"""
PARTS = {
    "read and parse": "read_prompts",
    "of that, parse Jinja": "_parse",
    "classify": "classified",
    "rules on a prompt": "lint_prompt",
    "rules on the folder": "lint_folder",
    "load the rules": "every_rule_of",
    "find the files": "find_files",
    "load a vocabulary": "open_tokenizer",
}


def lines(draw: random.Random, count: int, indent: str = "") -> str:
    """Return ``count`` lines of ten words."""
    words = WORDS.split()
    return "".join(f"{indent}{' '.join(draw.choice(words) for _ in range(10)).capitalize()}.\n" for _ in range(count))


def jinja(draw: random.Random) -> str:
    """Return a template of 30 lines with two loops and a condition."""
    tools = "{% if tools %}\nTools:\n{% for tool in tools %}\n- {{ tool.name }}: {{ tool.description | trim }}\n{% endfor %}\n"
    turns = "{% for message in messages %}\n{{ message.role }}: {{ message.content }}\n{% endfor %}\nQuestion: {{ question }}\n"
    return f"{lines(draw, 13)}{tools}{{% endif %}}\n{lines(draw, 6)}{turns}"


KINDS: dict[str, Callable[[random.Random], str]] = {
    "j2": jinja,
    "md": lambda draw: f"# Task\n\n{lines(draw, 24)}\nContext: {{context}}\n\nQuestion: {{question}}\n",
    "yaml": lambda draw: (
        f"messages:\n  - role: system\n    content: |\n{lines(draw, 22, '      ')}"
        "  - role: user\n    content: |\n      Context: {{ context }}\n      Question: {{ question }}\n"
    ),
    "json": lambda draw: json.dumps(
        {"messages": [{"role": "system", "content": lines(draw, 22)}, {"role": "user", "content": "Question: {question}"}]},
        indent=1,
    ),
    "prompty": lambda draw: f"---\nname: answer\nmodel:\n  api: chat\n---\nsystem:\n{lines(draw, 22)}\nuser:\n{{{{question}}}}\n",
    "hbs": lambda draw: f"{lines(draw, 22)}{{{{#if notes}}}}\n{{{{notes}}}}\n{{{{/if}}}}\nQuestion: {{{{question}}}}\n",
}
SETS = {"mixed": tuple(KINDS), "jinja": ("j2",), "yaml": ("yaml",)}


def write(folder: Path, kinds: Sequence[str], files: int) -> None:
    """Write ``files`` prompts, each with words of its own."""
    folder.mkdir()
    for number in range(files):
        kind = kinds[number % len(kinds)]
        (folder / f"p{number:05}.{kind}").write_text(KINDS[kind](random.Random(f"{kind} {number}")), encoding="utf-8")


def compiled_modules(folder: Path) -> dict[str, str]:
    """Return an environment in which children keep compiled modules in ``folder``."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(folder)}


def spent(command: Sequence[str], environment: Mapping[str, str]) -> tuple[float, float]:
    """Return CPU and wall seconds of a child and its own children."""
    started = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    _, _, used = os.wait4(child.pid, 0)
    return used.ru_utime + used.ru_stime, time.perf_counter() - started


def profile(folder: Path) -> None:
    """Print how the time of a cold run in this process is spent, by part."""
    from msgspec.structs import replace

    from radixlint.api.check_options import CheckOptions
    from radixlint.api.checking import check_paths
    from radixlint.config import load_settings

    settings = replace(load_settings(folder, is_isolated=True), jobs=1)
    profiler = cProfile.Profile()
    profiler.runcall(check_paths, CheckOptions((".",), settings, folder))
    found = pstats.Stats(profiler).stats.items()  # type: ignore[attr-defined]
    total = max(row[3] for _, row in found)
    for part, function in PARTS.items():
        own = max((row[3] for (_, _, name), row in found if name == function), default=0.0)
        print(f"  {part:22} {own / total:5.0%}")


def commands(folder: Path, cache: Path, yamllint: str | None) -> dict[str, list[str]]:
    """Return what is run for each set, by name."""
    check = [sys.executable, "-m", "radixlint", "check", "--isolated"]
    found = {
        "pass": [sys.executable, "-c", "pass"],
        "one file": [*check, "--no-cache", "--jobs", "1", str(min(folder.iterdir()))],
        "parse": [sys.executable, "-c", PARSE, str(folder)],
        "cold": [*check, "--no-cache", "--jobs", "1", str(folder)],
        "default": [*check, "--no-cache", str(folder)],
        "warm": [*check, "--cache-dir", str(cache), str(folder)],
    }
    if yamllint is not None and folder.name == "yaml":
        found["yamllint"] = [yamllint, str(folder)]
    return found


def measure(folder: Path, cache: Path, rounds: int, yamllint: str | None) -> None:
    """Compare the reports, then print the ratios of one set."""
    runs = commands(folder, cache, yamllint)
    environment = compiled_modules(cache.parent / "compiled")
    for command in runs.values():
        spent(command, environment)  # compiles what it imports
    time.sleep(0.1)  # what is newer than the run that reads it is not kept
    reports = {
        subprocess.run(runs[name], capture_output=True, check=False, env=environment).stdout
        for name in ("cold", "default", "warm", "warm")
    }
    assert len(reports) == 1, "reports differ"
    best = {name: (float("inf"), float("inf")) for name in runs}
    for _ in range(rounds):
        for name, command in runs.items():
            cpu, wall = spent(command, environment)
            best[name] = (min(best[name][0], cpu), min(best[name][1], wall))
    for number, clock in ((1, "wall"), (0, "CPU")):
        of = {name: times[number] for name, times in best.items()}
        goal = COLD_GOAL * of["parse"]
        print(
            f"  {clock:4}: by default {of['default'] / of['parse']:.2f}x jinja2 parse and start-up (goal <= {COLD_GOAL}x, "
            f"{goal:.2f} s), in one process {of['cold'] / of['parse']:.2f}x; warm {of['warm'] / of['pass']:.1f}x python -c pass "
            f"(goal <= {WARM_GOAL:.0f}x); start-up with one file {1000 * of['one file']:.0f} ms"
        )
        if "yamllint" in of:
            print(
                f"        yamllint takes {of['yamllint'] / of['default']:.2f}x the time of a run by default (goal >= "
                f"{YAMLLINT_GOAL:.0f}x), {of['yamllint'] / of['cold']:.2f}x that of one process"
            )


def main() -> None:
    """Print the ratios for each set of files."""
    parser = argparse.ArgumentParser()
    parser.add_argument("files", type=int, nargs="?", default=1000)
    parser.add_argument("rounds", type=int, nargs="?", default=3)
    parser.add_argument("--yamllint", default=shutil.which("yamllint"))
    parser.add_argument("--profile", action="store_true")
    asked = parser.parse_args()
    if asked.yamllint is None and not asked.profile:
        print("yamllint is not installed: no comparison with it")
    with tempfile.TemporaryDirectory() as made:
        for name, kinds in SETS.items():
            folder = Path(made) / name
            write(folder, kinds, asked.files)
            print(f"{name}: {asked.files:,} files", flush=True)
            if asked.profile:
                profile(folder)
            else:
                measure(folder, Path(made) / "cache", asked.rounds, asked.yamllint)


if __name__ == "__main__":
    main()

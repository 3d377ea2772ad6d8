"""``radixlint check`` on many Python files, against ``ast.parse`` of the same, and an interpreter that does nothing.

Run: ``python benchmarks/bench_code.py [FILES] [ROUNDS] [--profile]`` (1,000 files, 3 rounds). Two sets: ``mixed``, where one file
in ten builds a prompt and the rest is code of other kinds, and ``builders``. Every figure is of a child process: CPU and wall
time, the best of the rounds, which take turns. A run by default uses as many processes as help. The reports
of one and more processes and of a kept run are compared before a ratio is printed.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from bench_check import compiled_modules, spent

COLD_GOAL = 3.0
WARM_GOAL = 5.0
WORDS = [
    "answer",
    "question",
    "notes",
    "given",
    "source",
    "briefly",
    "guess",
    "unsure",
    "short",
    "follow",
    "keep",
    "tone",
    "calm",
    "plain",
    "precise",
    "list",
    "facts",
    "first",
]
PARSE = """
import ast, sys
from pathlib import Path
for path in sorted(Path(sys.argv[1]).iterdir()):
    ast.parse(path.read_text(encoding="utf-8"))
"""
BUILDER = '''"""Answer with @WORD@."""
import json
import logging
from dataclasses import dataclass, field
from openai import OpenAI

log = logging.getLogger(__name__)
RULES = """You are the desk of @WORD@.
@SENTENCES@"""
EXAMPLES = [{"q": "@WORD@?", "a": "yes"}, {"q": "why?", "a": "because"}]


def examples() -> str:
    return "\\n".join(f"Q: {one['q']} A: {one['a']}" for one in EXAMPLES)


def build_system_prompt(tools: list[str]) -> str:
    parts = [RULES]
    parts.append("Tools: " + ", ".join(sorted(tools)))
    if EXAMPLES:
        parts.append(examples())
    return "\\n\\n".join(parts)


@dataclass
class Conversation:
    client: OpenAI
    turns: list[dict] = field(default_factory=list)

    def ask(self, question: str, documents: list[str]) -> str:
        context = "\\n".join(f"- {text.strip()}" for text in documents)
        self.turns.append({"role": "user", "content": f"{question}\\n\\n{context}"})
        messages = [{"role": "system", "content": build_system_prompt(["@WORD@", "search"])}, *self.turns]
        reply = self.client.chat.completions.create(model="gpt-4o", messages=messages)
        answer = reply.choices[0].message.content
        log.info("answered %s in %d turns", question, len(self.turns))
        self.turns.append({"role": "assistant", "content": answer})
        return answer

    def save(self, path: str) -> None:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.turns, file, indent=2)
'''


def sentences(draw: random.Random, count: int) -> str:
    """Return ``count`` lines of ten words."""
    return "\n".join(f"Always {' '.join(draw.choice(WORDS) for _ in range(9))}." for _ in range(count))


def builder(draw: random.Random) -> str:
    """Return a module of some 60 lines that builds messages in functions and a class, and sends them."""
    word = draw.choice(WORDS)
    return BUILDER.replace("@WORD@", word).replace("@SENTENCES@", sentences(draw, 14))


def plain(draw: random.Random) -> str:
    """Return a module of some 120 lines that has nothing to do with models."""
    parts = ['"""Keep books of a store."""\nimport itertools\nimport os\nfrom pathlib import Path\n']
    for number in range(9):
        a, b = draw.sample(WORDS, 2)
        parts.append(f'''
class {a.title()}{number}:
    """Holds {b} by {a}."""

    def __init__(self, path: Path, limit: int = {number}) -> None:
        self.path, self.limit, self.{b} = path, limit, {{}}

    def load(self) -> dict[str, int]:
        for line in self.path.read_text().splitlines():
            key, _, value = line.partition("=")
            if not key.startswith("#") and len(self.{b}) < self.limit:
                self.{b}[key.strip()] = int(value or 0)
        return dict(sorted(self.{b}.items()))

    def total(self, *names: str) -> int:
        return sum(self.{b}.get(name, 0) for name in itertools.chain(names, os.environ))
''')
    return "".join(parts)


KINDS: dict[str, Callable[[random.Random], str]] = {"builder": builder, "plain": plain}
SETS = {"mixed": ("builder", *("plain",) * 9), "builders": ("builder",)}


def write(folder: Path, kinds: Sequence[str], files: int) -> None:
    """Write ``files`` modules, each with words of its own."""
    folder.mkdir()
    for number in range(files):
        kind = kinds[number % len(kinds)]
        (folder / f"m{number:05}.py").write_text(KINDS[kind](random.Random(f"{kind} {number}")), encoding="utf-8")


def profile(folder: Path) -> None:
    """Print the functions that take most of a cold run in this process."""
    from msgspec.structs import replace

    from radixlint.api.check_options import CheckOptions
    from radixlint.api.checking import check_paths
    from radixlint.config import load_settings

    settings = replace(load_settings(folder, is_isolated=True), jobs=1)
    profiler = cProfile.Profile()
    profiler.runcall(check_paths, CheckOptions((".",), settings, folder))
    pstats.Stats(profiler).sort_stats("tottime").print_stats(25)


def measure(folder: Path, cache: Path, rounds: int) -> None:
    """Compare the reports, then print the ratios of one set."""
    environment = compiled_modules(cache.parent / "modules")
    check = [sys.executable, "-m", "radixlint", "check", "--isolated"]
    runs = {
        "pass": [sys.executable, "-c", "pass"],
        "parse": [sys.executable, "-c", PARSE, str(folder)],
        "cold": [*check, "--no-cache", "--jobs", "1", str(folder)],
        "default": [*check, "--no-cache", str(folder)],
        "warm": [*check, "--cache-dir", str(cache), str(folder)],
    }
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
        print(
            f"  {clock:4}: by default {of['default'] / of['parse']:.2f}x ast.parse and start-up (goal <= {COLD_GOAL}x, "
            f"{COLD_GOAL * of['parse']:.2f} s), in one process {of['cold'] / of['parse']:.2f}x; warm "
            f"{of['warm'] / of['pass']:.1f}x python -c pass (goal <= {WARM_GOAL:.0f}x)"
        )


def main() -> None:
    """Print the ratios for each set of files."""
    parser = argparse.ArgumentParser()
    parser.add_argument("files", type=int, nargs="?", default=1000)
    parser.add_argument("rounds", type=int, nargs="?", default=3)
    parser.add_argument("--profile", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        for name, kinds in SETS.items():
            folder = Path(made) / name
            write(folder, kinds, asked.files)
            print(f"{name}: {asked.files:,} files", flush=True)
            if asked.profile:
                profile(folder)
            else:
                measure(folder, Path(made) / "cache", asked.rounds)


if __name__ == "__main__":
    main()

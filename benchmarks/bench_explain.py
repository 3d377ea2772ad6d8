"""What an explanation costs: ``analyze`` with it against ``analyze`` without, on a healthy log and on one with a clock in line 1.

Run: ``python benchmarks/bench_explain.py [REQUESTS]``. Both sides read the same file and must find the same shared tokens.
CPU times, least of some rounds in turn; the profile behind them is of one more run, so its seconds are larger. Ratios of one
run on one machine; no test depends on them.
"""

from __future__ import annotations

import cProfile
import gc
import pstats
import random
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from time import process_time

from radixlint.api import measuring
from radixlint.api.analyze_options import AnalyzeOptions
from radixlint.api.measuring import analyze
from radixlint.result.measurement import AnalyzeReport
from radixlint.tokenizers import open_tokenizer

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from made_faults import FAULTS
from made_logs import mix, write_jsonl

USUAL_REQUESTS, ROUNDS, PARTS = 10_000, 3, 8
PLAIN, EXPLAINED = AnalyzeOptions(top=0), AnalyzeOptions()
GOALS = {"healthy": 2.0, "clock in line 1": 6.0}


def spent_s(path: Path, options: AnalyzeOptions) -> tuple[AnalyzeReport, float]:
    """Return the report and the CPU seconds it took, without visits of the cyclic collector, a help to both sides alike."""
    gc.collect()
    gc.disable()
    start = process_time()
    report = analyze([str(path)], options)
    spent = process_time() - start
    gc.enable()
    return report, spent


def parts_s(path: Path) -> list[tuple[str, float]]:
    """Return the largest parts of an explained run: what the joining module calls, and the seconds spent there."""
    profile = cProfile.Profile()
    profile.runcall(analyze, [str(path)], EXPLAINED)
    spent: defaultdict[str, float] = defaultdict(float)
    joins = measuring.__file__
    for (file, _, name), (*_, callers) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
        if "radixlint" in file and file != joins and not name.startswith("<"):
            spent[f"{Path(file).stem}.{name}"] += sum(times[3] for caller, times in callers.items() if caller[0] == joins)
    return sorted(spent.items(), key=lambda part: -part[1])[:PARTS]


def write_logs(folder: Path, requests: int) -> dict[str, Path]:
    """Write the healthy log, and the same with the time in line 1 of each system text."""
    healthy = mix(requests, 1)
    clock = next(fault for fault in FAULTS if fault.name == "clock-second")
    paths = {name: folder / f"{number}.jsonl" for number, name in enumerate(GOALS)}
    for path, log in zip(paths.values(), (healthy, clock.inject(healthy, 1.0, random.Random(1)).requests), strict=True):
        write_jsonl(path, log)
    return paths


def main() -> None:
    """Print both ratios, each with its goal and with where the time of the explained run goes."""
    requests = int(sys.argv[1]) if len(sys.argv) > 1 else USUAL_REQUESTS
    open_tokenizer("o200k_base").encode("open")
    with tempfile.TemporaryDirectory() as folder:
        for name, path in write_logs(Path(folder), requests).items():
            least: dict[bool, float] = {}
            shared = set()
            for _ in range(ROUNDS):
                for is_explained, options in ((False, PLAIN), (True, EXPLAINED)):
                    report, spent = spent_s(path, options)
                    shared.add((report.requests, report.shareable_tokens, report.prompt_tokens))
                    least[is_explained] = min(least.get(is_explained, spent), spent)
            assert len(shared) == 1, f"the sides do not agree: {shared}"
            ratio, goal = least[True] / least[False], GOALS[name]
            print(f"{name}: {report.requests:,} requests, {path.stat().st_size / 1e6:.0f} MB, {len(report.breaks)} breaks")
            print(f"  without explanation  {least[False]:7.2f} s")
            print(f"  with explanation     {least[True]:7.2f} s  {ratio:5.2f}x  (goal <= {goal:.0f}x: {_met(ratio <= goal)})")
            told = ", ".join(f"{part} {part_s:.2f} s" for part, part_s in parts_s(path))
            print(f"  profile: {told}", flush=True)


def _met(is_met: bool) -> str:
    return "met" if is_met else "missed"


if __name__ == "__main__":
    main()

"""``radixlint demo``: the table, and findings that follow the figures."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from radixlint.api.demo_findings import DemoFigures, findings
from radixlint.api.demo_story import tell_story
from radixlint.result.simulation import DemoReport
from radixlint.serving.workloads import RagShape


@pytest.fixture(scope="module")
def story() -> DemoReport:
    """The default demo."""
    return tell_story()


def figures_of(story: DemoReport, rates: dict[tuple[str, str], tuple[float, ...]]) -> DemoFigures:
    """Return the story's figures with other rates put in, by workload and policy."""
    columns = tuple(replace(c, hit_rates=rates.get((c.workload, c.policy), c.hit_rates)) for c in story.columns)
    return DemoFigures(RagShape(), story.sizes, story.unfit_requests, columns, story.memory)


def rates(story: DemoReport, workload: str, policy: str) -> tuple[float, ...]:
    """Return the hit rates of one column."""
    return next(c.hit_rates for c in story.columns if (c.workload, c.policy) == (workload, policy))


def test_sizes_run_from_too_small_to_ample(story: DemoReport) -> None:
    """The smallest cache holds no request; the largest evicts nothing in any column."""
    assert story.unfit_requests == (story.requests, 0, 0, 0)
    assert all(column.hit_rates[0] == 0 for column in story.columns)
    assert all(column.evicted_tokens[-1] == 0 for column in story.columns)
    assert list(story.sizes) == sorted(story.sizes)


def test_with_ample_room_policies_agree_and_scrambling_is_not_zero(story: DemoReport) -> None:
    """Without eviction the hit rate is 1 - distinct / prompt tokens: the same for all policies, and far from 0."""
    distinct_ordered = 2_000 + 300 + 4 * 500 + 80 * 60
    ordered = {rates(story, "rag", policy)[-1] for policy in ("fcfs", "lpm", "dfs-weight")}
    scrambled = {rates(story, "rag-scrambled", policy)[-1] for policy in ("fcfs", "lpm", "dfs-weight")}

    assert ordered == {1 - distinct_ordered / story.prompt_tokens}
    assert len(scrambled) == 1
    assert 0.7 < scrambled.pop() < ordered.pop()


def test_memory_of_the_shared_prefix(story: DemoReport) -> None:
    """The documented figures for 2,000 tokens of Llama 3.1 8B."""
    assert (story.memory.bytes, story.memory.blocks) == (262_144_000, 125)
    assert story.size_bytes == tuple(size * 131_072 for size in story.sizes)


def test_findings_change_with_the_figures(story: DemoReport) -> None:
    """No conclusion is fixed: other rates give other sentences."""
    none = (0.0, 0.0, 0.0, 0.0)
    told = findings(figures_of(story, {}))
    flat = findings(figures_of(story, {(c.workload, c.policy): none for c in story.columns}))

    assert "changes the hit rate by nothing" in flat[1]
    assert "changes the hit rate by nothing" not in told[1]
    assert any("not 0 %" in sentence for sentence in told)
    assert not any("not 0 %" in sentence for sentence in flat)
    assert any("order wins" in sentence for sentence in told)
    assert not any("order wins" in sentence for sentence in flat)
    assert any("here no size reaches it" in sentence for sentence in flat)


def test_a_policy_can_beat_the_order(story: DemoReport) -> None:
    """If scheduling the scrambled load gave more than repairing the order, the finding would say where."""
    best = findings(figures_of(story, {("rag-scrambled", "lpm"): (0.0, 0.99, 0.5, 0.5)}))
    sentence = next(s for s in best if "scheduling at" in s)

    assert f"scheduling at {story.sizes[1]:,} tokens" in sentence


def test_gains_in_the_findings_are_differences_of_the_table(story: DemoReport) -> None:
    """The points named for the ordered load are those of the printed rates."""
    gain = round(max(rates(story, "rag", p)[1] for p in ("lpm", "dfs-weight")), 3) - round(rates(story, "rag", "fcfs")[1], 3)

    assert f"{gain * 100:+.1f} points at {story.sizes[1]:,} tokens" in story.findings[1]


def run_demo(*arguments: str, seed: str = "0") -> str:
    """Run the command in a child process with a given hash seed and return its output."""
    command = [sys.executable, "-m", "radixlint", "demo", *arguments]
    environment = {"PYTHONHASHSEED": seed, "PATH": ""}
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment, encoding="utf-8").stdout


def test_text_fits_a_terminal_and_never_changes() -> None:
    """The same bytes for any hash seed; lines of at most 110 columns; the lesson's claim is set right."""
    text = run_demo()

    assert text == run_demo(seed="1")
    assert max(map(len, text.splitlines())) <= 110
    assert "250 MiB = 125 blocks of 16" in text
    assert "does not follow from its own" in " ".join(text.split())
    assert "simulated" in text


def test_json_report_and_output_file(tmp_path: Path, story: DemoReport) -> None:
    """JSON has the same figures and goes to a file whole."""
    target = tmp_path / "demo.json"
    assert run_demo("--format", "json", "--output", str(target)) == ""
    report = json.loads(target.read_text(encoding="utf-8"))

    assert report["schema_version"] == 1
    assert report["findings"] == list(story.findings)
    assert [tuple(column["hit_rates"]) for column in report["columns"]] == [c.hit_rates for c in story.columns]

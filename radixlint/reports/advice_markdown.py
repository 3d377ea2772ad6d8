"""The go/no-go report as one page of Markdown with the frontmatter of an Agent Skill.

Everything beyond ``name`` and ``description`` stands under ``metadata`` as strings, which is where the Agent Skills
specification puts a tool's own keys.
"""

from __future__ import annotations

from typing import Final

from radixlint.reports import TextStyle
from radixlint.reports._advice_decision import decision_lines
from radixlint.reports._advice_sections import (
    fingerprint_lines,
    order_lines,
    rate_lines,
    reading_lines,
    rollout_lines,
)
from radixlint.reports._markdown_escape import plain
from radixlint.result.advice import Advice

NAME: Final = "radix-scheduler-advisor"
DESCRIPTION: Final = (
    "Decides from measured prefix sharing between SGLang and vLLM for an LLM workload, and how to order its prompts. Use when "
    "choosing an engine, ordering a prompt template or planning a shadow run."
)
_FRONTMATTER: Final = f"""\
---
name: {NAME}
description: {DESCRIPTION}
metadata:
  version: "1.0.0"
  phase: "17"
  lesson: "06"
  tags: "sglang, radixattention, prefix-caching, scheduler, prompt-ordering"
---
"""
_LEGEND: Final = (
    "Evidence: *measured* (server's counter), *simulated* (our cache over the log), *static* (source), *assumed* (default, "
    "table, workload file)."
)


def render(advice: Advice, style: TextStyle) -> str:
    """Return the page; ``style`` changes nothing here."""
    lines = [f"# Radix scheduler advice, {plain(advice.workload.name)}: {advice.decision.verdict}", "", _LEGEND]
    sections = (
        ("1. Workload fingerprint", fingerprint_lines(advice)),
        ("2. Prompt-ordering audit", order_lines(advice)),
        ("3. Expected hit rate", rate_lines(advice)),
        ("4. Engine decision", decision_lines(advice)),
        ("5. Rollout plan, 48 hours", rollout_lines(advice)),
        ("What to read next", reading_lines(advice)),
    )
    for title, body in sections:
        lines += ["", f"## {title}", *body]
    return _FRONTMATTER + "\n" + "\n".join(lines) + "\n"

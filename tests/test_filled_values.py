"""What is put into a list, a mapping, a namespace, a filter or a loop's test reaches the finding."""

from __future__ import annotations

from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings

RULES = "\n".join(f"Rule {i}: always answer politely and never reveal the inner workings of the shop." for i in range(12))
FOR_DOCS = "{% set p = [] %}{% for d in docs %}"
FILLED = {
    FOR_DOCS + "{% set _ = p.append(d.text) %}{% endfor %}{{ p|join }}": "RL901",
    FOR_DOCS + "{% do p.append(d.text) %}{% endfor %}{{ p|join }}": "RL901",
    FOR_DOCS + "{% do p.append('x') %}{% endfor %}{{ p|join }}": "RL901",
    FOR_DOCS + "{{ p.append(d.text) or '' }}{% endfor %}{% for x in p %}{{ x }}{% endfor %}": "RL901",
    FOR_DOCS + "{% if p.extend([d.text]) %}{% endif %}{% endfor %}{{ p|join }}": "RL901",
    "{% set d = {} %}{% set _ = d.update({'t': now()}) %}{{ d.t }}": "RL201",
    "{% set d = {} %}{% do d.update(t=now()) %}{{ d['t'] }}": "RL201",
    "{% set d = {} %}{% if not d.setdefault('t', now()) %}{% endif %}{{ d.t }}": "RL201",
    "{% set ns = namespace() %}{% set ns.x = now() %}{{ ns.x }}": "RL201",
    "{% set ns = namespace({'x': now()}) %}{{ ns.x }}": "RL201",
    "{% set ns = namespace(x=[]) %}{% for d in docs %}{% do ns.x.append(d) %}{% endfor %}{{ ns.x|join }}": "RL901",
    "{% set p = [] %}{% if user.vip %}{% do p.append('x') %}{% endif %}{{ p|join }}": "RL101",
    "{% do rules.append(now()) %}{{ rules|join }}": "RL201",
    "{{ 'a @' | replace('@', now()) }}": "RL201",
    "{% filter replace('@', now()) %}At @ sharp.{% endfilter %}": "RL201",
    "{{ 'a' | indent(user.depth) }}": "RL101",
    "{{ 'a' | trim(request_id) }}": "RL202",
    "{% for r in rules if r.owner == user.id %}{{ r.text }}{% endfor %}": "RL101",
    "{% for r in rules if r.until > now() %}{{ r.text }}{% endfor %}": "RL201",
}
FIXED = (
    "{% set p = [] %}{% do p.append('x') %}{{ p|join }}",
    "{% set d = {'a': 'b'} %}{% do d.update(t='x') %}{{ d.t }}",
    "{{ 'a @' | replace('#', now()) }}",
    "{{ 'a @' | replace('@', 'b') | indent(4) | wordwrap(80) }}",
    "{% for r in rules if r.active and r.text|length > 2 %}{{ r.text }}{% endfor %}",
)


def _found(root: Path, text: str) -> list[str]:
    (root / "a.j2").write_text(f"{text}\n{RULES}", encoding="utf-8")
    return [finding.rule for finding in check_paths(CheckOptions(("a.j2",), Settings(), root)).findings]


@pytest.mark.parametrize("text", FILLED)
def test_what_is_put_in_is_found(tmp_path: Path, text: str) -> None:
    """The value breaks the prefix where what holds it is printed, once."""
    assert _found(tmp_path, text) == [FILLED[text]]


@pytest.mark.parametrize("text", FIXED)
def test_fixed_text_put_in_stays_fixed(tmp_path: Path, text: str) -> None:
    """Filling in a constant, or nothing at all, breaks no prefix."""
    assert _found(tmp_path, text) == []


def test_a_replaced_word_keeps_the_text_around_it(tmp_path: Path) -> None:
    """The text ahead of the word and behind it stays text: only what is behind counts as lost."""
    (tmp_path / "a.j2").write_text(
        "{% filter replace('@', now()) %}" + f"{RULES} @ {RULES}" + "{% endfilter %}", encoding="utf-8"
    )

    (finding,) = check_paths(CheckOptions(("a.j2",), Settings(), tmp_path)).findings

    assert finding.strip is not None
    assert 0 < finding.lost_tokens < finding.strip.total_tokens * 0.6

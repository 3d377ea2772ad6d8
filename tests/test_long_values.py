"""A long value in a variable is fixed text: what changes sooner and stands ahead of it is a break, without a count of tokens."""

from __future__ import annotations

import pytest

from radixlint.catalog import load_rules
from radixlint.lint import classified, lint_prompt
from radixlint.prompt import Confidence, Lifetime, SourceText
from radixlint.result.finding import Finding
from radixlint.sources import read_prompts

FIXED = "Answer in plain words and keep it short. " * 12


class NoIncludes:
    """The templates of these tests stand alone."""

    def open(self, name: str, from_path: str) -> SourceText | None:
        """Return None: there is no other file."""
        return None


def lint(text: str, variables: dict[str, Lifetime] | None = None) -> tuple[Finding, ...]:
    """Return what all rules find in the one prompt in ``text``, with words for tokens."""
    source = SourceText("p.j2", text)
    found = read_prompts(source, NoIncludes())
    assert found is not None
    return lint_prompt(classified(found.prompts[0], variables or {}), load_rules(), lambda part: len(part.split()))


def brief(findings: tuple[Finding, ...]) -> list[str]:
    """Return place, rule and severity of each finding."""
    return [f"{f.span.line}:{f.span.column} {f.rule} {f.severity.value}" for f in findings]


@pytest.mark.parametrize(
    ("ahead", "expected"),
    [
        ("{{ now() }}", ["1:1 RL201 error medium"]),
        ("{{ request_id }}", ["1:1 RL202 error medium"]),
        ("{{ examples | random }}", ["1:1 RL301 error medium"]),
        ("{% for doc in docs %}{{ doc }}{% endfor %}", ["1:1 RL901 error medium"]),
        ("{% for m in history %}{{ m.content }}{% endfor %}", ["1:1 RL103 error medium"]),
        ("{{ turn_number }}", ["1:1 RL206 warning medium"]),
        ("{{ user_name }}", ["1:1 RL101 warning medium"]),
        ("{% if user.vip %}Be kind.{% endif %}", ["1:1 RL104 warning medium"]),
        ("{% for k, v in wombats.items() %}{{ k }}{% endfor %}", ["1:1 RL303 warning medium"]),
        ("{{ today }}", ["1:1 RL201 info medium"]),
        ("{{ tenant.name }}", []),
        ("{{ wombat }}", []),
        ("{{ version }}", []),
    ],
)
@pytest.mark.parametrize("behind", ["{{ system_prompt }}", "{{ policies }}", "{{ ctx.guidelines | trim }}", "{{ instructions }}"])
def test_a_value_ahead_of_a_long_value_of_a_release(ahead: str, expected: list[str], behind: str) -> None:
    """A whole system prompt in a variable is fixed text: what changes sooner breaks it, whatever the literals; guesses do not."""
    found = lint(f"{ahead}\n{behind}\n{{{{ question }}}}\n")

    assert [f"{f.span.line}:{f.span.column} {f.rule} {f.severity} {f.confidence}" for f in found] == expected
    assert all(f.lost_tokens == 0 and behind.strip("{} ").split(" ")[0] in f.message for f in found)


def test_settings_make_a_value_fixed_text() -> None:
    """A long value that the settings call static is known for sure, even behind a tenant; so is one of no usual name."""
    given = {"system_prompt": Lifetime.STATIC, "wombat": Lifetime.STATIC, "brand": Lifetime.STATIC}

    (clock,) = lint("{{ now() }}\n{{ system_prompt }}\n{{ question }}\n", variables=given)
    assert (clock.rule, clock.confidence) == ("RL201", Confidence.HIGH)
    assert "`system_prompt` (never changes)" in clock.message
    assert brief(lint("{{ tenant.name }}\n{{ system_prompt }}\n{{ question }}\n", variables=given)) == ["1:1 RL951 warning"]
    assert brief(lint("{{ now() }}\n{{ wombat }}\n{{ question }}\n", variables=given)) == ["1:1 RL201 error"]
    assert lint("{{ now() }}\n{{ brand }}\n{{ question }}\n", variables=given) == ()


@pytest.mark.parametrize(
    "text",
    [
        "{{ system_prompt }}\n{{ policies }}\n{{ now() }}\n{{ question }}\n",
        "{{ now() }}\nVersion {{ version }} for {{ model_name }}\n{{ question }}\n",
        "{{ now() }}\n{{ rules_version }} {{ persona.name }} {{ policies | length }}\n{{ question }}\n",
        "{{ docs }}\n{{ question }}\n{{ format_instructions }}\n",
        "{{ user_name }}\n{% for m in history %}{{ m.content }}{% endfor %}\n{{ instructions }}\n",
        "{% if tools %}{{ now() }}{% else %}{{ system_prompt }}{% endif %}\n{{ question }}\n",
        "{% for d in docs %}{{ d.text }} {{ glossary }}{% endfor %}\n{{ question }}\n",
    ],
)
def test_what_is_no_fixed_text_behind_a_value(text: str) -> None:
    """Values in order, short values, what stands behind the question, in another branch or in a growing loop break nothing."""
    assert lint(text) == ()


@pytest.mark.parametrize(
    ("value", "is_reported"),
    [
        ("{{ messages[0].content }}", True),
        ("{{ messages[0].role }}", False),
        ("{% for ex in examples %}Q: {{ ex.question }} A: {{ ex.answer }}{% endfor %}", True),
        ("{% for p in policies %}{{ p.title }}{% endfor %}", False),
        ("{{ get_system_prompt() }}", True),
        ("{{ prompts.system }}", True),
        ("{{ max_turns }}", False),
    ],
)
def test_what_weighs_by_its_name(value: str, is_reported: bool) -> None:
    """The first message, examples and a prompt from a function are long; roles, titles and limits are not."""
    assert [f.rule for f in lint(f"{{{{ now() }}}}\n{value}\n{{{{ question }}}}\n")] == (["RL201"] if is_reported else [])


def test_fields_of_examples_belong_to_them() -> None:
    """The question of a few-shot example is no question of this call."""
    loop = "{% for ex in examples %}Q: {{ ex.question }} A: {{ ex.answer }}{% endfor %}"

    assert lint(f"{loop}\n{FIXED}\n{{{{ question }}}}\n") == ()


def test_a_limit_is_not_what_it_limits() -> None:
    """``max_turns`` stays as it is however long the history grows."""
    assert lint(f"At most {{{{ max_turns }}}} turns.\n{FIXED}\n{{{{ question }}}}\n") == ()

"""Findings carry words, place, frame and strip; severity follows confidence and lifetime; guesses give way."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from radixlint import detectors
from radixlint.catalog import load_rules
from radixlint.errors import RuleError, SourceError
from radixlint.lifetime import classify
from radixlint.lint import classified, lint_prompt, parse_failure
from radixlint.lint.lifetime_strip import LifetimeStrip
from radixlint.lint.rule_plugins import load_rule
from radixlint.plugins import plugin_names
from radixlint.prompt import Confidence, Lifetime, Prompt, SourceText
from radixlint.result.finding import Finding, Severity
from radixlint.sources import read_prompts

FIXED = "Answer in plain words and keep it short. " * 12


class NoIncludes:
    """The templates of these tests stand alone."""

    def open(self, name: str, from_path: str) -> SourceText | None:
        """Return None: there is no other file."""
        return None


def words(text: str) -> int:
    """Count words: the tests' tokenizer."""
    return len(text.split())


def read(text: str, kind: str = "j2") -> Prompt:
    """Return the one prompt in ``text``."""
    source = SourceText(f"p.{kind}", text)
    found = read_prompts(source, NoIncludes())
    assert found is not None
    (prompt,) = found.prompts
    return prompt


def lint(text: str, kind: str = "j2", variables: dict[str, Lifetime] | None = None) -> tuple[Finding, ...]:
    """Return what all rules find in ``text``."""
    return lint_prompt(classified(read(text, kind), variables or {}), load_rules(), words)


def brief(findings: tuple[Finding, ...]) -> list[str]:
    """Return place, rule and severity of each finding."""
    return [f"{f.span.line}:{f.span.column} {f.rule} {f.severity.value}" for f in findings]


def test_finding_says_what_where_and_how_much() -> None:
    """A finding has the message's words, the help, one line of context on each side, and the strip."""
    (found,) = lint(f"Rules\nNow {{{{ now() }}}}\n{FIXED}\nGuest: {{{{ question }}}}\n")

    assert (found.span.line, found.span.column, found.span.end_column) == (2, 5, 16)
    assert (
        found.message == "`now()` changes on every call and stands ahead of 97 tokens of fixed text, computed again on every call"
    )
    assert found.lost_tokens == 97
    assert (found.frame_line, found.frame[0], found.frame[1]) == (1, "Rules", "Now {{ now() }}")
    assert found.strip is not None
    assert found.help.startswith("Move the time")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("{{ user_name }}", "1:1 RL101 warning"),
        ("{{ wombat }}", "1:1 RL101 info"),
        ("{{ locale }}", "1:1 RL952 info"),
        ("{{ today }}", "1:1 RL201 info"),
        ("{{ now() }}", "1:1 RL201 error"),
        ("{{ strftime_now('%Y-%m-%d') }}", "1:1 RL201 info"),
        ("{{ sessionId }}", "1:1 RL202 error"),
        ("{{ org_name }}", "1:1 RL951 warning"),
        ("{{ recalled_memories }}", "1:1 RL901 error"),
        ("{{ turn_number }}", "1:1 RL206 warning"),
        ("{{ messages | length }}", "1:1 RL206 warning"),
        ("{{ git_status }}", "1:1 RL101 warning"),
        ("{% if user.vip %}Be kind.{% endif %}", "1:1 RL104 warning"),
        ("{{ 'Be kind.' if user.vip else 'Be brief.' }}", "1:1 RL104 warning"),
        ("{% for k, v in wombats.items() %}{{ k }}{% endfor %}", "1:1 RL303 warning"),
    ],
)
def test_one_value_ahead_of_fixed_text(value: str, expected: str) -> None:
    """Each kind of value gets the rule of its kind, and a guess or a date is info."""
    assert brief(lint(f"{value}\n{FIXED}\n{{{{ question }}}}\n")) == [expected]


@pytest.mark.parametrize(
    "value",
    ["{{ version }}", "{{ tools | tojson }}", "{{ 'text' }}", "{{ system_prompt }}", "{% if tools %}Use tools.{% endif %}"],
)
def test_values_of_a_release_may_stand_first(value: str) -> None:
    """What changes with a release alone breaks nothing."""
    assert lint(f"{value}\n{FIXED}\n{{{{ question }}}}\n") == ()


def test_value_under_a_condition_is_the_only_cause() -> None:
    """A greeting that is printed if the name is known is reported for the name, not again for the test."""
    found = lint(f"{{% if user_name %}}Hello {{{{ user_name }}}}.{{% endif %}}\n{FIXED}\n{{{{ question }}}}\n")

    assert [f.rule for f in found] == ["RL101"]


def test_settings_change_the_verdict() -> None:
    """A variable that the settings call static is no cause; one of a tenant has the tenant's rule."""
    text = f"{{{{ wombat }}}}\n{FIXED}\n{{{{ question }}}}\n"

    assert lint(text, variables={"wombat": Lifetime.STATIC}) == ()
    assert brief(lint(text, variables={"wombat": Lifetime.TENANT})) == ["1:1 RL951 warning"]


def test_a_guess_says_so_and_how_to_settle_it() -> None:
    """A finding on an unknown name is of low confidence, gives its reason, and names the setting."""
    (found,) = lint(f"{{{{ wombat }}}}\n{FIXED}\n{{{{ question }}}}\n")

    assert found.confidence is Confidence.LOW
    assert "may differ for each user" in found.message
    assert "nothing is known about `wombat`" in found.message
    assert '"wombat" = "static" in [tool.radixlint.variables]' in found.help


def test_findings_are_in_order_of_place() -> None:
    """Findings are sorted by line, column and rule."""
    found = lint(f"{{{{ docs }}}} {{{{ now() }}}}\n{{{{ user_name }}}}\n{FIXED}\n{{{{ question }}}}\n")

    assert brief(found) == ["1:1 RL901 error", "1:12 RL201 error", "2:1 RL101 warning"]


def test_one_cause_is_told_once() -> None:
    """A tool list behind a value is not reported where the value is: moving that one repairs both, and it names the tools."""
    both = lint(f"{{{{ now() }}}}\n{{{{ tools | tojson }}}}\n{FIXED}\n{{{{ question }}}}\n")
    alone = lint("{{ now() }}\n{{ tools | tojson }}\n{{ question }}\n")

    assert brief(both) == ["1:1 RL201 error"]
    assert "96 tokens of fixed text and `tools | tojson` (changes with a release)" in both[0].message
    assert brief(alone) == ["2:1 RL804 warning"]


def test_mark_beside_the_place() -> None:
    """A finding says in a few words how its value changes; the history grows."""
    clock, turns = lint(
        f"{{{{ now() }}}}\n{{% for m in history %}}{{{{ m.content }}}}{{% endfor %}}\n{FIXED}\n{{{{ question }}}}\n"
    )

    assert (clock.mark, turns.mark) == ("differs on every call", "grows with every turn")


def test_parse_failure_points_at_the_fault() -> None:
    """A file that does not parse is RL001 with place, frame and the reader's advice, even if no rule was chosen."""
    source = SourceText("p.j2", "one\ntwo {{\nthree\n")
    found = parse_failure(SourceError("no end", line=2, column=5, hint="close the tag"), source, ())

    assert (found.rule, found.span.line, found.span.column, found.severity) == ("RL001", 2, 5, Severity.ERROR)
    assert "no end" in found.message
    assert found.help.startswith("Close the tag. ")
    assert found.frame == ("one", "two {{", "three")


def strips(text: str) -> list[tuple[int | None, int]]:
    """Return break and lost tokens of the strip of each finding."""
    return [(f.strip.break_index, f.strip.lost_tokens) for f in lint(text) if f.strip is not None]


def test_strip_shows_lifetimes_in_wire_order() -> None:
    """Neighbours of one lifetime are one part, the history is one of its own, and all fixed tokens are counted."""
    text = f"{FIXED}\n{{% for m in history %}}\n{{{{ m.content }}}}\n{{% endfor %}}\nGuest: {{{{ question }}}}\n"
    found = LifetimeStrip(classify(read(text), {}), words).whole

    assert [part.lifetime.label for part in found.parts] == ["static", "session", "static", "turn"]
    assert (found.break_index, found.total_tokens) == (None, 97)


def test_strip_of_each_finding_marks_where_its_prefix_ends() -> None:
    """The break is the part that holds the finding's value, with the tokens of longer life behind it."""
    text = f"Rules for all.\n{{{{ user_name }}}}\n{FIXED}\n{{{{ now() }}}}\n{FIXED}\n{{{{ question }}}}\n"

    assert strips(text) == [(1, 192), (3, 96)]


def test_strip_of_a_tool_list_marks_the_value_ahead_of_it() -> None:
    """Where the tool list is reported, the prefix ends at the value it stands behind."""
    assert strips("{{ now() }}\n{{ tools | tojson }}\nReader: {{ question }}\n") == [(0, 1)]


def test_strip_of_a_condition_marks_its_text() -> None:
    """A condition that differs ends the prefix at the first text it switches."""
    assert strips(f"{{% if user.vip %}}\nBe kind.\n{{% endif %}}\n{FIXED}\n{{{{ question }}}}\n") == [(0, 96)]


def test_every_rule_has_a_detector_that_takes_its_params() -> None:
    """Rules and detectors fit: each rule's detector exists and takes its params, each detector has a rule."""
    used = {rule.detector for rule in load_rules()} - {"source"}

    assert used | {"name-before-static"} == set(plugin_names(detectors)), "that one is for rules of people's own"
    for rule in load_rules():
        if rule.detector != "source":
            load_rule(rule)


def test_broken_rule_is_a_clear_error() -> None:
    """An unknown detector, a wrong param and a wrong message field name the rule and the key."""
    rule = next(r for r in load_rules() if r.id == "RL201")
    text = f"{{{{ now() }}}}\n{FIXED}\n{{{{ question }}}}\n"

    for broken, named in (
        (replace(rule, detector="no-such"), "`detector`"),
        (replace(rule, params={"origins": ["clock"], "min_tokens": "many"}), "min_tokens"),
        (replace(rule, message="{wombat}"), "wombat"),
    ):
        with pytest.raises(RuleError, match=named) as caught:
            lint_prompt(classified(read(text), {}), [broken], words)
        assert "RL201" in str(caught.value)


def test_a_wrong_fixer_of_a_rule_of_ones_own_is_told_at_once() -> None:
    """A rule from a file of people's own with an unknown fixer, or wrong params of it, is refused before it finds anything."""
    rule = replace(next(r for r in load_rules() if r.id == "RL201"), place="own.yaml:1")

    for broken, named in ((replace(rule, fixer="no-such"), "`fixer`"), (replace(rule, fixer_params={"x": 1}), "fixer.params")):
        with pytest.raises(RuleError, match=named):
            load_rule(broken)


def test_many_guesses_are_one_note() -> None:
    """Of many unknown names only the first is reported, with the number of the others."""
    (found,) = lint(f"{{{{ wombat }}}} {{{{ quokka }}}} {{{{ numbat }}}}\n{FIXED}\n{{{{ question }}}}\n")

    assert (found.span.column, found.severity) == (1, Severity.INFO)
    assert "nor about 2 more" in found.message


def test_many_times_in_a_body_are_one_finding() -> None:
    """Of many times in a body as sent the first is reported, and the first id."""
    body = {
        "model": "any",
        "messages": [
            {"role": "system", "content": f"2026-03-04T05:06:07Z 2026-03-04T05:06:08Z id {'0a1b2c3d' * 4} {FIXED}"},
            {"role": "user", "content": "Hi"},
        ],
    }
    found = lint(json.dumps(body), "json")

    assert [f.rule for f in found] == ["RL203", "RL203"]
    assert ["as do 1 more" in f.message for f in found] == [True, False]

"""Detectors find causes in classified prompts, count what is lost, and report one place for one cause."""

from __future__ import annotations

import pytest

from radixlint import detectors
from radixlint.catalog import load_rules
from radixlint.detectors import value_before_static
from radixlint.lifetime import classify
from radixlint.lint.rule_plugins import load_rule
from radixlint.plugins import load_plugin
from radixlint.prompt import Control, ControlKind, Expression, Lifetime, Origin, Prompt, Role, Segment, Span
from radixlint.stake.behind import CLOSING_TOKENS, Stakes

ANY = value_before_static.Params(origins=frozenset(Origin) - {Origin.LITERAL}, min_tokens=4)


def words(text: str) -> int:
    """Count words: the tests' tokenizer."""
    return len(text.split())


def fixed(number: int, **more: object) -> Segment:
    """Return a literal of ``number`` words."""
    return Segment(" ".join(["word"] * number), Span("p", 1, 1, 1, 2), **more)  # type: ignore[arg-type]


def value(name: str, line: int = 1, **more: object) -> Segment:
    """Return a value of one name."""
    return Segment("{{ x }}", Span("p", line, 1, line, 9), expression=Expression(name, (name,)), **more)  # type: ignore[arg-type]


def control(kind: ControlKind, name: str, node: int, branch: int = 0, line: int = 1) -> Control:
    """Return a loop or condition on one name."""
    return Control(kind, node, branch, Expression(name, (name,)), Span("p", line, 1, line, 20))


def prompt(*segments: Segment, **more: bool) -> Prompt:
    """Return a classified prompt."""
    return classify(Prompt("p", "p", "test", segments, **more), {})


def lost(found: Prompt) -> list[tuple[int, int]]:
    """Return line and lost tokens of each hit on any origin."""
    return [(hit.span.line, hit.lost_tokens) for hit in value_before_static.find(found, ANY, words)]


def test_counts_literals_behind_the_value_alone() -> None:
    """Text ahead of the value and values behind it do not count."""
    assert lost(prompt(fixed(9), value("user_name", 2), fixed(5), value("wombat", 3), fixed(6))) == [(2, 11), (3, 6)]


def test_threshold() -> None:
    """Fewer literal tokens than the rule asks for are no finding."""
    assert lost(prompt(value("user_name"), fixed(3))) == []
    assert lost(prompt(value("user_name"), fixed(4))) == [(1, 4)]


def test_longest_branch_counts() -> None:
    """Of an if with its else only one branch is ever sent, so only the longest counts."""
    test = [control(ControlKind.CONDITION, "tools", 1, branch) for branch in (0, 1)]
    one, other = fixed(5, controls=(test[0],)), fixed(8, controls=(test[1],))

    assert lost(prompt(value("user_name"), one, other, fixed(2))) == [(1, 10)]


def test_nested_branches() -> None:
    """Branches inside branches are weighed the same way."""
    outer = [control(ControlKind.CONDITION, "tools", 1, branch) for branch in (0, 1)]
    inner = [control(ControlKind.CONDITION, "version", 2, branch) for branch in (0, 1)]
    segments = (
        fixed(3, controls=(outer[0], inner[0])),
        fixed(7, controls=(outer[0], inner[1])),
        fixed(2, controls=(outer[0],)),
        fixed(8, controls=(outer[1],)),
    )

    assert Stakes(prompt(*segments), words).total_tokens == 9


def test_other_branch_is_not_behind() -> None:
    """Text in the else branch is never sent together with a value in the if branch."""
    test = [control(ControlKind.CONDITION, "tools", 1, branch) for branch in (0, 1)]

    assert lost(prompt(value("user_name", controls=(test[0],)), fixed(50, controls=(test[1],)))) == []


def test_text_in_a_growing_loop_does_not_count() -> None:
    """Text that is sent once per item of a list is no fixed text."""
    loop = control(ControlKind.LOOP, "docs", 1, line=5)

    assert [line for line, _ in lost(prompt(value("user_name"), fixed(50, controls=(loop,)), fixed(1)))] == []


def test_loop_items_are_reported_once_at_the_loop() -> None:
    """The items of a loop are one cause with the loop's tag as its place; another value in it has its own tag."""
    loop = control(ControlKind.LOOP, "docs", 1, line=5)
    inside = [fixed(1, controls=(loop,)), value("docs.text", 6, controls=(loop,)), value("user_name", 7, controls=(loop,))]

    assert lost(prompt(*inside, fixed(9))) == [(5, 9), (7, 9)]


def test_repeated_value_is_one_cause() -> None:
    """A value printed twice is reported at its first place only."""
    assert lost(prompt(value("user_name", 1), fixed(9), value("user_name", 2), fixed(9))) == [(1, 18)]


def test_turn_ahead_of_history_counts_without_text() -> None:
    """What changes with the turn must not stand ahead of the conversation; what differs per user may."""
    loop = control(ControlKind.LOOP, "history", 1, line=5)
    turns = value("history.content", 5, controls=(loop,))

    assert [line for line, _ in lost(prompt(value("docs", 1), turns))] == [1]
    assert lost(prompt(value("user_name", 1), turns)) == []


def test_clock_in_every_old_turn() -> None:
    """A clock printed in each turn changes all of them; under a test for the last turn it does not."""
    loop = control(ControlKind.LOOP, "history", 1, line=5)
    last = Control(ControlKind.CONDITION, 2, 0, Expression("loop.last", ("loop.last",)), Span("p", 6, 1, 6, 9))
    turn = value("history.content", 5, controls=(loop,))

    assert [line for line, _ in lost(prompt(turn, value("now", 7, controls=(loop,))))] == [7]
    assert lost(prompt(turn, value("now", 7, controls=(loop, last)), fixed(1, controls=(loop,)))) == []


def test_short_text_behind_the_question_is_its_own() -> None:
    """A closing instruction behind the question belongs to the turn until it is long."""
    short, long = CLOSING_TOKENS - 1, CLOSING_TOKENS

    assert lost(prompt(value("now", 1), fixed(2), value("question", 2), fixed(short))) == []
    assert lost(prompt(value("now", 1), fixed(2), value("question", 2), fixed(long))) == [(1, 2 + long), (2, long)]


def test_last_user_message_is_the_turn() -> None:
    """A clock in the newest user message is in its right place, with a short text around it."""
    system = fixed(80, role=Role.SYSTEM)
    user = [value("now", 3, role=Role.USER, message=1), fixed(20, role=Role.USER, message=1)]

    assert lost(prompt(system, *user)) == []


def test_behind_the_last_cache_mark_all_is_free() -> None:
    """With explicit marks only what stands up to the last mark is ever reused."""
    marked = [value("now", 1), fixed(9, is_breakpoint=True), value("user_name", 2), fixed(9)]

    assert lost(prompt(*marked, has_breakpoints=True)) == [(1, 9)]
    assert lost(prompt(*marked[2:], has_breakpoints=True)) == []


def test_longer_lived_value_is_no_cause() -> None:
    """What changes with a release alone is never reported."""
    assert lost(prompt(value("tools"), value("system_prompt"), fixed(99))) == []


@pytest.mark.parametrize("name", sorted({rule.detector for rule in load_rules()} - {"source"}))
def test_detector_shape(name: str) -> None:
    """Every detector module has Params and a way to find, and finds nothing where there is nothing."""
    module = load_plugin(detectors, name)
    params = next(load_rule(rule).params for rule in load_rules() if rule.detector == name)
    found = module.find_across([], params, words) if hasattr(module, "find_across") else module.find(prompt(), params, words)

    assert isinstance(params, module.Params)
    assert list(found) == []


def test_lifetimes_never_rise_in_a_good_prompt() -> None:
    """A prompt whose lifetimes fall along the wire order has no finding, whatever its lengths."""
    ordered = [fixed(99), value("tools"), value("tenant"), value("user_name"), value("history"), value("docs"), value("question")]
    lifetimes = [s.lifetime for s in prompt(*ordered).segments]

    assert lifetimes == sorted(lifetimes, reverse=True)
    assert lifetimes[-1] is Lifetime.TURN
    assert lost(prompt(*ordered)) == []

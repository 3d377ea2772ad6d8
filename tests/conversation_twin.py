"""Conversations told apart in the slow and obvious way: every pair of requests is compared, every text taken apart closely."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from radixlint.privacy import said_lines as rules
from radixlint.privacy.said_lines import INSTRUCTIONS, is_said
from radixlint.traffic import Message, Request


def slow_core_of(line: str) -> str:
    """Return ``line`` as ``core_of`` does, with no test that saves a pattern."""
    bare, start = line, line[: rules._START_CHARACTERS]
    if ":" in start or not start[:1].isalpha():
        bare = rules._CLOCK.sub("", line).lstrip()
        bracket = rules._BRACKETS.match(bare)
        bare = bare[bracket.end() :] if bracket and bracket.end() < len(bare.rstrip()) else bare
        turn = rules._TURN.match(bare)
        bare = bare[turn.end() :] if turn else bare
    return " ".join(bare.strip(rules._EDGES).casefold().split()) or line.strip()


def slow_marks_of(message: Message) -> set[str]:
    """Return ``marks_of``, each once."""
    marks = {slow_core_of(message.text), *(slow_core_of(c.arguments) for c in message.tool_calls if is_long(c.arguments))}
    for line in slow_lines(message.text) if message.role not in ("assistant", "tool", "function") else ():
        if is_long(line):
            marks.update(slow_long(rules._SENTENCE_END.split(line)) or slow_long([line]))
        elif not line.isascii():
            marks.update(slow_long([line]))
    return marks - {""}


def slow_lines(text: str) -> list[str]:
    """Return the lines and turns of ``text``."""
    lower = text.lower()
    is_folded = any(letter in lower for letter in ("\u0131", "i\u0307", "\u017f"))
    is_named = any(f"{name}: " in lower for name in rules._SPEAKERS)
    return rules._TURN_BORDER.split(text) if "role" in lower or is_folded or is_named else text.split("\n")


def is_long(text: str) -> bool:
    """Whether ``text`` takes at least 12 bytes."""
    return len(text.encode("utf-8", "surrogatepass")) >= 12


def slow_long(lines: Sequence[str]) -> list[str]:
    """Return the long ones of the cores of ``lines``."""
    return [core for core in map(slow_core_of, lines) if is_long(core)]


def slow_crowd(requests: Sequence[Request]) -> tuple[list[int], list[int]]:
    """Return the conversations and the chains of ``requests``."""
    loose = [i for i, request in enumerate(requests) if request.session is None]
    said = [{m for m in request.messages if is_said(m)} for request in requests]
    marks = [{mark for m in messages for mark in slow_marks_of(m)} for messages in said]
    families = family_sets([slow_turns(request) for request in requests], loose)

    def goes_on(one: int, other: int) -> bool:
        before, newest = requests[one].messages[:-1], requests[other].messages[-1:]
        return bool(newest) and newest[0].role not in INSTRUCTIONS and newest[0] in before

    def continues(one: int, other: int) -> bool:
        return sent(requests[one]) == sent(requests[other]) or goes_on(one, other) or goes_on(other, one)

    def shares(one: int, other: int) -> bool:
        return bool(said[one] & said[other] or marks[one] & marks[other])

    def links(one: int, other: int) -> bool:
        is_rendered = requests[one].rendered is not None and requests[other].rendered is not None
        return is_rendered or continues(one, other) or shares(one, other) or any({one, other} <= f for f in families)

    whole = groups_of(loose, links)
    in_sessions = [i for i, request in enumerate(requests) if request.session is not None]
    names: dict[int, object] = {i: requests[i].session for i in in_sessions}
    for number, group in enumerate(whole):
        session = next((requests[i].session for i in in_sessions if any(shares(i, member) for member in group)), None)
        names.update(dict.fromkeys(group, number if session is None else session))
    chains = {i: number for number, group in enumerate(groups_of(loose, continues)) for i in group}
    chained = [chains[i] if request.session is None else request.session for i, request in enumerate(requests)]
    return numbered([names[i] for i in range(len(requests))]), numbered(chained)


def sent(request: Request) -> tuple[object, ...]:
    """Return all that was sent."""
    return (request.namespace, request.token_ids, request.block_ids, request.rendered, request.messages)


def slow_turns(request: Request) -> tuple[str, ...]:
    """Return the turns written down in the instructions of ``request``."""
    lines = (line for m in request.messages if m.role in INSTRUCTIONS for line in slow_lines(m.text) if rules._TURN.match(line))
    return tuple(slow_long(list(lines)))


def family_sets(turns: Sequence[tuple[str, ...]], loose: Sequence[int]) -> list[set[int]]:
    """Return the requests whose transcripts share a turn and are not all the same."""
    groups = groups_of([i for i in loose if turns[i]], lambda one, other: bool(set(turns[one]) & set(turns[other])))
    return [group for group in groups if len({turns[i] for i in group}) > 1]


def groups_of(members: Sequence[int], links: Callable[[int, int], bool]) -> list[set[int]]:
    """Return the connected components."""
    groups: list[set[int]] = []
    for member in members:
        near = [group for group in groups if any(links(member, other) for other in group)]
        groups = [*(group for group in groups if group not in near), {member}.union(*near)]
    return groups


def numbered(names: Sequence[object]) -> list[int]:
    """Return a number for each name, in order of first appearance."""
    order: Iterator[object] = iter(dict.fromkeys(names))
    numbers = {name: number for number, name in enumerate(order)}
    return [numbers[name] for name in names]

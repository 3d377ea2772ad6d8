"""What one name stands for, judged by whole words: the head (last word) of a compound decides, as in English."""

from __future__ import annotations

import functools
import re
from typing import Final

from msgspec.structs import replace

from radixlint.late_pattern import late_pattern
from radixlint.lifetime.name_table import LONGEST_PHRASE, STRONG, UNKNOWN, WEAK, Nature
from radixlint.lifetime.name_words import (
    ABOUT,
    BOUNDS,
    CHOSEN,
    CONTAINERS,
    EXAMPLES,
    FLAGS,
    GENERIC,
    PREPOSITIONS,
    RETRIEVED,
    SHORT,
    SHUFFLED,
    SUBJECT_HEADS,
    TALK,
)
from radixlint.prompt import Confidence, Lifetime, Origin

_WORD: Final = late_pattern(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_SEAM: Final = late_pattern(r"[\W_]+")
_UUID_VERSION: Final = late_pattern(r"^uuid[1-8]$", re.IGNORECASE)
_VOLATILE: Final = frozenset({Origin.CLOCK, Origin.ID, Origin.COUNTER, Origin.RANDOM})
_OWNERS: Final = frozenset({Origin.USER, Origin.TENANT, Origin.SESSION})
_TOP_K: Final = frozenset({"top", "k"})
_COLLECTIONS: Final = frozenset({Origin.HISTORY, Origin.RETRIEVAL})
# What Python itself keeps of a function or module, such as its docstring, changes with the code. The path of a module says
# nothing of a file that is found by it.
_DUNDER: Final = late_pattern(r"(?:^|\.)__(?!file__)[a-z]+__$")
_OF_CODE: Final = Nature(Origin.RELEASE, Lifetime.RELEASE, Confidence.MEDIUM)
_FIRST_ITEM: Final = late_pattern(r"\.(0|first)$")


def words_of(name: str) -> tuple[str, ...]:
    """Split one part of a dotted name into lower-case words, by case, underscore, hyphen and digits.

    >>> words_of("currentUserID")
    ('current', 'user', 'id')
    """
    if _UUID_VERSION.match(name):
        return ("uuid",)
    if not name.isascii():
        # Letters beyond English belong to their word; few such names are written in two cases.
        return tuple(word.lower() for word in _SEAM.split(name) if word)
    return tuple(word.lower() for word in _WORD.findall(name))


@functools.cache
def nature_of_name(name: str) -> Nature:
    """Return what a dotted name stands for; ``UNKNOWN`` if its words say nothing."""
    if "__." in f"{name}." and _DUNDER.search(name):
        return _OF_CODE
    nature = _nature_of_parts([words for words in map(words_of, name.split(".")) if words])
    last = words_of(name.rsplit(".", 1)[-1])
    return replace(nature, is_long=False) if nature.is_long and last and last[-1] in SHORT else nature


def _nature_of_parts(parts: list[tuple[str, ...]]) -> Nature:
    if not parts:
        return UNKNOWN
    across = _across_last_dot(parts)
    if across is not None:
        return across
    own, inner = _split_containers(parts)
    nature = nature_of_words(inner[0])
    if own and (
        nature is UNKNOWN or (own is not UNKNOWN and nature.origin is Origin.INPUT and len(inner[0]) == 1 and inner[0][0] in WEAK)
    ):
        return own if own is UNKNOWN else replace(own, confidence=Confidence.LOW if nature is UNKNOWN else own.confidence)
    return _refined(nature, inner[1:])


def _split_containers(parts: list[tuple[str, ...]]) -> tuple[Nature | None, list[tuple[str, ...]]]:
    """Drop leading words such as ``ctx`` that only hold others; return what the last of them means by itself."""
    own: Nature | None = None
    while len(parts) > 1 and len(parts[0]) == 1 and parts[0][0] in CONTAINERS:
        own, parts = nature_of_words(parts[0]), parts[1:]
    return own, parts


def _across_last_dot(parts: list[tuple[str, ...]]) -> Nature | None:
    """Return the nature of a phrase that runs over the last dot, as in ``session.id`` or ``request.time``."""
    if len(parts) < 2:
        return None
    last, joined = len(parts[-1]), (*parts[-2], *parts[-1])
    for length in range(min(LONGEST_PHRASE, len(joined)), last, -1):
        found = STRONG.get(joined[-length:])
        if found is not None:
            return found
    return None


def _refined(receiver: Nature, attributes: list[tuple[str, ...]]) -> Nature:
    """Return the receiver's nature, made shorter by an attribute that belongs to someone, a record's own time aside."""
    if receiver.origin in _COLLECTIONS:
        return receiver
    told = [found for found in (_attribute(receiver, words) for words in attributes) if found is not None]
    known = [n for n in (receiver, *told) if n is not UNKNOWN]
    return min(known, key=lambda n: n.lifetime) if known else UNKNOWN


def _attribute(receiver: Nature, words: tuple[str, ...]) -> Nature | None:
    """Return what an attribute says beyond its receiver, None if it is a plain field of the record that the receiver is."""
    found = nature_of_words(words)
    is_weak = len(words) == 1 and words[0] in WEAK
    if found is UNKNOWN:
        return None
    if found.origin in _VOLATILE and receiver is not UNKNOWN:
        return _volatile_attribute(receiver, found, is_weak)
    if receiver.origin is Origin.TOOLS:
        # ``tool.docs`` documents the tool.
        return found if len(words) > 1 and found.origin in _COLLECTIONS else None
    # The question of a few-shot example is part of the example.
    is_of_example = receiver.is_long and found.origin in (Origin.INPUT, Origin.HISTORY, Origin.RETRIEVAL)
    return None if is_of_example or is_weak else found


def _volatile_attribute(receiver: Nature, found: Nature, is_weak: bool) -> Nature | None:
    """Nothing of a release holds a clock or an id of the call by itself; that a release has a time of its own may be."""
    is_clock = found.origin is Origin.CLOCK and found.lifetime is Lifetime.CALL
    if receiver.lifetime is Lifetime.RELEASE:
        guess = replace(found, confidence=Confidence.LOW) if is_clock else None
        return guess if is_weak else found
    return found if receiver.origin in _OWNERS and is_clock and not is_weak else None


def nature_of_words(words: tuple[str, ...]) -> Nature:
    """Return what the words of one identifier stand for, unsure where the head is only about what the words ahead say."""
    if words in STRONG:
        return STRONG[words]
    nature = _by_head(words)
    if len(words) > 1 and nature.confidence is not Confidence.LOW and _is_about(words, nature):
        return replace(nature, confidence=Confidence.LOW)
    return nature


def _is_about(words: tuple[str, ...], nature: Nature) -> bool:
    """Tell ``user_guide``, ``knowledge_base_name`` and ``company_history`` from what a user, a search and a talk say."""
    head, ahead = words[-1], words[:-1]
    if head in ABOUT:
        return nature.origin in (Origin.USER, Origin.SESSION)
    if head in SHORT:
        return nature.origin in _COLLECTIONS and nature.confidence is Confidence.HIGH
    if head not in SUBJECT_HEADS or RETRIEVED.intersection(ahead):
        return False
    if nature.origin is Origin.HISTORY:
        return ahead[-1] not in TALK
    is_subject = nature_of_words(ahead).origin in (Origin.UNKNOWN, Origin.TENANT, Origin.RELEASE) or ahead == ("data",)
    return nature.origin is Origin.RETRIEVAL and is_subject


def _by_head(words: tuple[str, ...]) -> Nature:
    """Return what the last words say, or the words ahead of a last word that says little."""
    marked = _by_first_words(words)
    if marked is not None:
        return marked
    for length in range(min(LONGEST_PHRASE, len(words)), 0, -1):
        found = STRONG.get(words[-length:])
        if found is not None:
            return _owned(found, words[:-length])
    if words[-1] in WEAK:
        return _weak(WEAK[words[-1]], words[:-1])
    if len(words) > 1 and (words[-1] in GENERIC or words[-1].isdigit()):
        return nature_of_words(words[:-1])
    return _somewhere(words)


def _by_first_words(words: tuple[str, ...]) -> Nature | None:
    """Return the nature of a name whose words ahead of the head decide: a switch, a chance, a look-up, a preposition."""
    modifiers = set(words[:-1])
    if modifiers and words[0] in BOUNDS:
        return Nature(Origin.RELEASE, Lifetime.RELEASE, Confidence.MEDIUM)
    if modifiers & SHUFFLED and words[-1] not in ("seed", "id", "uuid", "forest"):
        return Nature(Origin.RANDOM, Lifetime.CALL, Confidence.MEDIUM)
    is_picked = modifiers & CHOSEN or modifiers >= _TOP_K
    if modifiers & RETRIEVED or (is_picked and words[-1] in EXAMPLES):
        return Nature(Origin.RETRIEVAL, Lifetime.TURN, Confidence.MEDIUM)
    if modifiers and words[0] in FLAGS:
        return UNKNOWN
    for at in range(1, len(words) - 1):
        if words[at] in PREPOSITIONS:
            return _owned(nature_of_words(words[:at]), words[at + 1 :])
    return None


def _owned(head: Nature, modifiers: tuple[str, ...]) -> Nature:
    """A thing of the release is its owner's if the name says so: ``tenant_rules``, ``user_tools``."""
    if head.lifetime is not Lifetime.RELEASE or not modifiers:
        return head
    owner = nature_of_words(modifiers)
    is_owned = owner.origin in _OWNERS and owner.confidence is not Confidence.LOW
    return replace(owner, is_long=head.is_long) if is_owned else head


def _weak(alone: Nature, modifiers: tuple[str, ...]) -> Nature:
    useful = tuple(word for word in modifiers if word not in GENERIC)
    if not useful:
        return alone
    found = nature_of_words(useful)
    if found.origin is alone.origin is Origin.CLOCK and found.lifetime is Lifetime.CALL:
        return found
    if found.origin is Origin.USER and alone.origin is Origin.INPUT:
        return alone
    if found is not UNKNOWN and found.origin not in _VOLATILE:
        return found
    return replace(alone, confidence=Confidence.MEDIUM) if alone.origin is Origin.RETRIEVAL else UNKNOWN


def _somewhere(words: tuple[str, ...]) -> Nature:
    """Return the nature of a phrase anywhere in the name: sure only for an owner (``customer_tier_level``)."""
    found: list[Nature] = []
    for start in range(len(words) - 1):
        for length in range(min(LONGEST_PHRASE, len(words) - 1 - start), 0, -1):
            nature = STRONG.get(words[start : start + length])
            if nature is not None and nature.origin not in _VOLATILE:
                found.append(nature)
                break
    if not found:
        return UNKNOWN
    shortest = min(found, key=lambda n: n.lifetime)
    is_owner = shortest.origin in _OWNERS and shortest.confidence is not Confidence.LOW
    return replace(shortest, confidence=Confidence.MEDIUM if is_owner else Confidence.LOW)

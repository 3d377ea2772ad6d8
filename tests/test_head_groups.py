"""What nearly shared heads cost together: as much as a radix tree over them shrinks once they start alike."""

from __future__ import annotations

import random

import pytest
from head_prompts import SENTENCES, count, found, prompts
from msgspec.structs import replace

from radixlint.prompt import RequestFacts, Span

FIRST, SECOND = ". ".join(SENTENCES[:10]), ". ".join(SENTENCES[10:25])


def _part(name: str, words: int) -> list[str]:
    return [f"{name}word{n}{'.' if n % 9 == 8 else ''}" for n in range(words)]


def _tree_words(heads: list[list[str]]) -> int:
    """Return the words that a radix tree of ``heads`` keeps, without their titles."""
    return len({tuple(head[: n + 1]) for head in heads for n in range(1, len(head))})


def _family(chance: random.Random, name: str) -> list[list[str]]:
    """Return heads with a title each that share a first part, and some of them more: parts end or go on differently."""
    parts = {key: _part(f"{name}{key}", chance.randint(70, 120)) for key in ("a", "b", "c", "d")}
    shapes = [("a",), ("a", "b"), ("a", "b", "c"), ("a", "d"), ("a", "b", "d")]
    made = []
    for number in range(chance.randint(2, 9)):
        shape = chance.choice(shapes)
        made.append([f"{name}title{number}", *(word for key in shape for word in parts[key])])
    return made


@pytest.mark.parametrize("seed", range(60))
def test_the_total_is_what_a_tree_shrinks_by(seed: int) -> None:
    """For each group it is the tree with every title less the tree with one title, whatever the order of the files."""
    chance = random.Random(seed)
    families = [_family(chance, f"f{number}x") for number in range(chance.randint(1, 4))]
    sent = [" ".join(head) for heads in families for head in heads]
    chance.shuffle(sent)
    wanted = []
    for heads in families:
        alike = [["title", *head[1:]] for head in heads]
        wanted.append((len(heads), _tree_words_apart(heads) - _tree_words(alike)))

    hits = found(prompts(*sent))

    told = [tuple(int(hit.hit.fields[key].split()[0].replace(",", "")) for key in ("prompts", "total")) for hit in hits]
    assert sorted(told) == sorted(wanted)


def _tree_words_apart(heads: list[list[str]]) -> int:
    return sum(_tree_words([head]) for head in heads)


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2), (2, 1, 0), (1, 2, 0)])
def test_a_third_prompt_that_shares_less_lowers_nothing(order: tuple[int, ...]) -> None:
    """The pair is told at what it shares, the third at what it has of that."""
    texts = [f"Desk one. {FIRST}", f"Desk two. {FIRST}. {SECOND}", f"Desk three. {FIRST}. {SECOND}"]
    (hit,) = found(prompts(*(texts[at] for at in order)))

    pair, third = count(f". {FIRST}. {SECOND}"), count(f". {FIRST}")
    assert hit.hit.lost_tokens == pair
    assert hit.hit.fields["total"] == f"{pair + third} tokens"


def test_a_prompt_with_the_same_sentences_in_another_order_hides_nothing() -> None:
    """The first holds all that the others do, with text of its own between: the pair is told at what it shares."""
    between = ". ".join(f"Step {n} of a text of its own, far too long for a small difference" for n in range(12))
    first, *pair = [f"Form. {FIRST}. {between}. {SECOND}", f"Desk two. {FIRST}. {SECOND}", f"Desk three. {FIRST}. {SECOND}"]
    (hit,) = found(prompts(first, first, *pair))

    assert hit.hit.lost_tokens == count(f". {FIRST}. {SECOND}")


def test_what_two_versions_share_already_is_counted_once() -> None:
    """Two prompts with one title differ far behind it: the third title costs their text once, not twice."""
    (hit,) = found(prompts(f"One. {FIRST}. {SECOND}", f"Two. {FIRST}. x. {SECOND}", f"Two. {FIRST}. y. {SECOND}"))

    whole, behind = count(f"{FIRST}. {SECOND}"), count(SECOND)
    total = int(hit.hit.fields["total"].split()[0])
    assert whole + behind <= total <= whole + behind + 3 < 2 * whole


def test_every_prompt_of_a_group_has_its_place() -> None:
    """Sixteen prompts are fifteen places beside the finding's own, each at the words in which it differs."""
    (hit,) = found(prompts(*(f"Desk {n}. {FIRST}" for n in range(16))))

    assert {related.span.path for related in hit.hit.related} | {hit.hit.span.path} == {f"{n:04d}.j2" for n in range(16)}
    assert {(related.span.line, related.span.column) for related in hit.hit.related} == {(1, 6)}
    assert hit.hit.related[3].message == f"this prompt has `4` here, ahead of {count(FIRST) + 1} tokens that 0000.j2 has too"


def test_places_beyond_a_limit_are_counted() -> None:
    """Of forty prompts sixteen are listed, and the last says how many are not; equal heads have places too."""
    (hit,) = found(prompts(*["Desk. " + FIRST] * 20, *["Shop. " + FIRST] * 20))

    assert len(hit.hit.related) == 16
    assert hit.hit.related[-1].message == "this prompt has `Desk` here; 23 more prompts of the group not shown"


def test_heads_for_two_models_share_nothing() -> None:
    """A cache belongs to one model: bodies that name two are not compared, a file that names none is."""
    one, two = prompts("Desk. " + FIRST, "Shop. " + FIRST)
    sent = [
        replace(prompt, request=RequestFacts(None, model, (), (), 0, Span("", 1, 1, 1, 1), "openai-chat"))
        for prompt, model in ((one, "gpt-4o"), (two, "gpt-4.1"))
    ]

    assert found(sent) == []
    assert len(found([sent[0], two])) == 1
    assert len(found([sent[0], replace(sent[1], request=sent[0].request)])) == 1

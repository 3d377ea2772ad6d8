"""Nearly shared heads over many files: found by what they share, one finding a group, whatever the order."""

from __future__ import annotations

import random

import pytest
from head_prompts import SENTENCES, count, found, prompts
from msgspec.structs import replace

from radixlint.detectors import _head_alignment, _head_groups
from radixlint.prompt import Expression, Lifetime, Segment


def test_a_difference_over_lines_has_its_place_and_what_stands_behind() -> None:
    """The place is that of the first word that differs, in the later file; the earlier one's is beside it."""
    shared = "\n".join(SENTENCES)
    (hit,) = found(prompts(f"Be kind.\nBe brief.\n{shared}", f"Be kind.\nBe short.\n{shared}"))

    assert hit.prompt == 1
    assert (hit.hit.span.line, hit.hit.span.column, hit.hit.span.end_column) == (2, 4, 9)
    assert (hit.hit.fields["here"], hit.hit.fields["there"]) == ("`short`", "`brief`")
    assert hit.hit.lost_tokens == count(shared) + 1
    assert [(r.span.path, r.span.line) for r in hit.hit.related] == [("0000.j2", 2)]


def test_two_small_differences_are_both_read_over() -> None:
    """What is shared behind a second typo is lost to the first one too."""
    shared = ". ".join(SENTENCES)
    (hit,) = found(prompts("Hello. " + shared, "Hallo. " + shared.replace("Rule 3:", "Rule 3;")))

    assert hit.hit.lost_tokens >= count(shared) - 2


@pytest.mark.parametrize(
    "texts",
    [
        (". ".join(SENTENCES), ". ".join(SENTENCES)),
        (". ".join(SENTENCES), ". ".join(SENTENCES) + ". And more"),
        (". ".join(SENTENCES[:15]), ". ".join(SENTENCES[15:])),
        (". ".join(SENTENCES[:15]), "\n".join(f"Step {n} of another prompt" for n in range(12)) + ". ".join(SENTENCES[:15])),
        ("Title one. " + ". ".join(SENTENCES[:3]), "Title two. " + ". ".join(SENTENCES[:3])),
        ("", "A"),
    ],
    ids=["equal", "continued", "different", "other-text-in-front", "little-behind", "empty"],
)
def test_heads_that_lose_nothing_or_are_others_are_left_alone(texts: tuple[str, ...]) -> None:
    """Equal heads are shared already; different prompts have nothing to share."""
    assert found(prompts(*texts)) == []


def test_values_end_a_head() -> None:
    """Text behind a value is not shared in any case, and so not lost to a difference in front of the value."""
    same = prompts(". ".join(SENTENCES))[0].segments
    value = Segment("{{ x }}", same[0].span, lifetime=Lifetime.CALL, expression=Expression("x"))
    heads = [replace(title, segments=(*title.segments, value, *same)) for title in prompts("One. ", "Two. ")]

    assert found(heads) == []


def test_a_thousand_files_are_one_finding_and_few_comparisons(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files with a title of their own form one group; each is compared with a few others, not with all."""
    calls: list[str] = []

    def counted_align(one: str, other: str) -> _head_alignment.Alignment | None:
        calls.append(other)
        return _head_alignment.align(one, other)

    monkeypatch.setattr(_head_groups, "align", counted_align)
    shared = ". ".join(SENTENCES)

    hits = found(prompts(*(f"Title {n}. {shared}" for n in range(1_000))))

    assert len(hits) == 1
    assert (hits[0].hit.fields["prompts"], hits[0].hit.fields["versions"]) == ("1,000 prompts", "1,000 versions")
    assert len(calls) <= 3_000


def test_equal_heads_count_and_the_rare_version_is_the_one_to_change() -> None:
    """Of four prompts three have one version: all four count, the text is kept once too often, and the fourth is named."""
    shared = ". ".join(SENTENCES)
    (hit,) = found(prompts("Desk one. " + shared, *["Desk two. " + shared] * 3))

    assert (hit.prompt, hit.hit.fields["path"]) == (0, "0001.j2")
    assert (hit.hit.fields["prompts"], hit.hit.fields["versions"]) == ("4 prompts", "2 versions")
    assert hit.hit.fields["tokens"] == hit.hit.fields["total"] == f"{hit.hit.lost_tokens} tokens"


def _versions(chance: random.Random, name: str, words: int) -> list[list[str]]:
    """Return versions of a text of different words: each has a title of its own, and up to two other words replaced."""
    text = [f"{name}{n}{'.' if n % 9 == 8 else ''}" for n in range(words)]
    made = []
    for version in range(chance.randint(1, 5)):
        own = [f"{name}title{version}", *text]
        for at in chance.sample(range(20, words - 20, 20), chance.randint(0, 2)):
            own[at] = f"{name}odd{version}at{at}"
        made.append(own)
    return made


def _equal_behind(one: list[str], other: list[str]) -> int:
    """Return the words that two versions, equally long, have in common behind the title, by comparing word by word."""
    return sum(a == b for a, b in zip(one[1:], other[1:], strict=True))


@pytest.mark.parametrize("seed", range(40))
def test_counts_are_those_of_comparing_all_with_all(seed: int) -> None:
    """Prompts, versions and tokens of each group equal those of a slow twin that lays every version beside all commoner ones."""
    chance = random.Random(seed)
    families = [_versions(chance, f"w{family}x", chance.randint(80, 160)) for family in range(chance.randint(1, 5))]
    sent = [version for versions in families for version in versions for _ in range(chance.randint(1, 4))]
    chance.shuffle(sent)
    wanted = set()
    for versions in families:
        ahead = sorted(versions, key=lambda version: (-sent.count(version), sent.index(version)))
        tokens = [max(_equal_behind(one, version) for one in ahead[:n]) for n, version in enumerate(ahead) if n]
        if tokens:
            prompts_of = sum(sent.count(version) for version in versions)
            wanted.add((prompts_of, len(versions), sum(tokens)))

    hits = found(prompts(*(" ".join(words) for words in sent)))
    numbers = [tuple(int(hit.hit.fields[key].split()[0]) for key in ("prompts", "versions", "total")) for hit in hits]

    assert len(numbers) == len(wanted)
    assert set(numbers) == wanted


def test_groups_do_not_depend_on_the_hash_seed_or_on_other_prompts() -> None:
    """Two groups among unrelated prompts give two findings, in the order of the files."""
    chance = random.Random(4)
    one, two = ". ".join(SENTENCES[:12]), ". ".join(SENTENCES[12:24])
    others = [" ".join(chance.choices(["lorem", "ipsum", "dolor", "sit", "amet"], k=80)) + "." for _ in range(20)]

    hits = found(prompts("A. " + one, *others[:10], "B. " + two, *others[10:], "C. " + two, "D. " + one))

    assert [(hit.prompt, hit.hit.fields["path"]) for hit in hits] == [(22, "0011.j2"), (23, "0000.j2")]

"""One value in two JSON forms is found among many prompts, whatever white space stands ahead, without comparing all with all."""

from __future__ import annotations

import random

import pytest

from radixlint.detectors import form_drift
from radixlint.prompt import Expression, Lifetime, Prompt, Segment, Span

PARAMS = form_drift.Params(filters=frozenset({"tojson"}))


def _prompt(number: int, pieces: list[str], filter_text: str) -> Prompt:
    """Return a prompt of fixed pieces, behind which ``tools`` is written with ``filter_text``."""
    place = Span(f"{number:03d}.j2", 1, 1, 1, 2)
    value = Expression(f"tools | {filter_text}", names=("tools",), filters=("tojson",))
    tools = Segment("{{ tools }}", place, lifetime=Lifetime.RELEASE, expression=value)
    return Prompt(place.path, "", "jinja-template", (*(Segment(text, place) for text in pieces), tools))


@pytest.mark.parametrize("seed", range(30))
def test_pairs_are_those_of_comparing_all_with_all(seed: int) -> None:
    """A prompt is told if the first with the same words ahead, by any division and white space, has another form."""
    chance = random.Random(seed)
    texts = ["You sort  letters.\n", "\n You sort letters. ", "You sort\nletters.", "You sortletters.", "", " \n"]
    made = []
    for number in range(12):
        text = chance.choice(texts)
        cut = chance.randint(0, len(text))
        made.append(
            (_prompt(number, [text[:cut], text[cut:]], form := chance.choice(["tojson", "tojson(indent=2)"])), text, form)
        )
    told = [
        number
        for number, (_, text, form) in enumerate(made)
        if form != next(written for _, other, written in made if other.split() == text.split())
    ]

    assert [hit.prompt for hit in form_drift.find_across([prompt for prompt, _, _ in made], PARAMS, len)] == told

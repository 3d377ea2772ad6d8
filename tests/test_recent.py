"""The memo that forgets: within its budget, what was used last stays."""

from __future__ import annotations

import random

from radixlint.recent import Recent


def test_what_is_used_stays_and_what_is_not_goes() -> None:
    """A value asked for now and then outlives any number of others; one that is not is forgotten."""
    recent: Recent[int, str] = Recent(10)
    recent.keep(-1, "used")
    recent.keep(-2, "unused")
    for number in range(100):
        recent.keep(number, str(number))
        assert recent.get(-1) == "used"
    assert (recent.get(-2), recent.get(99)) == (None, "99")


def test_the_costs_stay_within_the_budget() -> None:
    """Whatever is kept and asked for, what is remembered costs no more than the budget, and is what was kept."""
    draw = random.Random(1)
    for _ in range(200):
        recent: Recent[int, int] = Recent(50)
        costs = [draw.randrange(30) for _ in range(20)]
        for _ in range(100):
            key = draw.randrange(20)
            if draw.random() < 0.5:
                recent.keep(key, key, costs[key])
            else:
                assert recent.get(key) in (None, key)
        held = [value for key in range(20) if (value := recent._young.get(key) or recent._old.get(key))]
        assert sum(cost for _, cost in held) <= 50


def test_there_is_room_for_some_of_the_dearest() -> None:
    """Where few values fill the budget, as many as were asked for have room, up to the most that may be held."""
    roomy: Recent[int, str] = Recent(10, values=8, most=1_000)
    bounded: Recent[int, str] = Recent(10, values=8, most=100)
    for recent in (roomy, bounded):
        for number in range(4):
            recent.keep(number, str(number), 40)
    assert [roomy.get(number) for number in range(4)] == ["0", "1", "2", "3"]
    assert sum(bounded.get(number) is not None for number in range(4)) <= 2

"""What hangs on a value of the release, or hides behind a function's verb, is judged by what it is itself."""

from __future__ import annotations

import pytest

from radixlint.lifetime.expression_nature import nature_of
from radixlint.lifetime.name_match import nature_of_name
from radixlint.prompt import Confidence, Expression, Lifetime, Origin

SHORT_LIVED = {
    "request.headers.x-request-id": (Origin.ID, Lifetime.CALL),
    "headers.x-request-id": (Origin.ID, Lifetime.CALL),
    "assistant.session_id": (Origin.ID, Lifetime.SESSION),
    "instructions.current_time": (Origin.CLOCK, Lifetime.CALL),
    "user.current_time": (Origin.CLOCK, Lifetime.CALL),
    "tools.retrieved_docs": (Origin.RETRIEVAL, Lifetime.TURN),
    "now_ts": (Origin.CLOCK, Lifetime.CALL),
    "current_dt": (Origin.CLOCK, Lifetime.CALL),
    "as_of_time": (Origin.CLOCK, Lifetime.CALL),
    "job.uuid": (Origin.ID, Lifetime.CALL),
}
OF_THE_RELEASE = ("headers", "tools.docs", "tool.name", "policy.date", "model.uuid", "rules.title", "version.date")


@pytest.mark.parametrize("name", SHORT_LIVED)
def test_a_volatile_attribute_wins_over_its_receiver(name: str) -> None:
    """An id, a clock or looked-up text is surely that, whatever holds it."""
    nature = nature_of_name(name)

    assert (nature.origin, nature.lifetime) == SHORT_LIVED[name]
    assert nature.confidence is not Confidence.LOW


@pytest.mark.parametrize("name", OF_THE_RELEASE)
def test_a_plain_field_of_a_release_stays_of_the_release(name: str) -> None:
    """A record's own date, name or id changes with the record."""
    assert nature_of_name(name).lifetime is Lifetime.RELEASE


def test_a_timestamp_of_a_release_is_a_guess() -> None:
    """It may be the time of the build or of the call."""
    nature = nature_of_name("version.timestamp")

    assert (nature.origin, nature.confidence) == (Origin.CLOCK, Confidence.LOW)


@pytest.mark.parametrize(
    ("call", "constants", "expected"),
    [
        ("fetch_time", (), (Origin.CLOCK, Lifetime.CALL)),
        ("new_uuid", (), (Origin.ID, Lifetime.CALL)),
        ("lookup", ("pipe", "date"), (Origin.CLOCK, Lifetime.CALL)),
        ("lookup", ("pipe", "date +%F"), (Origin.CLOCK, Lifetime.DAY)),
        ("lookup", ("pipe", "uuidgen"), (Origin.ID, Lifetime.CALL)),
        ("lookup", ("file", "rules.txt"), (Origin.RELEASE, Lifetime.RELEASE)),
        ("lookup", ("holiday rules",), (Origin.RETRIEVAL, Lifetime.TURN)),
    ],
)
def test_a_function_is_what_it_hands_out(call: str, constants: tuple[str, ...], expected: tuple[Origin, Lifetime]) -> None:
    """A verb adds nothing, and of Ansible's look-up the plug-in and its command decide."""
    nature = nature_of(Expression(f"{call}()", calls=(call,), constants=constants), {})

    assert (nature.origin, nature.lifetime) == expected

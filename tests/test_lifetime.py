"""Segments get the lifetime that their names, calls, filters, loops and settings say."""

from __future__ import annotations

import pytest

from radixlint.lifetime import classify
from radixlint.lifetime.name_match import nature_of_name
from radixlint.prompt import (
    Confidence,
    Control,
    ControlKind,
    Expression,
    Lifetime,
    Origin,
    Prompt,
    Segment,
    Span,
)

HERE = Span("p.j2", 1, 1, 1, 2)

NAMES = {
    # clocks, and words that only look like them
    "now": "clock call",
    "nowUtc": "clock call",
    "utc_now": "clock call",
    "currentDateTime": "clock call",
    "request.time": "clock call",
    "ctx.timestamp": "clock call",
    "vars.date": "clock day",
    "todaysDate": "clock day",
    "TODAY": "clock day",
    "dayOfWeek": "clock day",
    "knowledge": "retrieval turn",
    "knowledge_cutoff": "release release",
    "snowfall": "unknown user",
    "update": "unknown user",
    "candidate": "unknown user",
    "due_date": "unknown user",
    "order.created.date": "unknown user",
    "event_timestamp": "unknown user",
    "timezone": "flag user",
    "time_limit": "unknown user",
    "date_format": "unknown user",
    "messages.timestamp": "history session",
    "show_time": "unknown user",
    # ids
    "requestId": "id call",
    "x_request_id": "id call",
    "traceid": "id call",
    "otel.traceId": "id call",
    "run.nonce": "id call",
    "conversationId": "id session",
    "session.id": "id session",
    "grid": "unknown user",
    "valid": "unknown user",
    "user_uuid": "user user",
    "customerID": "user user",
    # owners
    "user_name": "user user",
    "username": "user user",
    "guestFirstName": "user user",
    "patient.age": "user user",
    "ctx.user.email": "user user",
    "tenant_rules": "tenant tenant",
    "companyName": "tenant tenant",
    "org.settings.tone": "tenant tenant",
    "product_name": "unknown user",
    "date_of_birth": "user user",
    # conversation, retrieval, input
    "chatHistory": "history session",
    "prior_messages": "history session",
    "conversation": "history session",
    "user_message": "input turn",
    "customer_question": "input turn",
    "inputs.query": "input turn",
    "error_message": "unknown user",
    "retrievedChunks": "retrieval turn",
    "user_memory": "retrieval turn",
    "context_str": "retrieval turn",
    "docs_for_user": "retrieval turn",
    "similar_examples": "retrieval turn",
    "agent_skills_docs": "release release",
    "agent_scratchpad": "input turn",
    # what a release fixes
    "tool_schemas": "tools release",
    "tools_in_user_message": "tools release",
    "functionDefinitions": "tools release",
    "tool_result": "input turn",
    "system_prompt": "release release",
    "ns.system_prompt": "release release",
    "assistant_description": "release release",
    "format_instructions": "release release",
    "bos_token": "release release",
    "model_name": "release release",
    "few_shot_examples": "release release",
    "shuffled_examples": "random call",
    # counters and live state
    "turnNumber": "counter call",
    "tokens_left": "counter call",
    "git_status": "session turn",
    "cwd": "session session",
    "wombat": "unknown user",
}


@pytest.mark.parametrize(("name", "expected"), NAMES.items())
def test_name(name: str, expected: str) -> None:
    """A name is judged by whole words, its head first, whatever its spelling."""
    nature = nature_of_name(name)

    assert f"{nature.origin} {nature.lifetime.label}" == expected


def test_unknown_and_language_are_guesses() -> None:
    """What nothing is known about, and a locale with its few values, is of low confidence."""
    assert {nature_of_name(n).confidence for n in ("wombat", "locale", "language")} == {Confidence.LOW}
    assert nature_of_name("user_name").confidence is Confidence.HIGH


def classified(expression: Expression, variables: dict[str, Lifetime] | None = None, *controls: Control) -> Segment:
    """Classify one value alone."""
    segment = Segment("{{ x }}", HERE, expression=expression, controls=controls)
    return classify(Prompt("p.j2", "p", "test", (segment,)), variables or {}).segments[0]


EXPRESSIONS = {
    "now()": (Expression("now()", calls=("now",)), "clock call"),
    "datetime.now().strftime('%Y-%m-%d')": (
        Expression("x", ("datetime",), ("datetime.now", "strftime"), constants=("%Y-%m-%d",)),
        "clock day",
    ),
    "strftime_now('%d %b %Y %H:%M')": (Expression("x", calls=("strftime_now",), constants=("%d %b %Y %H:%M",)), "clock call"),
    "strftime_now('%d %b %Y')": (Expression("x", calls=("strftime_now",), constants=("%d %b %Y",)), "clock day"),
    "moment().format('YYYY-MM-DD')": (Expression("x", calls=("now", "format"), constants=("YYYY-MM-DD",)), "clock day"),
    "now().year": (Expression("now().year", calls=("now",)), "clock day"),
    "now().isoformat()": (Expression("now().isoformat()", calls=("now", "isoformat")), "clock call"),
    "date.today()": (Expression("x", ("date",), ("date.today",)), "clock day"),
    "datetime.today()": (Expression("x", ("datetime",), ("datetime.today",)), "clock call"),
    "time.time()": (Expression("x", ("time",), ("time.time",)), "clock call"),
    "date(2026, 1, 1)": (Expression("date(2026, 1, 1)", calls=("date",)), "literal static"),
    "user.created_at.strftime('%H:%M')": (
        Expression("x", ("user.created_at",), ("user.created_at.strftime",), constants=("%H:%M",)),
        "user user",
    ),
    "uuid.uuid4().hex": (Expression("x", ("uuid",), ("uuid.uuid4",)), "id call"),
    "get_current_time()": (Expression("x", calls=("get_current_time",)), "clock call"),
    "examples | random": (Expression("examples | random", ("examples",), filters=("random",)), "random call"),
    "examples | shuffle(seed=42)": (
        Expression("examples | shuffle(seed=42)", ("examples",), filters=("shuffle",)),
        "release release",
    ),
    "messages | length": (Expression("messages | length", ("messages",), filters=("length",)), "counter call"),
    "messages[0].content": (Expression("messages[0].content", ("messages.content",)), "release release"),
    "retriever.search(question)": (
        Expression("retriever.search(question)", ("retriever", "question"), ("retriever.search",)),
        "retrieval turn",
    ),
    "tools | render(style)": (Expression("tools | render(style)", ("tools", "style"), filters=("render",)), "tools release"),
    "tenant.name ~ user.name": (Expression("x", ("tenant.name", "user.name")), "user user"),
    "'%H:%M' | strftime": (Expression("'%H:%M' | strftime", filters=("strftime",), constants=("%H:%M",)), "clock call"),
    "range(3)": (Expression("range(3)", calls=("range",)), "literal static"),
    "load_thing()": (Expression("load_thing()", calls=("load_thing",)), "unknown user"),
    "x.update()": (Expression("x.update()", ("tools",), ("tools.update",)), "tools release"),
}


@pytest.mark.parametrize(("expression", "expected"), EXPRESSIONS.values(), ids=EXPRESSIONS)
def test_expression(expression: Expression, expected: str) -> None:
    """Of all that an expression is made of, the part that lives shortest decides; a clock's format sets its grain."""
    segment = classified(expression)

    assert f"{segment.origin} {segment.lifetime.label}" == expected
    assert segment.reason or segment.lifetime is Lifetime.STATIC


@pytest.mark.parametrize(
    ("key", "name"),
    [("desk", "desk"), ("ctx.desk", "ctx.desk.title"), ("desk", "ctx.desk"), ("user_name", "user_name"), ("now", "now")],
)
def test_settings_win(key: str, name: str) -> None:
    """A lifetime in the settings beats the tables, by name, dotted prefix or last part, and is sure."""
    segment = classified(Expression(name, (name,)), {key: Lifetime.TENANT})

    assert (segment.lifetime, segment.origin, segment.confidence) == (Lifetime.TENANT, Origin.TENANT, Confidence.HIGH)


def test_settings_keep_what_a_value_is() -> None:
    """Retrieved text that lives for a session stays retrieved text; a static variable is out of every rule's reach."""
    session = classified(Expression("docs", ("docs",)), {"docs": Lifetime.SESSION})
    static = classified(Expression("now()", calls=("now",)), {"now": Lifetime.STATIC})

    assert (session.origin, session.lifetime) == (Origin.RETRIEVAL, Lifetime.SESSION)
    assert static.lifetime is Lifetime.STATIC


def test_settings_do_not_reach_longer_names() -> None:
    """A setting for ``user`` says nothing about ``user_name``."""
    assert classified(Expression("user_name", ("user_name",)), {"user": Lifetime.STATIC}).lifetime is Lifetime.USER


def control(kind: ControlKind, name: str) -> Control:
    """Return a loop over ``name``, or a test on it."""
    return Control(kind, 1, 0, Expression(name, (name,)), HERE)


def test_literal_in_a_loop_lives_as_the_loop_does() -> None:
    """Fixed text in a loop is sent once per item, so it is no static text; under a condition it is."""
    looped = Segment("- ", HERE, controls=(control(ControlKind.LOOP, "history"),))
    switched = Segment("Be kind.", HERE, controls=(control(ControlKind.CONDITION, "user.vip"),))
    done = classify(Prompt("p.j2", "p", "test", (looped, switched)), {}).segments

    assert (done[0].lifetime, done[0].origin) == (Lifetime.SESSION, Origin.HISTORY)
    assert (done[1].lifetime, done[1].origin) == (Lifetime.STATIC, Origin.LITERAL)
    assert done[1].controls[0].lifetime is Lifetime.USER


def test_loop_over_a_constant_is_static() -> None:
    """A loop over a constant list is sent as it is."""
    loop = Control(ControlKind.LOOP, 1, 0, Expression("['a', 'b']"), HERE)
    done = classify(Prompt("p.j2", "p", "test", (Segment("- ", HERE, controls=(loop,)),)), {}).segments

    assert done[0].lifetime is Lifetime.STATIC


@pytest.mark.parametrize(("text", "lifetime"), [("now is defined", Lifetime.STATIC), ("now > closing", Lifetime.CALL)])
def test_presence_of_a_clock_is_no_clock(text: str, lifetime: Lifetime) -> None:
    """Whether a time is given is fixed by the caller; what it says is not."""
    test = Control(ControlKind.CONDITION, 1, 0, Expression(text, ("now",)), HERE)
    done = classify(Prompt("p.j2", "p", "test", (Segment("Closed.", HERE, controls=(test,)),)), {}).segments

    assert done[0].controls[0].lifetime is lifetime

"""Words that change what a name stands for, or say nothing: matched on whole name parts."""

from __future__ import annotations

from typing import Final


def words(text: str) -> frozenset[str]:
    """Return the words of a table row."""
    return frozenset(text.split())


CONTAINERS: Final = words(
    "ctx context vars variables var params param args kwargs inputs input request req state data self this env meta "
    "metadata runtime globals payload session info current deps props locals values opts options clock prompt body form "
    "page app g settings config headers"
)
"""First words of dotted names that only hold other values."""

GENERIC: Final = words(
    "id ids str string txt json yaml xml md markdown list array block section info information details detail values "
    "contents names obj object dict map formatted fmt iso utc local ms s param html lines items key keys number no raw "
    "pretty human readable display label var variable tag tags rendered prefix serialized encoded escaped"
)
"""Last words that do not change what a name stands for."""

VERBS: Final = words("get fetch read make create generate gen new compute")
"""First words of functions that hand out what the rest of the name says."""

SHUFFLED: Final = words("random randomized randomised shuffled sampled")
"""Words ahead of a noun that make it a different one on every call."""


SHORT: Final = words(
    "id ids name names title version number no key keys label labels tag tags count num size length len type kind path url link "
    "lang language date updated hash"
)
"""Last words of names for a word or number about a thing, however long the thing is."""

FLAGS: Final = words("use enable show include allow should can need needs want no not disable skip")
"""First words of switches: ``show_history`` is not the history."""

BOUNDS: Final = words("max min maximum minimum")
"""First words of limits: ``max_turns`` are no turns."""

PREPOSITIONS: Final = words("in of for by from with per on about to")
"""Words behind the head of a name: ``rules_for_guests`` are rules."""


RETRIEVED: Final = words("retrieved recalled relevant similar related matched matching fetched nearest")
"""Words ahead of a noun that say it was looked up for the newest question."""

CHOSEN: Final = words("selected chosen picked dynamic selector")
EXAMPLES: Final = words("example examples shot shots fewshot fewshots demo demos demonstration demonstrations")
"""``EXAMPLES`` with one of ``CHOSEN`` ahead were picked for the newest question."""

EVENTS: Final = words(
    "at on start started starts begin began end ended ends finish finished due deadline created updated modified changed edited "
    "published posted sent received issued expires expiry expiration until since departure arrival opened opens closed closes "
    "birth born event meeting appointment booking order scheduled joined registered signed accessed seen last first next previous"
)
"""Words of names for the time of one event, which a record keeps: ``created_at`` is no clock."""

ABOUT: Final = words(
    "guide guides manual manuals handbook handbooks library libraries sdk schema schemas version length policy policies glossary "
    "documentation faq faqs template agreement"
)
"""Heads of names for a thing that is the same for all: ``user_guide`` is no user's."""

SUBJECT_HEADS: Final = words("history facts background references sources corpus")
"""Heads of names that grow or are looked up only if the words ahead do not name a subject: ``company_history``."""

TALK: Final = words(
    "chat conversation conversational dialog dialogue message messages msg msgs turn turns session agent assistant bot "
    "recent past previous prior full formatted trimmed compact compacted truncated summarized short long old older earlier "
    "prompt llm ai qa interaction interactions action actions tool call calls step steps thread channel room user human "
    "memory complete entire my the last current new old total context raw limited windowed k n buffer chatbot content event "
    "events response responses completion run task round rounds loop execution model"
)
"""Words ahead of ``history`` that leave it the history of the talk."""

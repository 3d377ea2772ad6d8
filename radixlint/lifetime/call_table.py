"""What calls and filters stand for: data, by the last part of the dotted name."""

from __future__ import annotations

from typing import Final

from radixlint.lifetime.name_table import Nature
from radixlint.lifetime.name_words import words
from radixlint.prompt import Confidence, Lifetime, Origin


def _table(origin: Origin, lifetime: Lifetime, text: str, confidence: Confidence = Confidence.HIGH) -> dict[str, Nature]:
    return {word: Nature(origin, lifetime, confidence) for word in words(text)}


CALLS: Final[dict[str, Nature]] = {
    **_table(
        Origin.CLOCK,
        Lifetime.CALL,
        "now utcnow strftime_now time_ns monotonic perf_counter localtime gmtime ctime current_time currentTime "
        "toISOString toLocaleTimeString getTime timezone_now localnow now_utc",
    ),
    **_table(Origin.CLOCK, Lifetime.DAY, "today toLocaleDateString toDateString current_date"),
    **_table(
        Origin.ID,
        Lifetime.CALL,
        "uuid uuid1 uuid3 uuid4 uuid5 uuid6 uuid7 uuid8 ulid nanoid token_hex token_urlsafe token_bytes randomUUID guid cuid "
        "objectid ObjectId",
    ),
    **_table(
        Origin.RANDOM,
        Lifetime.CALL,
        "random randint randrange choice choices sample shuffle shuffled permutation uniform lipsum getrandbits randbelow rand "
        "random_choice",
    ),
    **_table(
        Origin.RETRIEVAL,
        Lifetime.TURN,
        "retrieve search similarity_search recall lookup query get_relevant_documents semantic_search vector_search rerank top_k "
        "fetch_docs ainvoke_retriever select_examples aselect_examples selectExamples similaritySearch similaritySearchWithScore "
        "maxMarginalRelevanceSearch getRelevantDocuments semanticSearch vectorSearch fetchDocs",
        Confidence.MEDIUM,
    ),
    **_table(Origin.HOST, Lifetime.TENANT, "gethostname getfqdn getpid getcwd"),
    # Home Assistant's live values.
    **_table(Origin.SESSION, Lifetime.TURN, "states state_attr is_state", Confidence.MEDIUM),
}

FREE_CALLS: Final[dict[str, Nature]] = {
    **_table(Origin.CLOCK, Lifetime.CALL, "time timestamp datetime clock"),
    **_table(Origin.CLOCK, Lifetime.DAY, "date"),
}
"""Clocks when called on nothing or on their module (``time.time()``), but fields of a record otherwise."""

LOOKUPS: Final = words("lookup query q")
"""Ansible's look-ups, whose first argument names a plug-in."""

LOOKUP_PLUGINS: Final[dict[str, Nature]] = _table(
    Origin.RELEASE, Lifetime.RELEASE, "file fileglob template env config vars ini csvfile", Confidence.MEDIUM
)

COMMANDS: Final[dict[str, Nature]] = {
    **_table(Origin.CLOCK, Lifetime.CALL, "date /bin/date timedatectl uptime", Confidence.MEDIUM),
    **_table(Origin.ID, Lifetime.CALL, "uuidgen", Confidence.MEDIUM),
}
"""Commands that the plug-in ``pipe`` runs anew for each rendering."""

CLOCK_MODULES: Final = words("time datetime date dt pendulum arrow moment timezone Date Time DateTime clock")

MODULES: Final = words("os json sys glob re math random itertools functools pathlib")
"""Names that only hold functions."""

FILTERS: Final[dict[str, Nature]] = {
    **_table(Origin.RANDOM, Lifetime.CALL, "random shuffle sample shuffled random_choice"),
}

SIZE_FILTERS: Final = frozenset({"length", "count"})
"""Filters that turn a growing list into a number that changes with every turn."""

NEUTRAL_CALLS: Final = words(
    "range dict list tuple set str int float len join format strip lstrip rstrip split splitlines replace upper lower title "
    "capitalize items keys values get startswith endswith raise_exception namespace cycler joiner caller super index count "
    "append extend update pop copy strftime isoformat astimezone timestamp date weekday t _ gettext ngettext trans "
    "translate url_for static print debug zip enumerate sorted reversed sum min max any all isinstance hasattr getattr "
    "enter_context enter_async_context Counter"
)
"""Calls that say nothing by themselves: what goes in decides."""

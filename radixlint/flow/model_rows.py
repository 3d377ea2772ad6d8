"""Rows of a database: in which order a query gives them, and whether there can be more than one."""

from __future__ import annotations

import re
from typing import Final

from msgspec.structs import replace

from radixlint.flow.calls import Context, Outcome, Site
from radixlint.flow.merging_facts import joined, union
from radixlint.flow.values import Facts, Unknown, Written
from radixlint.prompt import Chance, Taint

_SELECT: Final = re.compile(r"\bselect\b", re.IGNORECASE)
_ORDERED: Final = re.compile(r"\border\s+by\b", re.IGNORECASE)
_ONE: Final = re.compile(r"\blimit\s+1\b|\btop\s*\(?\s*1\b|\bfetch\s+(?:first|next)\s+(?:1\s+)?row\s+only\b", re.IGNORECASE)
_SUMMED: Final = re.compile(r"\b(?:count|sum|min|max|avg|exists)\s*\(", re.IGNORECASE)
_GROUPED: Final = re.compile(r"\bgroup\s+by\b", re.IGNORECASE)
# A name of a thing is its key in nearly all tables; a column that ends in ``_id`` is that of another table.
_BY_KEY: Final = re.compile(
    r"\bwhere\b(?:[^;]*?[\s(])??(?:\w+\.)?[\"'`\[]?(?:_?id|pk|uuid|guid|key|slug|name|username|email|handle|sku)[\"'`\]]?"
    r"\s*=(?!\s*(?:any|all|some)\b)",
    re.IGNORECASE,
)
_MANY: Final = re.compile(r"\b(?:join|or|union|intersect|except)\b", re.IGNORECASE)
_TEXT_MAX: Final = 300


def shuffled_io(site: Site, context: Context) -> Outcome | None:
    """What comes in the order in which a folder, a pool or a server happens to give it."""
    return Outcome(_read(site, (Taint(Chance.IO, site.span, site.text),)))


def queried(site: Site, context: Context) -> Outcome | None:
    """Rows of a SELECT without ORDER BY come as the database likes; other statements and texts not known say nothing."""
    query = site.positional[0] if site.positional else None
    text = "".join(part.text for part in query.parts) if isinstance(query, Written) else ""
    if not _SELECT.search(text):
        return None
    is_settled = _ORDERED.search(text) or is_one_row(text)
    taints = () if is_settled else (Taint(Chance.IO, site.span, site.text),)
    return Outcome(_read(site, taints, (text[:_TEXT_MAX],)))


def is_one_row(text: str) -> bool:
    """Whether a SELECT gives one row at most: the first, a sum, or the one with a key."""
    if _ONE.search(text):
        return True
    is_summed = _SUMMED.search(text) is not None and _GROUPED.search(text) is None
    return is_summed or (_BY_KEY.search(text) is not None and _MANY.search(text) is None)


def fetched_row(site: Site, context: Context) -> Outcome | None:
    """``fetchone()`` and the like: one row has no order among others."""
    found = _read(site, ())
    kept = tuple(taint for taint in found.facts.taints if taint.chance is not Chance.IO)
    return Outcome(replace(found, facts=replace(found.facts, taints=kept)))


def _read(site: Site, taints: tuple[Taint, ...], constants: tuple[str, ...] = ()) -> Unknown:
    extra = Facts(calls=(site.name.lstrip("."),), constants=constants)
    found = joined((site.receiver, *site.positional, *(value for _, value in site.named)), site.span, site.text, extra)
    facts = union((found.facts, extra, Facts(taints=taints)))
    return Unknown(facts, site.span, site.text) if taints else replace(found, facts=facts)

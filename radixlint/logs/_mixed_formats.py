"""A log of several formats: engines share no cache with each other, and what else is mixed may have other tokenizers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from radixlint.traffic import Request


def told_apart(requests: Sequence[Request], engines: Mapping[str, str | None]) -> Sequence[Request]:
    """Return ``requests``, those of different engines in namespaces of their own; ``engines`` are by format, None for none."""
    if len(_named(engines)) < 2:
        return requests
    return [_of_engine(request, engines.get(request.format)) for request in requests]


def mixture(engines: Mapping[str, str | None]) -> tuple[str, ...]:
    """Return what to say of a log whose formats, by name, are those of ``engines``."""
    named, others = _named(engines), [name for name, engine in engines.items() if engine is None]
    sentences = []
    if len(named) > 1:
        sentences.append(
            f"The log is of several engines ({', '.join(named)}): requests of one share nothing with those of another."
        )
    if others and len(engines) > 1:
        shown = ", ".join(sorted(engines))
        sentences.append(f"The log mixes formats ({shown}): they share only if the tokenizer is the server's.")
    return tuple(sentences)


def _named(engines: Mapping[str, str | None]) -> list[str]:
    return sorted({engine for engine in engines.values() if engine is not None})


def _of_engine(request: Request, engine: str | None) -> Request:
    if engine is None:
        return request
    return replace(request, namespace=f"{request.namespace} engine={engine}".lstrip())

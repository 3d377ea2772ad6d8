"""Find what breaks LLM prompt-prefix caching, measure it in logs, and say what a fix would bring."""

from __future__ import annotations


def __getattr__(name: str) -> str:
    """Look the version up when it is asked for: that takes half of the start-up time of a command, which an interrupt may hit."""
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("radixlint")
    except PackageNotFoundError:  # a plain checkout that was never installed
        return "0.1.0"

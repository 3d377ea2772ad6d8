"""Find what breaks prompt-prefix caching, measure it in logs, and say what a fix would bring."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("radixlint")
except PackageNotFoundError:  # a plain checkout that was never installed
    __version__ = "0.1.0"

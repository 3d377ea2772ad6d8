"""What a caller of ``check`` brings along: the project's settings, and how much it may read from standard input."""

from radixlint.config import Settings, load_settings
from radixlint.files.file_reading import MAX_BYTES

__all__ = ["MAX_BYTES", "Settings", "load_settings"]

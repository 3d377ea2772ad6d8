"""Write a file whole or not at all: into a part beside it, which then takes its name."""

from __future__ import annotations

import os
import time


def write_whole(path: str | os.PathLike[str], data: bytes, mode: int) -> None:
    """Put ``data`` in the place of ``path``, with the permissions ``mode``; a link is replaced, not followed.

    Raises:
        OSError: it cannot be written; what was there before is unchanged, and no part is left behind.
    """
    folder, name = os.path.split(path)
    # Cut, so that the longest name that a file may have still has room for the rest.
    part = os.path.join(folder, f".{name[:50]}.{os.getpid()}.{time.time_ns():x}.part")
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        os.chmod(part, mode)
        os.replace(part, path)
    except BaseException:
        os.unlink(part)
        raise

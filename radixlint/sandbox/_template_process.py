"""The parent's side of the child that renders: started once, asked many times, killed when it takes too long."""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import sys
import time
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from radixlint.errors import ConfigError

_CHILD: Final = Path(__file__).with_name("_template_child.py")
_START_S: Final = 60.0
_ANSWER_S: Final = 2.0
_LONGEST_ANSWER_BYTES: Final = 160 << 20
_HINT: Final = "templates run apart from radixlint, with limits on time and memory"


class TemplateRaisedError(Exception):
    """The template raised: the name of the exception, and its message."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


class TemplateProcess:
    """A child that renders; what it compiles and runs cannot reach files, the network or more than its memory and time.

    Args:
        where: the file, for messages.

    Raises:
        ConfigError: the child cannot be started.
    """

    def __init__(self, where: str) -> None:
        if os.name != "posix":
            raise ConfigError("chat templates need a POSIX system: only there can the process that runs them be limited")
        self._where = where
        # The child sees no time zone and no hash seed of ours: equal input gives equal text.
        environment = {**os.environ, "TZ": "UTC0", "PYTHONHASHSEED": "0"}
        self._process = subprocess.Popen(  # noqa: S603  # our own file, run by our own interpreter
            [sys.executable, "-P", str(_CHILD)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            bufsize=0,
        )
        self.close = weakref.finalize(self, _end, self._process)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin.fileno(), self._process.stdout.fileno()
        self._poll = select.poll()
        self._poll.register(self._output, select.POLLIN)
        self._answer(_START_S)

    def compile(self, templates: Sequence[str], variables: Mapping[str, str]) -> None:
        """Hand over the templates that frames ask for by number, and what all of them see, such as ``bos_token``.

        Raises:
            ConfigError: they do not compile in time.
            TemplateRaisedError: they do not compile.
        """
        self.ask({"templates": list(templates), "variables": dict(variables)})

    def ask(self, frame: Mapping[str, object]) -> tuple[str, bool]:
        """Return the text that the child answers with, and whether a date stands in it.

        Raises:
            TemplateRaisedError: the template raised.
            ConfigError: it did not come to an end within 2 s, or needed too much memory; the child is gone.
        """
        body = json.dumps(frame).encode()
        view = memoryview(len(body).to_bytes(4, "little") + body)
        try:
            while view:
                view = view[os.write(self._input, view) :]
        except OSError:
            raise self._failed("ended by itself") from None
        answer = self._answer(_ANSWER_S)
        status, text = answer[:1], answer[1:]
        if status == b"e":
            raise TemplateRaisedError(*json.loads(text))
        return text.decode("utf-8", "surrogatepass"), status == b"d"

    def _answer(self, limit_s: float) -> bytes:
        deadline = time.monotonic() + limit_s
        try:
            size = int.from_bytes(self._receive(4, deadline), "little")
            if size > _LONGEST_ANSWER_BYTES:
                raise self._failed("gave too much text")
            return self._receive(size, deadline)
        except TimeoutError:
            raise self._failed(f"did not come to an end in {limit_s:g} s") from None

    def _receive(self, size: int, deadline: float) -> bytes:
        parts: list[bytes] = []
        while size:
            if not self._poll.poll(max(0.0, deadline - time.monotonic()) * 1_000):
                raise TimeoutError
            part = os.read(self._output, min(size, 1 << 20))
            if not part:
                raise self._failed("ended by itself: out of memory or time")
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def _failed(self, what: str) -> ConfigError:
        self.close()
        return ConfigError(f"the chat template {what}", where=self._where, hint=_HINT)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()
    process.wait()

"""The child process that renders a chat template: sandbox, no loader, no files, no network, limited memory and time.

It imports nothing of the package and is started by its path. Frames are a length (uint32, little-endian) and a body. A frame
to the child is JSON; an answer starts with one of the status bytes: text (UTF-8), text that shows the date, or an error
(JSON: exception name and message). A frame with ``traced`` renders one template for several conversations; its answer says
which place of the template printed what.
"""

from __future__ import annotations

import json
import pprint  # noqa: F401  # jinja2's filters import this and textwrap when used: too late, no file can be opened then
import random
import resource
import sys
import textwrap  # noqa: F401
from collections.abc import Iterator
from datetime import UTC, datetime
from types import GeneratorType
from typing import Any, BinaryIO, Final, NoReturn

from jinja2 import Template, TemplateError, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.ext import Extension
from jinja2.lexer import Lexer
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment

TEXT, DATED_TEXT, ERROR = b"t", b"d", b"e"
_MEMORY_BYTES: Final = 1 << 30
_CPU_S: Final = 5
_OUTPUT_CHARACTERS: Final = 32 << 20
_TRACED_CHARACTERS: Final = 1 << 20
_LONGEST_MESSAGE: Final = 300
# Logs without times, and times that are none, print this date.
_FIXED_DATE: Final = datetime(2026, 1, 1, tzinfo=UTC)


class _Generation(Extension):
    """``{% generation %}`` marks what a model wrote, for training; its body is printed as it is."""

    tags = {"generation"}  # noqa: RUF012  # jinja2 declares it so

    def parse(self, parser: Parser) -> nodes.Node:
        line = next(parser.stream).lineno
        return nodes.Scope(parser.parse_statements(("name:endgeneration",), drop_needle=True), lineno=line)


class _Renderer:
    """Templates and what they may use; messages and tools stay known by their number until told to be forgotten."""

    def __init__(self, templates: list[str], variables: dict[str, str]) -> None:
        environment = _as_for_models(ImmutableSandboxedEnvironment)
        environment.globals["strftime_now"] = self._strftime
        self._templates: list[Template] = [environment.from_string(text) for text in templates]
        self._variables = variables
        self._values: list[Any] = []
        self._now = _FIXED_DATE
        self._is_dated = False

    def answer(self, asked: dict[str, Any]) -> tuple[bytes, bytes]:
        """Return status and body for one prompt: ``new`` values, and the numbers of those that make its prompt."""
        if asked["forget"]:
            self._values.clear()
        self._values += asked["new"]
        self._now, self._is_dated = _moment(asked["time_s"]), False
        random.seed(0)  # the filter random must choose alike for equal prompts, whatever was rendered before
        tools = [self._values[number] for number in asked["tools"]]
        text = self._render(
            self._templates[asked["template"]],
            messages=[self._values[number] for number in asked["messages"]],
            tools=tools or None,
            documents=None,
            add_generation_prompt=asked["opens_turn"],
        )
        return DATED_TEXT if self._is_dated else TEXT, text.encode("utf-8", "surrogatepass")

    def _render(self, template: Template, **variables: object) -> str:
        parts, room = [], _OUTPUT_CHARACTERS
        for part in template.generate(**self._variables, **variables):
            room -= len(part)
            if room < 0:
                raise TemplateError(f"more than {_OUTPUT_CHARACTERS:,} characters of output")
            parts.append(part)
        return "".join(parts)

    def _strftime(self, form: str) -> str:
        self._is_dated = True
        return self._now.strftime(form)


def _as_for_models(kind: type[ImmutableSandboxedEnvironment]) -> ImmutableSandboxedEnvironment:
    """Return an environment with what Hugging Face gives to chat templates."""
    environment = kind(trim_blocks=True, lstrip_blocks=True, extensions=[_Generation, "jinja2.ext.loopcontrols"])
    environment.filters["tojson"] = _to_json
    environment.globals["raise_exception"] = _raise_exception
    return environment


class _PlacedLexer(Lexer):
    """Gives each token its offset (from 1) in place of its line; whitespace that a tag swallowed belongs to no token."""

    def tokeniter(
        self, source: str, name: str | None, filename: str | None = None, state: str | None = None
    ) -> Iterator[tuple[int, str, str]]:
        cursor = 0
        for _, kind, value in super().tokeniter(source, name, filename, state):
            while not source.startswith(value, cursor) and source[cursor : cursor + 1].isspace():
                cursor += 1
            yield cursor + 1, kind, value
            cursor += len(value)


class _PlacedGenerator(CodeGenerator):
    """Prints each line of text and each expression by a statement of its own, so that all that is printed has a place."""

    def visit_Output(self, node: nodes.Output, frame: Frame) -> None:  # noqa: N802  # jinja2 names it so
        node.nodes = [part for child in node.nodes for part in _parts(child)]
        super().visit_Output(node, frame)

    def _output_child_to_const(self, node: nodes.Expr, frame: Frame, finalize: Any) -> str:
        raise nodes.Impossible


def _parts(child: nodes.Expr) -> Iterator[nodes.Expr]:
    if not isinstance(child, nodes.TemplateData):
        child.lineno = min((child.lineno, *(inner.lineno for inner in child.find_all(nodes.Node))))
        yield child
        return
    place = child.lineno
    for line in child.data.splitlines(keepends=True):
        yield nodes.TemplateData(line, lineno=place, environment=child.environment)
        place += len(line)


class _PlacedEnvironment(ImmutableSandboxedEnvironment):
    code_generator_class = _PlacedGenerator

    @property
    def lexer(self) -> Lexer:
        """The lexer that numbers tokens by offset, made once."""
        placed: Lexer | None = self.__dict__.get("placed")
        if placed is None:
            placed = self.__dict__["placed"] = _PlacedLexer(self)
        return placed


def _traced(text: str, conversations: list[dict[str, Any]]) -> bytes:
    """Return for each conversation its text and the runs ``[characters, offset in the template]``, or an exception's message."""
    environment = _as_for_models(_PlacedEnvironment)
    environment.globals["strftime_now"] = _FIXED_DATE.strftime
    template = environment.from_string(text)
    answers: list[object] = []
    for variables in conversations:
        random.seed(0)
        try:
            answers.append(_text_and_runs(template, variables))
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001  # a template may raise anything
            answers.append({"error": f"{type(error).__name__}: {error}"[:_LONGEST_MESSAGE]})
    return json.dumps(answers).encode()


def _text_and_runs(template: Template, variables: dict[str, Any]) -> dict[str, object]:
    parts: list[str] = []
    runs: list[tuple[int, int]] = []
    places: dict[int, int] = {}
    room = _TRACED_CHARACTERS
    printing = template.root_render_func(template.new_context(variables))
    for part in printing:
        line = _line_of(printing)
        if line not in places:
            places[line] = template.get_corresponding_lineno(line) - 1
        room -= len(part)
        if room < 0:
            raise TemplateError(f"more than {_TRACED_CHARACTERS:,} characters of output")
        parts.append(part)
        runs.append((len(part), places[line]))
    return {"text": "".join(parts), "runs": runs}


def _line_of(printing: Iterator[str]) -> int:
    """Return the line of the compiled code that printed last, inside of a block too."""
    while isinstance(printing, GeneratorType) and isinstance(printing.gi_yieldfrom, GeneratorType):
        printing = printing.gi_yieldfrom
    frame = printing.gi_frame if isinstance(printing, GeneratorType) else None
    return frame.f_lineno if frame is not None else 1


def _to_json(
    value: object,
    ensure_ascii: bool = False,
    indent: int | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def _raise_exception(message: str) -> NoReturn:
    raise TemplateError(message)


def _moment(time_s: float | None) -> datetime:
    try:
        return _FIXED_DATE if time_s is None else datetime.fromtimestamp(time_s, UTC)
    except (ValueError, OverflowError, OSError):
        return _FIXED_DATE


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    # No file or socket can be opened any more; the pipes stay.
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))


def _limit_cpu() -> None:
    """Let the next answer take a few seconds of CPU, for the case that nobody is left to end this process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = int(used.ru_utime + used.ru_stime) + _CPU_S
    resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def _read(stream: BinaryIO) -> dict[str, Any] | None:
    head = stream.read(4)
    if len(head) < 4:
        return None
    body: dict[str, Any] = json.loads(stream.read(int.from_bytes(head, "little")))
    return body


def _write(stream: BinaryIO, status: bytes, body: bytes) -> None:
    stream.write((len(body) + 1).to_bytes(4, "little") + status + body)
    stream.flush()


class _Service:
    """Answers frames: traced ones as they come; of the others the first brings the templates, all others ask for prompts."""

    def __init__(self) -> None:
        self._renderer: _Renderer | None = None

    def answer(self, asked: dict[str, Any]) -> tuple[bytes, bytes]:
        """Return status and body; whatever a template raises is an answer too."""
        _limit_cpu()
        try:
            if "traced" in asked:
                return TEXT, _traced(asked["traced"], asked["conversations"])
            if self._renderer is None:
                self._renderer = _Renderer(asked["templates"], asked["variables"])
                return TEXT, b""
            return self._renderer.answer(asked)
        except Exception as error:  # noqa: BLE001  # a template may raise anything
            return ERROR, json.dumps([type(error).__name__, str(error)[:_LONGEST_MESSAGE]]).encode()


def _warm_up() -> None:
    """Compile, render and fail once: codecs and modules are loaded on first use, and afterwards no file can be opened."""
    service = _Service()
    service.answer({"templates": ["{{ 'a\\n' | tojson }}{{ strftime_now('%d %B') }}{{ raise_exception('x') }}"], "variables": {}})
    service.answer({"traced": "{{ 'a\\n' }}", "conversations": [{}]})
    asked = {"forget": True, "new": [], "tools": [], "messages": [], "time_s": 0.0, "template": 0, "opens_turn": True}
    service.answer(asked)


def main() -> None:
    """Say that all is loaded, then answer until the input ends."""
    source, target = sys.stdin.buffer, sys.stdout.buffer
    _warm_up()
    _limit()
    _write(target, TEXT, b"")
    service = _Service()
    while (asked := _read(source)) is not None:
        _write(target, *service.answer(asked))


if __name__ == "__main__":
    main()

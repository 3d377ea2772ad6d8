"""Request bodies made by chance, each with a fault of its cache marks, and the forms in which a file may hold them."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any, Final

import yaml

Body = dict[str, Any]
LONG: Final = "\n".join(
    f"Our {thing} stand on floor {floor}; read them in the hall, borrow them with a card, and return them at any desk by night."
    for floor in range(3)
    for thing in ("novels", "maps", "scores", "atlases", "letters", "diaries", "journals", "films", "records", "games", "prints")
)
CLOCK: Final = "Request time: 2026-03-04T05:06:07Z"
_ODD: Final = ("Quotes: \"so\" and 'so'.", "Braces { and ] and }, a comma: #5 ümlaut 🙂", "- a dash: yes", "back\\slash")


def _flow(body: Body) -> str:
    return yaml.safe_dump(body, default_flow_style=True, sort_keys=False, allow_unicode=True, width=100)


def _block(body: Body) -> str:
    return yaml.safe_dump(body, default_flow_style=False, sort_keys=False, allow_unicode=True, width=1 << 20)


class _Literal(yaml.SafeDumper):
    """Writes texts of several lines as literal blocks, and lists further in than their keys, as people do."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Literal.add_representer(str, _text)


def _literal(body: Body) -> str:
    return yaml.dump(body, Dumper=_Literal, sort_keys=False, allow_unicode=True, width=1 << 20)


FORMS: Final[dict[str, tuple[str, Callable[[Body], str]]]] = {
    "compact": ("body.json", lambda body: json.dumps(body, separators=(",", ":"))),
    "one-line": ("body.json", lambda body: json.dumps(body, ensure_ascii=False)),
    "indented": ("body.json", lambda body: json.dumps(body, indent=2)),
    "tabs": ("body.json", lambda body: json.dumps(body, indent="\t") + "\n"),
    "crlf": ("body.json", lambda body: json.dumps(body, indent=4).replace("\n", "\r\n")),
    "block": ("body.yaml", _block),
    "block-crlf": ("body.yaml", lambda body: _block(body).replace("\n", "\r\n")),
    "literal": ("body.yaml", _literal),
    "flow": ("body.yaml", _flow),
    "json-in-yaml": ("body.yaml", lambda body: json.dumps(body, indent=2, ensure_ascii=False)),
}


class Maker:
    """Makes parts of bodies by chance; ``is_converse`` in Bedrock's form, else in Anthropic's."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.is_converse = self.draw.random() < 0.4

    def block(self, words: str, *, ttl: str | None = None, is_marked: bool = False) -> list[Body]:
        """Return a text block, with its mark if wanted: in it, or behind it in a block of its own."""
        if self.is_converse:
            point = {"type": "default", **({"ttl": ttl} if ttl else {})}
            return [{"text": words}, *([{"cachePoint": point}] if is_marked else [])]
        mark = {"type": "ephemeral", **({"ttl": ttl} if ttl else {})}
        pairs: list[tuple[str, Any]] = [("type", "text"), ("text", words), *([("cache_control", mark)] if is_marked else [])]
        if self.draw.random() < 0.3:
            self.draw.shuffle(pairs)
        return [dict(pairs)]

    def short(self) -> str:
        """Return a few words with signs that files have to escape."""
        return f"{self.draw.choice(_ODD)} Rule {self.draw.randrange(9)}."

    def fixed(self) -> str:
        """Return text that is long enough to be cached by any model."""
        return f"{LONG}\n{self.short()}" + ("\n" if self.draw.random() < 0.2 else "")

    def body(self, system: list[Body] | str, turns: list[Body] | None = None) -> Body:
        """Return a body around its system text; ``turns`` are those ahead of the question."""
        content = self.block("Are you open?") if self.is_converse or self.draw.random() < 0.5 else "Are you open?"
        model = {"modelId": "anthropic.claude-opus-5"} if self.is_converse else {"model": "claude-opus-5", "max_tokens": 64}
        rest: Body = {"system": system, "messages": [*(turns or []), {"role": "user", "content": content}]}
        return {**model, **rest} if self.draw.random() < 0.7 else {**rest, **model}


def without_mark(seed: int) -> Body:
    """No mark at all, the system text a string or blocks."""
    make = Maker(seed)
    if not make.is_converse and make.draw.random() < 0.5:
        return make.body(make.fixed())
    return make.body([part for n in range(make.draw.randrange(1, 4)) for part in make.block(make.short() if n else make.fixed())])


def behind_a_clock(seed: int) -> Body:
    """Marks behind a time, with fixed text ahead of it or not, ahead of other marks or not."""
    make = Maker(seed)
    is_first = make.draw.random() < 0.4
    ahead = [] if is_first else make.block(make.fixed(), is_marked=make.draw.random() < 0.4)
    clock = make.block(CLOCK, is_marked=not is_first and make.draw.random() < 0.4)
    ttl = make.draw.choice((None, "5m", "1h"))
    return make.body([*ahead, *clock, *make.block(make.fixed(), is_marked=True, ttl=ttl)])


def too_many(seed: int) -> Body:
    """Five to seven marks on fixed text."""
    make = Maker(seed)
    count = make.draw.randrange(5, 8)
    return make.body([part for _ in range(count) for part in make.block(make.fixed(), is_marked=True)])


def shorter_first(seed: int) -> Body:
    """Marks whose times to live rise somewhere."""
    make = Maker(seed)
    times = [None, *(make.draw.choice((None, "5m", "1h")) for _ in range(make.draw.randrange(2))), "1h"]
    return make.body([part for ttl in times for part in make.block(make.fixed(), is_marked=True, ttl=ttl)])


FAULTS: Final[dict[str, Callable[[int], Body]]] = {
    "RL601": behind_a_clock,
    "RL603": too_many,
    "RL604": without_mark,
    "RL606": shorter_first,
}

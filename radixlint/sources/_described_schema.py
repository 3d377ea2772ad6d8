"""The shape of a described format: how it is recognised, where its prompts stand, and who speaks where."""

from __future__ import annotations

from functools import cache, cached_property
from importlib.resources import files

import msgspec

from radixlint.errors import DataError
from radixlint.prompt import Role
from radixlint.sources._styled_text import STYLES

Conditions = dict[str, bool | list[str]]


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"as_role": "as"}):
    """Messages or texts of a prompt, in wire order.

    ``each`` is the path from the prompt to the items, ``only`` what an item must have. ``role`` is the path from an item to
    who speaks, ``as`` the role without it. ``text`` are paths from an item to its text, all of them in order. An item with
    something at ``slot``, or each one if ``holds`` gives the name, is filled in when the prompt is made: history, in most
    formats; ``is_newest`` says that it is the newest turns only. ``file`` is the path to the name of a file that holds the
    text. ``style`` is how placeholders are written, ``style_at`` the path from an item to the word that says so.
    """

    each: str
    only: Conditions = {}
    role: str = ""
    as_role: str = "text"
    text: list[str] = []
    slot: str = ""
    holds: str = ""
    is_newest: bool = False
    file: str = ""
    style: str = ""
    style_at: str = ""


class Format(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One format: ``look`` are words of which a file has at least one (else it is not parsed), ``files`` ends of names.

    ``where`` holds for a document of the format, ``at`` are the paths to its prompts, ``prompt`` what each of those must
    have, ``title`` the path from a prompt to its name. ``sure`` is a pattern of text: a file with it that does not parse is a
    broken one of this format. ``note`` is said where the format is met and its text stands elsewhere.
    """

    name: str
    look: list[str]
    where: Conditions = {}
    files: list[str] = []
    sure: str = ""
    at: tuple[str, ...] = (".",)
    prompt: Conditions = {}
    title: str = ""
    style: str = "auto"
    style_at: str = ""
    parts: list[Part] = []
    note: str = ""


class Book(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """All formats in the order they are tried, the words for roles, and the words for styles of placeholders."""

    roles: dict[str, Role]
    styles: dict[str, str]
    formats: list[Format]

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of which a file of any of these formats has at least one, each once."""
        return tuple(dict.fromkeys(word for form in self.formats for word in form.look))


@cache
def load_book() -> Book:
    """Return the described formats.

    Raises:
        DataError: the packaged file is not as it must be.
    """
    import yaml

    where = "_described_formats.yaml"
    text = files("radixlint.sources").joinpath(where).read_text(encoding="utf-8")
    try:
        # libyaml is ten times faster; wheels without it are rare.
        data = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506
        book = msgspec.convert(data, Book)
    except (yaml.YAMLError, msgspec.ValidationError) as error:
        raise DataError(str(error), where=where) from error
    used = {*book.styles.values(), *(s for f in book.formats for s in (f.style, *(p.style for p in f.parts)))}
    unknown = sorted(used - STYLES - {""})
    if unknown:
        raise DataError(f"unknown styles: {', '.join(unknown)}", where=where)
    return book

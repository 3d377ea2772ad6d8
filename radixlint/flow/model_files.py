"""Text that a program reads from a file of the tree: a template that it names, rules beside it."""

from __future__ import annotations

from typing import Final

from radixlint.flow.calls import Context, Site
from radixlint.flow.merging_facts import facts_of
from radixlint.flow.values import Instance, Listed, Value, Written
from radixlint.passage import whole
from radixlint.prompt import SourceText

_SUFFIXES: Final = (".txt", ".md", ".j2", ".jinja", ".jinja2", ".prompt", ".tmpl", ".mustache", ".hbs", ".template")
_READS: Final = frozenset(("read_text", "readFileSync", "readFile", "readTextFile"))
_FOLDERS: Final = ("templates", "prompts")
_MAX_CHARS: Final = 200_000


def read_file(site: Site, context: Context) -> Written | None:
    """Return the text of the one file of the tree that a call reads, None if it reads none that is known."""
    last = site.name.rsplit(".", 1)[-1]
    if last not in _READS and not (last == "read" and "open" in site.name):
        return None
    facts = facts_of(site.receiver, *site.positional)
    words = [word for word in facts.constants if word.lower().endswith(_SUFFIXES)]
    words += [value.fixed for value in site.positional if isinstance(value, Written) and value.fixed]
    named = [word for word in words if word.lower().endswith(_SUFFIXES)]
    longer = ["/".join(facts.constants[start:]) for start in range(len(facts.constants))] if named else []
    return _opened([*(path for path in longer if path.lower().endswith(_SUFFIXES)), *named], context)


def named_template(site: Site, context: Context) -> Instance | None:
    """Return the template that ``environment.get_template(name)`` gives, with its text; None if there is no such file."""
    name = site.argument("name", 0)
    word = name.fixed if isinstance(name, Written) else None
    if not word or not site.name.endswith(".get_template"):
        return None
    folders = [*_loader_folders(site.receiver), *_FOLDERS]
    text = _opened([word, *(f"{folder}/{word}" for folder in folders)], context)
    return Instance("jinja2.Template", (("0", text),), site.span) if text is not None else None


def _loader_folders(environment: Value | None) -> list[str]:
    given = dict(environment.given) if isinstance(environment, Instance) else {}
    loader = given.get("loader") or given.get("0")
    paths = dict(loader.given).get("0") or dict(loader.given).get("searchpath") if isinstance(loader, Instance) else None
    values = [part.value for part in paths.parts] if isinstance(paths, Listed) else [paths]
    return [value.fixed.strip("/") for value in values if isinstance(value, Written) and value.fixed]


def _opened(names: list[str], context: Context) -> Written | None:
    for name in names:
        source = context.open_template(name.removeprefix("./"))
        if isinstance(source, SourceText) and len(source.text) <= _MAX_CHARS:
            context.spend(1 + len(source.text) // 1_000)
            passage = whole(source)
            return Written((passage.literal(0, len(passage.text)),))
    return None

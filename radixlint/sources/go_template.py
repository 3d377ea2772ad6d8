"""Go ``text/template`` prompts: ``.tmpl``, ``.gotmpl``, ``.tpl``."""

from __future__ import annotations

import re

from radixlint.late_pattern import late_pattern
from radixlint.passage import Passage, whole
from radixlint.prompt import Prompt, SourceText
from radixlint.sources import Includes, SourceRead
from radixlint.sources._go_tags import parse_go
from radixlint.sources._go_walk import GoWalker, defined_in
from radixlint.sources._jinja_scope import Scope
from radixlint.sources._prompt_signs import judge_template
from radixlint.sources._tag_tree import Node
from radixlint.sources._tag_walk import Frame, Library

NAME = "go-template"
SUFFIXES = frozenset((".tmpl", ".gotmpl", ".tpl"))

_JINJA = late_pattern(r"\{%[-+]?\s*[a-z]+")
# Pages, scripts and manifests are written in this language too, and are no prompts.
_OTHER_NAME = late_pattern(r"\.(?:html?|xml|svg|ya?ml|json|toml|conf|cfg|ini|sh|env|py|js|ts|css|sql|service|tf)\.[a-z]+$")
_OTHER_START = late_pattern(r"\s*(?:<!doctype|<html|<\?xml|#!|apiVersion:)", re.IGNORECASE)
# In C and other code whose braces are doubled for str.format none of these follows them.
_GO_TAG = late_pattern(r"\{\{-?[ \t]*(?:[.$\"`(]|/\*|[A-Za-z_]\w*(?![\w,])[^{}\n]*\}\})")
_CHART = late_pattern(r"\.(?:Values|Chart|Release)\.[A-Za-z]")


def read(source: SourceText, includes: Includes) -> SourceRead | None:
    """Return the template as one prompt, and a file that only defines templates as one prompt each; None for other files.

    Raises:
        SourceError: the template does not parse.
    """
    text = source.text
    if not _GO_TAG.search(text) or _JINJA.search(text) or _is_other(source):
        return None
    judged = judge_template(source)
    if judged.is_other:
        return None
    passage, nodes = _parsed(source)
    library = Library(includes, _parsed)
    library.budget.spend(-len(text))
    walker, frame = GoWalker(passage, library, nodes), Frame(Scope())
    name = source.path.replace("\\", "/").rsplit("/", 1)[-1]
    walker.walk_file(nodes, frame)
    prompts = [Prompt(source.path, name, NAME, tuple(frame.out))]
    defined = defined_in(nodes)
    if defined and not any(segment.text.strip() for segment in frame.out):
        prompts = []
        for part, block in defined.items():
            inner = Frame(Scope())
            with library.budget.entered(source.path):
                walker.walk(block.branches[0].nodes, inner)
            prompts.append(Prompt(source.path, f"{name}:{part}", NAME, tuple(inner.out)))
    return SourceRead(NAME, judged.told(prompts), tuple(library.budget.notes))


def _is_other(source: SourceText) -> bool:
    path = source.path.lower()
    return bool(_OTHER_NAME.search(path) or _OTHER_START.match(source.text) or _CHART.search(source.text))


def _parsed(source: SourceText) -> tuple[Passage, list[Node]]:
    passage = whole(source)
    return passage, parse_go(passage)

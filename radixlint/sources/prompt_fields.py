"""Any YAML or JSON that holds prompts under keys of its own: the last to be asked, and silent about ordinary settings."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from radixlint.errors import SourceError
from radixlint.late_pattern import late_pattern
from radixlint.prompt import Prompt, Role, SourceText
from radixlint.sources import Includes, SourceRead
from radixlint.sources._prompt_signs import judge_field
from radixlint.sources._tree import Leaf, Listing, Table, Tree

NAME = "prompt-fields"
SUFFIXES = frozenset((".yaml", ".yml", ".json"))
RANK = 90
_LIKELY = late_pattern(
    r"(?i)prompt|template|instruction|system|persona|preamble|\byou(?: a|')re\b|\bact as\b|\byour (?:task|job|role|goal)\b"
)
_PROMPT_FILE = late_pattern(r"(?i)(?:^|[/_.-])prompts?(?=[/_.-])")
# Texts for people, by the usual names of their folders and files.
_TRANSLATIONS = late_pattern(
    r"(?i)(?:^|/)(?:locales?|i18n|l10n|langs?|translations?)/|(?:^|/)[a-z]{2}(?:[-_][a-z]{2,4})?\.(?:json|ya?ml)$"
)
_SETTINGS = (
    frozenset(("openapi",)),
    frozenset(("swagger",)),
    frozenset(("nbformat",)),
    frozenset(("$schema", "properties")),
    frozenset(("apiVersion", "kind", "metadata")),
    frozenset(("apiVersion", "kind", "data")),
    frozenset(("info", "paths")),
    frozenset(("paths", "components")),
    frozenset(("panels", "schemaVersion")),
    frozenset(("services", "volumes")),
    frozenset(("formatters", "handlers")),
    frozenset(("name", "version", "scripts")),
    frozenset(("on", "jobs")),
    frozenset(("true", "jobs")),
)
# Keys beside a text for people: mails, questions of a form, messages on a screen.
_FORM = frozenset(("subject", "choices", "answer", "channel", "placeholder", "questions"))
_SURE = frozenset(("system", "instructions", "instruction", "persona", "preamble", "prompts"))
_PLAYBOOK = frozenset(("hosts", "tasks", "import_playbook", "roles", "register", "when", "become"))
_ORDER = (Role.SYSTEM, Role.USER, Role.ASSISTANT)


class _Text(Struct, frozen=True):
    """A text, the name of its key, who speaks, its style of placeholders, and whether it is a prompt by itself."""

    name: str
    leaf: Leaf
    role: Role
    style: str
    is_prompt: bool


def read(source: SourceText, includes: Includes) -> SourceRead | None:
    """Return the prompts of a file with at least one placeholder; None for a file without; never fails."""
    path = source.path.replace("\\", "/")
    if "{" not in source.text or not _LIKELY.search(source.text) or _TRANSLATIONS.search(path):
        return None
    from radixlint.sources._documents import parse_documents
    from radixlint.sources._styled_text import read_styled

    try:
        documents = parse_documents(source)
    except SourceError:
        return None
    prompts: list[Prompt] = []
    notes = list(documents.notes)
    is_prompt_file = bool(_PROMPT_FILE.search(path)) or "radixlint: prompt" in source.text
    for group in (g for tree in documents.trees if not _is_settings(tree) for g in _groups(tree, "", is_prompt_file)):
        segments = [
            replace(segment, role=text.role, message=number)
            for number, text in enumerate(group)
            for segment in read_styled(text.leaf.passage, text.style, includes, notes)
        ]
        name = f"{path.rsplit('/', 1)[-1]}:{group[0].name}"
        judged = judge_field("\n".join(text.leaf.passage.text for text in group), _weight(group, is_prompt_file))
        if not judged.is_other:
            prompts.extend(judged.told((Prompt(source.path, name, NAME, tuple(segments)),)))
    return SourceRead(NAME, tuple(prompts), tuple(dict.fromkeys(notes))) if prompts else None


def _weight(group: list[_Text], is_prompt_file: bool) -> int:
    """Return how much the keys of a prompt say that it is one, 0 to 2."""
    from radixlint.sources._prompt_keys import KeyWords

    keys = [set(KeyWords.of(text.name).words) for text in group]
    is_sure = is_prompt_file or any(_SURE & words or {"prompt", "template"} <= words for words in keys)
    return 2 if is_sure else 1 if any("prompt" in words for words in keys) else 0


def _is_settings(tree: Tree) -> bool:
    if isinstance(tree, Listing):
        return any(isinstance(item, Table) and _PLAYBOOK & {key for key, _ in item.pairs} for item in tree.items)
    return isinstance(tree, Table) and any(keys <= {key for key, _ in tree.pairs} for keys in _SETTINGS)


def _groups(tree: Tree, above: str, is_prompt_file: bool) -> Iterator[list[_Text]]:
    """Yield the texts of each prompt below ``tree``, in wire order; ``above`` is the key that holds it."""
    if isinstance(tree, Listing):
        for item in tree.items:
            yield from _groups(item, above, is_prompt_file)
    if not isinstance(tree, Table):
        return
    is_named = _names_prompts(tree, above)
    pairs = () if not is_named and _is_form(tree) else tree.pairs
    texts = [text for key, value in pairs if (text := _text(key, value, above, is_prompt_file, is_named)) is not None]
    together: dict[tuple[str, ...], list[_Text]] = {}
    from radixlint.sources._prompt_keys import KeyWords

    for text in texts:
        alone = (text.name,) if text.role is Role.TEXT else ("", *KeyWords.of(text.name).stem)
        together.setdefault(alone, []).append(text)
    for group in together.values():
        if any(text.is_prompt for text in group) and any(text.style != "none" for text in group):
            yield sorted(group, key=lambda text: _ORDER.index(text.role) if text.role in _ORDER else 0)
    for key, value in tree.pairs:
        yield from _groups(value, key, is_prompt_file)


def _names_prompts(tree: Table, above: str) -> bool:
    """Whether the keys are names that somebody gave to prompts, which say nothing of what the texts are."""
    is_held = above.rpartition("_")[2].lower() == "prompts"
    return is_held and all(isinstance(value, Leaf) for _, value in tree.pairs)


def _is_form(tree: Table) -> bool:
    """Whether a key tells of texts for people, unless it holds one that speaks to a model itself."""
    from radixlint.sources._prompt_keys import speaks_to_model

    held = [value for key, value in tree.pairs if key in _FORM]
    return any(not (isinstance(value, Leaf) and speaks_to_model(value.passage.text)) for value in held)


def _text(key: str, value: Tree, above: str, is_prompt_file: bool, is_named: bool) -> _Text | None:
    from radixlint.sources._prompt_keys import KeyWords, is_part_of_prompt, is_prompt_text, style_told

    if not isinstance(value, Leaf) or not value.is_text:
        return None
    words = KeyWords.of("" if is_named else key)
    is_held = KeyWords.of(above).words[-1:] in (("prompt",), ("prompts",))
    text = value.passage.text
    is_prompt = is_prompt_text(text, words, is_prompt_file or is_held)
    if not is_prompt and not is_part_of_prompt(text, words):
        return None
    return _Text(key, value, words.role, style_told(text), is_prompt)

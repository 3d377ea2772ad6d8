"""Documents for agents: fixed text, times and ids that a program wrote in, imports, and the front matter of skills."""

from __future__ import annotations

import pytest
from template_reading import Shelf

from radixlint.errors import SourceError
from radixlint.lifetime import classify
from radixlint.prompt import Lifetime, SourceText
from radixlint.sources import SourceRead, read_prompts


def read(text: str, path: str = "AGENTS.md", files: dict[str, str] | None = None) -> SourceRead:
    found = read_prompts(SourceText(path, text), Shelf(files or {}))
    assert found is not None
    assert found.dialect == "agent-document"
    return found


def volatile(found: SourceRead) -> list[tuple[str, int, int]]:
    """What is volatile in the document, with line and column."""
    segments = classify(found.prompts[0], {}).segments
    return [(s.text, s.span.line, s.span.column) for s in segments if s.lifetime is Lifetime.CALL]


@pytest.mark.parametrize(
    "path", ["AGENTS.md", "a/CLAUDE.md", "GEMINI.md", ".cursorrules", "rules/style.mdc", "copilot-instructions.md"]
)
def test_text_is_fixed_whatever_braces_it_has(path: str) -> None:
    """The document is one fixed text; fields in braces are no placeholders, dates are no times."""
    text = "# House rules of 2026-03-04\n\nUse `{name}` and {field} and {{ x }}.\nUpdated on 2026-03-04.\n"
    found = read(text, path)
    (prompt,) = found.prompts

    assert "".join(s.text for s in prompt.segments) == text
    assert all(s.is_literal for s in prompt.segments)
    assert volatile(found) == []
    assert found.notes == ()


def test_times_and_ids_that_were_written_in() -> None:
    """A time or id on a line that says so is volatile; code, and times that belong to the text, are not."""
    time, id_ = "2026-03-04T05:06:07Z", "3b241101-e2bb-4255-8caf-4136c566a962"
    text = (
        f"Generated at {time} by `make {time}`.\n"
        f"The outage of {time} must never happen again.\n"
        f"The project has the key {id_}.\n"
        f"```sh\nrun --current {time}\n```\n"
        f"~~~~\n```\nsession {id_}\n~~~~\n"
        f"Session: {id_}\n"
        f"- Status at {time}: red.\n"
        "Status of the freeze on 2026-03-04 05:06: kept.\n"
        f"The status page says since {time} that all is well.\n"
    )

    assert volatile(read(text)) == [(time, 1, 14), (id_, 11, 10), (time, 12, 13)]


def test_state_of_a_checkout_is_a_note() -> None:
    """Lines of a git status are noted with their line; talk of branches is not."""
    found = read("Work on branch names as agreed.\nOn branch main\nYour branch is up to date with 'origin/main'.\n")

    assert [note.split(":")[0] for note in found.notes] == ["line 2", "line 3"]


def test_imports() -> None:
    """An imported file counts at its name, twice imported and cyclic ones end; a document of its own is checked by itself."""
    stamped = "Status as of 2026-03-04 05:06 UTC\n"
    files = {"docs/a.md": stamped + "@docs/b.md\n", "docs/b.md": "B @docs/a.md\n", "AGENTS.md": stamped}
    found = read("Rules, see @docs/a.md.\n@AGENTS.md\n@gone.md\nMail a@b.org, use @types/node.\n", "CLAUDE.md", files)
    segments = found.prompts[0].segments

    assert volatile(found) == [("2026-03-04 05:06 UTC", 1, 12)]
    assert [[place.path for place in s.related] for s in segments if s.text == "B @docs/a.md"] == [["docs/a.md", "docs/b.md"]]
    assert found.notes == ("line 3: cannot open 'gone.md' (not found), read without it",)
    assert read("see @docs/a.md\n", "AGENTS.md", files).prompts[0].segments[0].related == ()


SKILL = "---\nname: {name}\ndescription: {description}\n{more}---\nDo it.\n"


@pytest.mark.parametrize(
    ("name", "description", "more", "notes"),
    [
        ("sort-mail", "Sorts mail.", "license: MIT\nmetadata: {version: '1'}\n", []),
        ("sort--mail", "Sorts mail.", "", ["`name` must be"]),
        ("other", "Sorts mail.", "", ["`name` is 'other'"]),
        ("sort-mail", "''", "", ["`description` is missing"]),
        ("sort-mail", "x" * 1025, "", ["`description` has 1,025 characters"]),
        ("sort-mail", "Sorts.", "phase: 2\nmetadata: {lesson: 06}\n", ["`phase` is no key", "`metadata.lesson` must be text"]),
        ("sort-mail", "Sorts.", f"compatibility: {'x' * 501}\n", ["`compatibility` has 501"]),
    ],
)
def test_front_matter_of_skills(name: str, description: str, more: str, notes: list[str]) -> None:
    """Each fault of the front matter is a note; a sound one has none."""
    found = read(SKILL.format(name=name, description=description, more=more), "sort-mail/SKILL.md")

    assert len(found.notes) == len(notes)
    assert all(note.startswith(start) for note, start in zip(found.notes, notes, strict=True))


def test_skill_without_front_matter_and_with_a_broken_one() -> None:
    """A skill without front matter is noted; one with broken front matter raises at its line; long bodies are noted."""
    assert "front matter" in read("# Do it\n\n---\n", "s/SKILL.md").notes[0]
    assert "lines" in read("---\nname: s\ndescription: d\n---\n" + "x\n" * 501, "s/SKILL.md").notes[0]
    with pytest.raises(SourceError) as caught:
        read("---\nname: 'x\n---\n", "s/SKILL.md")

    assert caught.value.line in (2, 3)


def test_other_markdown_is_left_to_others() -> None:
    """A file whose name only ends so is no document for agents."""
    found = read_prompts(SourceText("my-skill.md", "You are {name}. Answer in short and friendly words."), Shelf({}))

    assert found is not None
    assert found.dialect == "field-text"

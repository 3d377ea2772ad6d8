"""Files of TypeScript and JavaScript in a run of ``check``: imports, faults, comments, and readers that are not there."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings
from radixlint.flow import script_lowering
from radixlint.flow.script_signs import may_hold_prompts
from radixlint.result.finding import CheckReport

RULES = (
    "You are the desk of a small boat yard and you answer letters of guests in plain words. Quote prices only from the list "
    "below and never invent a discount for anyone who asks. Keep each reply below six sentences and name the pier at which the "
    "guest is to wait. Children below twelve share a boat with an adult, and dogs stay ashore on windy days. Refunds are given "
    "until the evening before the trip; later only a voucher is possible. When a guest is angry, say sorry once, state the fact."
)
CLOCK = f"export const systemPrompt = () => `${{new Date().toISOString()}} {RULES}`;\n"


def checked(folder: Path, files: dict[str, str], *names: str, **options: object) -> CheckReport:
    """Return the report on files written into a folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return check_paths(CheckOptions(names or (".",), Settings(jobs=1), folder, **options))  # type: ignore[arg-type]


def found(report: CheckReport) -> list[tuple[str, int, str]]:
    """Return path, line and rule of each finding."""
    return [(finding.span.path, finding.span.line, finding.rule) for finding in report.findings]


@pytest.mark.parametrize(
    ("module", "path"),
    [
        ("./clock", "src/clock.ts"),
        ("./clock", "src/clock.tsx"),
        ("./clock", "src/clock/index.js"),
        ("./clock.js", "src/clock.ts"),
        ("./clock.mjs", "src/clock.mts"),
        ("./clock.ts", "src/clock.ts"),
        ("../clock.mjs", "clock.mjs"),
        ("@/clock", "src/clock.ts"),
        ("@/clock", "clock.ts"),
    ],
)
def test_imports_lead_to_the_files_they_mean(module: str, path: str, tmp_path: Path) -> None:
    """The clock of another module is found at its own place, however the module is named."""
    app = f'import {{ now }} from "{module}";\nexport const systemPrompt = () => `At ${{now()}} {RULES}`;\n'
    report = checked(tmp_path, {"src/app.ts": app, path: "export const now = () =>\n  new Date().toISOString();\n"})
    assert found(report) == [(path, 2, "RL201")]


def test_commonjs_and_star_exports_are_followed(tmp_path: Path) -> None:
    """``require``, ``module.exports`` and ``export *`` hand values on like other imports."""
    files = {
        "clock.cjs": "function now() {\n  return Date.now();\n}\nmodule.exports = { stamp: now };\n",
        "app.cjs": f'const {{ stamp }} = require("./clock.cjs");\nconst systemPrompt = () => `At ${{stamp()}} {RULES}`;\n',
        "inner.ts": "export const now = () => crypto.randomUUID();\n",
        "outer.ts": 'export * from "./inner";\n',
        "app.ts": f'import {{ now }} from "./outer";\nexport const systemPrompt = () => `At ${{now()}} {RULES}`;\n',
    }
    assert found(checked(tmp_path, files)) == [("clock.cjs", 2, "RL201"), ("inner.ts", 1, "RL202")]


def test_a_fault_is_a_finding_and_the_rest_is_checked(tmp_path: Path) -> None:
    """What parses is judged; what does not is RL001 at its place; a file without a trace of a prompt says nothing."""
    files = {"a.ts": f"{CLOCK}const b = (;\n", "plain.ts": "const b = (;\n"}
    assert found(checked(tmp_path, files)) == [("a.ts", 1, "RL201"), ("a.ts", 2, "RL001")]


@pytest.mark.parametrize(
    ("ahead", "behind", "is_silent"),
    [
        ("// radixlint: ignore-next[RL201]\n", "", True),
        ("", "// radixlint: ignore[RL201]", True),
        ("/* radixlint: ignore-file[RL201] */\n", "", True),
        ("/**\n * radixlint: ignore-next[RL201]\n */\n", "", True),
        ('const note = "// radixlint: ignore-file[RL201]";\n', "", False),
        ("const note = `\n// radixlint: ignore-file[RL201]\n`;\n", "", False),
        ("// radixlint: ignore-next[RL301]\n", "", False),
    ],
)
def test_comments_suppress_and_strings_do_not(ahead: str, behind: str, is_silent: bool, tmp_path: Path) -> None:
    """A suppression counts in a comment; the same words in a string are text of the program."""
    report = checked(tmp_path, {"a.ts": f"{ahead}{CLOCK.strip()} {behind}\n"})
    assert ("RL201" in {rule for _, _, rule in found(report)}) is not is_silent


def test_comments_in_jsx_suppress(tmp_path: Path) -> None:
    """``{/* ... */}`` between tags is a comment."""
    code = "const SystemPrompt = () => (\n  <>\n    {/* radixlint: ignore-next[RL201] */}\n    {Date.now()} %s\n  </>\n);\n"
    assert found(checked(tmp_path, {"a.tsx": code.replace("%s", RULES)})) == []
    assert found(checked(tmp_path, {"a.tsx": code.replace("%s", RULES).replace("RL201", "RL301")}))[-1][2] == "RL201"


def test_without_the_parsers_one_note_tells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that cannot be read for lack of the extra are left out with one reason, and are no findings."""
    monkeypatch.setattr(script_lowering, "is_installed", lambda: False)
    report = checked(tmp_path, {"a.ts": CLOCK, "b.js": CLOCK, "c.ts": "export const one = 1;\n"})
    assert found(report) == []
    assert [(item.path, item.is_counted) for item in report.skipped] == [("a.ts", True), ("b.js", True)]
    assert {item.reason for item in report.skipped} == {
        "not checked, as their parsers are missing: TypeScript and JavaScript: pip install 'radixlint[js]'"
    }


def test_without_the_parsers_rl001_fails_where_it_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who selects RL001 by its code gets each file that was not checked as a finding."""
    monkeypatch.setattr(script_lowering, "is_installed", lambda: False)
    assert found(checked(tmp_path, {"a.ts": CLOCK}, extend_select=("RL001",))) == [("a.ts", 1, "RL001")]


def test_the_command_says_it_once_and_exits_0(tmp_path: Path) -> None:
    """The note on stderr has the number of files; the exit code is that of the other files."""
    for name in ("a.ts", "b.js"):
        (tmp_path / name).write_text(CLOCK, encoding="utf-8")
    code = (
        "import sys; sys.modules.update(dict.fromkeys(['tree_sitter']));"
        "from radixlint.flow import script_lowering; script_lowering.is_installed = lambda: False;"
        "from radixlint.cli.main import main; sys.argv = ['radixlint', 'check', '--no-cache', '--format', 'json', '.']; main()"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0
    told = "not checked, as their parsers are missing: TypeScript and JavaScript: pip install 'radixlint[js]'"
    assert run.stderr == f"note: {told} (2 files)\n"
    assert len(json.loads(run.stdout)["skipped"]) == 2


@pytest.mark.parametrize(
    ("code", "has_trace"),
    [
        ("export const add = (a, b) => a + b;", False),
        ("const x = `" + "Some sentences about boats and piers. " * 6 + "`", True),
        ("// " + "Some sentences about boats and piers. " * 6, False),
        ("throw new Error('" + "Some sentences about boats and piers. " * 6 + "')", False),
        ("const systemPrompt = x;", True),
        ("import { generateText } from 'ai'", True),
        ("var prompt=1;" * 5_000, False),
    ],
)
def test_traces_of_prompts(code: str, has_trace: bool) -> None:
    """Words of prompts and sentences in literals are traces; packed code is left alone."""
    assert may_hold_prompts(code) is has_trace

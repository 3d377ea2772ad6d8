"""Rules of people's own: what a file may hold, how they join the others, and how they are tried."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.api.rule_testing import try_rules
from radixlint.config import Settings, load_settings
from radixlint.errors import ConfigError, RadixlintError, RuleError
from radixlint.result.finding import CheckReport

HOUSE = "The rules of the house are long, and they stay the same for all who come in.\n"
RULE = """\
id: ACME001
name: badge-before-static
severity: error
detector: name-before-static
params: {names: ["badge*", "*.badge_id"], min_tokens: 5}
message: "{value} stands ahead of {behind}"
fix: Move the badge behind the rules of the house.
"""


def _written(folder: Path, **texts: str) -> Path:
    for name, text in texts.items():
        path = folder / name.replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def _checked(root: Path, *packs: str, settings: Settings | None = None, **changes: object) -> CheckReport:
    options = {"arguments": ("a.j2",), "settings": settings or Settings(), "start": root, "own_rules": packs, **changes}
    return check_paths(CheckOptions(**options))  # type: ignore[arg-type]


def _refusals(root: Path, *packs: str) -> list[str]:
    _written(root, a_dot_j2="Hello")
    with pytest.raises(RuleError) as caught:
        _checked(root, *packs)
    return caught.value.lines()


def test_own_rules_run_beside_the_others(tmp_path: Path) -> None:
    """A rule of a file or a folder reports with its own code, severity and words; a name of another kind is silent."""
    _written(tmp_path, a_dot_j2="{{ staff.badge_id }} {{ badger.age }}\n" + HOUSE)
    _written(tmp_path / "pack", rule_dot_yaml=RULE)

    for pack in ("pack", "pack/rule.yaml"):
        found = [f for f in _checked(tmp_path, pack).findings if f.rule == "ACME001"]
        assert [(f.name, f.severity.value, f.confidence.value, f.span.column) for f in found] == [
            ("badge-before-static", "error", "medium", 1),
            ("badge-before-static", "error", "high", 22),
        ]


def test_an_own_rule_says_no_more_than_is_known(tmp_path: Path) -> None:
    """A name that says nothing may change, with medium confidence; one with a lifetime says it, with high confidence."""
    words = RULE.replace('"{value} stands', '"{value} {changes}, computed again {again}; stands')
    _written(tmp_path, a_dot_j2="{{ badge }} {{ user.badge_id }}\n" + HOUSE, rule_dot_yaml=words)
    found = [f for f in _checked(tmp_path, "rule.yaml").findings if f.rule == "ACME001"]

    assert [(f.severity.value, f.confidence.value) for f in found] == [("error", "medium"), ("error", "high")]
    assert found[0].message.startswith("`badge` may change, computed again each time it does;")
    assert found[0].message.endswith("(this rule names it; nothing else is known about it)")
    assert found[1].message.startswith("`user.badge_id` differs for each user, computed again for each user;")
    assert found[0].mark.startswith("may differ")


def test_own_rules_can_be_selected_ignored_and_suppressed(tmp_path: Path) -> None:
    """Codes, names and prefixes of own rules work wherever those of radixlint do."""
    _written(tmp_path, a_dot_j2="{{ badge }}\n" + HOUSE, rule_dot_yaml=RULE)

    assert {f.rule for f in _checked(tmp_path, "rule.yaml", select=("ACME",)).findings} == {"ACME001"}
    assert "ACME001" not in {f.rule for f in _checked(tmp_path, "rule.yaml", ignore=("badge-before-static",)).findings}
    _written(tmp_path, a_dot_j2="{{ badge }} {# radixlint: ignore[ACME001] #}\n" + HOUSE)
    assert _checked(tmp_path, "rule.yaml", select=("ACME",)).suppressed == 1
    assert [f.rule for f in _checked(tmp_path).findings if f.span.line == 1 and f.rule == "RL004"] == ["RL004"]


def test_packs_of_the_settings_are_added(tmp_path: Path) -> None:
    """The config file's packs are found from its folder."""
    _written(tmp_path / "own", rule_dot_yaml=RULE)
    _written(tmp_path, a_dot_j2="{{ badge }}\n" + HOUSE, radixlint_dot_toml='rules = ["own"]\nselect = ["ACME001"]\n')

    assert [f.rule for f in _checked(tmp_path, settings=load_settings(tmp_path)).findings] == ["ACME001"]


IN_LIST = f"- {RULE.strip().replace(chr(10), chr(10) + '  ')}\n"
MISTAKES = {
    RULE.replace("ACME001", "RL999"): ("1: ", "RLnnn is kept"),
    RULE.replace("ACME001", "acme-1"): ("1: ", "`id` must be"),
    RULE.replace("badge-before-static", "dynamic-before-static"): ("1: ", "taken by RL101 of radixlint"),
    "rules:\n" + "".join(f"- {RULE.replace(chr(10), chr(10) + '  ').rstrip()}\n" for _ in range(2)): (
        "9: ",
        "taken by rule.yaml:2",
    ),
    RULE + "colour: red\n": ("8: ", "unknown key `colour`"),
    RULE.replace("message", "mesage"): ("6: ", "did you mean message?"),
    RULE.replace("severity: error", "severity: on"): ("3: ", '`on` is not text to YAML: write "on"'),
    RULE.replace("severity: error", "severity: loud"): ("3: ", "loud"),
    RULE.replace("fix: Move the badge behind the rules of the house.\n", ""): ("1: ", "missing required field `fix`"),
    RULE.replace("name-before-static", "name-before"): ("1: ", "there is no 'name-before'"),
    RULE.replace("name-before-static", "source"): ("4: ", "for rules of radixlint itself"),
    RULE.replace("min_tokens: 5", "min_tokens: many"): ("1: ", "min_tokens"),
    RULE.replace("min_tokens: 5", "regex: '(a+)+$'"): ("1: ", "regex"),
    RULE.replace("{behind}", "{behind:>999999999}"): ("6: ", "plain {field} names"),
    "rules:\n- id: x1\n  regex: '(a+)+$'\n": ("3: ", "hold no regular expressions"),
    "rules: []\n": ("1: ", "must be a list of rules"),
    "rules:\n- id: a\n  severity: error\n  severity: note\n": ("4:3: ", "first on line 3"),
    "": ("1: ", "a rule file is a mapping"),
}


@pytest.mark.parametrize(("text", "told"), MISTAKES.items(), ids=range(len(MISTAKES)))
def test_a_mistake_in_a_rule_names_its_line(tmp_path: Path, text: str, told: tuple[str, str]) -> None:
    """One line says file, line and what to write; the file checked need not be hit by the rule."""
    lines = _refusals(_written(tmp_path, rule_dot_yaml=text), "rule.yaml")

    assert [line for line in lines if line.startswith(f"rule.yaml:{told[0]}") and told[1] in line] != []
    assert [line for line in lines if "\n" in line] == []


def test_all_mistakes_are_told_each_with_its_line(tmp_path: Path) -> None:
    """Several mistakes in a rule, in rules of one file, and in files of one pack are told in one go; a hint once."""
    first = RULE.replace("severity: error", "severity: loud").replace("fix: Move", "fixx: Move").replace("ACME001", "acme1")
    second = "rules:\n- id: BETA001\n  regex: a+\n- id: BETA002\n  regex: b+\n  examples: {pass: [{name: x, kind: [md]}]}\n"
    told = _refusals(_written(tmp_path, one_dot_yaml=first, two_dot_yaml=second), "one.yaml", "two.yaml")
    missing = "missing required fields `name`, `severity`, `detector`, `message`, `fix`"

    assert [line.split(" (")[0] for line in told] == [
        "one.yaml:1: missing required field `fix`",
        "one.yaml:1: `id` must be 2 to 8 capital letters of your own and 3 digits",
        "one.yaml:3: `severity`: Invalid enum value 'loud'",
        "one.yaml:7: unknown key `fixx`",
        f"two.yaml:2: rule BETA001: {missing}",
        "two.yaml:3: rule BETA001: unknown key `regex`",
        f"two.yaml:4: rule BETA002: {missing}",
        "two.yaml:5: rule BETA002: unknown key `regex`",
        "two.yaml:6: rule BETA002: `examples.pass[0].kind`: Expected `str`, got `array`",
        "two.yaml:6: rule BETA002: `examples.pass[0]`: missing required field `text`",
    ]
    assert sum("regular expressions" in line for line in told) == 1


def test_a_flood_of_mistakes_is_cut(tmp_path: Path) -> None:
    """Twenty mistakes are told, and how many more there are."""
    lines = "".join(f"odd{number}: 1\n" for number in range(25))
    told = _refusals(_written(tmp_path, rule_dot_yaml=RULE + lines), "rule.yaml")

    assert len(told) == 21
    assert told[-1] == "and 5 more mistakes"


@pytest.mark.parametrize("pack", ["nowhere", "empty", "/dev/zero"])
def test_a_pack_that_is_none(tmp_path: Path, pack: str) -> None:
    """A path that is not there, a folder without rules and a device are refused."""
    (tmp_path / "empty").mkdir()
    _written(tmp_path, a_dot_j2="Hello")

    with pytest.raises(RuleError):
        _checked(tmp_path, pack)


def _fault_lines(folder: Path) -> list[str]:
    return [f"{fault.place}: {fault.rule} {fault.problem}" for fault in try_rules(folder, folder.parent).faults]


MARKED = f"{{# ruleid: ACME001 #}}\n{{{{ badge }}}}\n{{# ok: badge-before-static #}}\n\n{HOUSE}"


def test_marks_that_hold(tmp_path: Path) -> None:
    """Marks speak of the next line that is neither blank nor a mark, in any comment; todo marks never fail."""
    pack = _written(
        tmp_path / "pack",
        rule_dot_yaml=RULE,
        a_dot_j2=MARKED,
        b_dot_md=f"<!-- ruleid: ACME001 -->\n{{badge}}\n\n<!-- todoruleid: ACME001 -->\n{HOUSE}You run the desk.\n",
        c_dot_yaml=f"messages:\n- role: system\n  # todook: ACME001\n  content: '{{{{ badge }}}} {HOUSE.strip()}'\n",
        d_dot_hbs=f"{{{{!-- ruleid: ACME001 --}}}}\n{{{{!-- ok: RL201 --}}}}\n{{{{badge}}}}\n{HOUSE}",
    )
    tested = try_rules(pack, tmp_path)

    assert tested.faults == ()
    assert (tested.rules, tested.files, tested.untested) == (1, 4, ())


def test_marks_that_do_not_hold(tmp_path: Path) -> None:
    """A missed line, a finding on a line marked ok and one on a line without a mark are told with file and line."""
    text = f"{{# ok: ACME001 #}}\n{{{{ badge }}}}\n{{{{ badge_two }}}}\n{{# ruleid: ACME001 #}}\n{HOUSE}"
    pack = _written(tmp_path / "pack", rule_dot_yaml=RULE, a_dot_j2=text)

    assert _fault_lines(pack) == [
        "pack/a.j2:2: ACME001 incorrect, marked ok",
        "pack/a.j2:5: ACME001 missed",
        "pack/a.j2:3: ACME001 incorrect, not marked",
    ]


def test_examples_are_tried(tmp_path: Path) -> None:
    """An example that gives other places than it says is a fault; so is nothing at all, as a note."""
    examples = f"""\
examples:
  pass:
    - {{name: badge-first, kind: j2, text: "{{{{ badge }}}}\\n{HOUSE.strip()}"}}
  fail:
    - {{name: badge-last, kind: j2, text: "{HOUSE.strip()} {{{{ badge }}}}", expected: ["1:1"]}}
"""
    pack = _written(tmp_path / "pack", rule_dot_yaml=RULE + examples)

    assert _fault_lines(pack) == [
        "pack/rule.yaml:1: example pass/badge-first: ACME001 incorrect 1:1",
        "pack/rule.yaml:1: example fail/badge-last: ACME001 missed 1:1",
    ]
    assert try_rules(_written(tmp_path / "other", rule_dot_yaml=RULE), tmp_path).untested == ("ACME001",)


def test_an_unknown_code_in_a_mark_is_a_mistake(tmp_path: Path) -> None:
    """A mark for a rule that there is not names its line and the nearest rule."""
    pack = _written(tmp_path / "pack", rule_dot_yaml=RULE, a_dot_j2="\n" + MARKED.replace("ACME001", "ACME007"))

    with pytest.raises(ConfigError, match=r"^pack/a\.j2:2: unknown rule 'ACME007' \(did you mean ACME001"):
        try_rules(pack, tmp_path)


def test_marks_in_a_file_that_is_no_prompt(tmp_path: Path) -> None:
    """A marked file that nobody reads is an error, not a success."""
    pack = _written(tmp_path / "pack", rule_dot_yaml=RULE, a_dot_xyz=MARKED)

    with pytest.raises(RadixlintError, match=r"pack/a\.xyz: cannot try rules on it"):
        try_rules(pack, tmp_path)


def test_fixes_are_held_to_their_twin(tmp_path: Path) -> None:
    """Where a rule has a fixer, ``name.fixed.suffix`` is what it makes of ``name.suffix``."""
    fixer = "fix_safety: unsafe\nfixer: {name: move-to-end}\n"
    text = f"{{# ruleid: ACME001 #}}\nBadge: {{{{ badge }}}}\n{HOUSE}"
    fixed = f"{{# ruleid: ACME001 #}}\n{HOUSE}Badge: {{{{ badge }}}}\n"
    pack = _written(tmp_path / "pack", rule_dot_yaml=RULE + fixer, a_dot_j2=text, a_dot_fixed_dot_j2=fixed)
    assert _fault_lines(pack) == []

    _written(pack, a_dot_fixed_dot_j2=fixed.replace("Badge", "badge"))
    assert _fault_lines(pack) == ["pack/a.fixed.j2:3: ACME001 the fixes make another text"]


def test_the_documented_examples_work(tmp_path: Path) -> None:
    """The config file, the rule and the marks of the documentation are what they claim to be."""
    page = (Path(__file__).parent.parent / "docs" / "configuration.md").read_text(encoding="utf-8")
    toml, rule, marks = (re.search(rf"```{kind}\n(.*?)```", page, re.DOTALL) for kind in ("toml", "yaml", "jinja"))
    assert toml is not None
    assert rule is not None
    assert marks is not None
    app = _written(tmp_path / "app", radixlint_dot_toml=toml[1])
    _written(app / "prompt-rules", rule_dot_yaml=rule[1], a_dot_j2=marks[1] + HOUSE * 6)
    _written(tmp_path, radixlint_dot_toml='ignore = ["RL1"]\n')

    assert _fault_lines(app / "prompt-rules") == []
    settings = load_settings(app)
    assert _checked(app, settings=settings, arguments=("prompt-rules",)).prompts == 1
    assert dict(settings.min_tokens) == {"RL101": 128}


def _command(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent), **variables}
    start = "from radixlint.cli.main import main; main()"
    return subprocess.run(
        [sys.executable, "-c", f"import sys; sys.argv[0] = 'radixlint'; {start}", *arguments],
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment,
        check=False,
    )


def test_exit_codes_of_test_rules(tmp_path: Path) -> None:
    """0 where all is as marked, 1 with a line for each fault, 2 with one line for a broken rule; nothing is executed."""
    pack = _written(tmp_path / "pack", rule_dot_yaml=RULE, a_dot_j2=MARKED)
    good = _command(tmp_path, "test-rules", "pack")
    assert (good.returncode, good.stdout) == (0, "1 rule, 0 examples, 1 marked file: all as they should be\n")

    _written(pack, a_dot_j2=MARKED.replace("ruleid", "ok"))
    bad = _command(tmp_path, "test-rules", "pack")
    assert (bad.returncode, bad.stdout.splitlines()[0]) == (1, "pack/a.j2:2: ACME001 incorrect, marked ok")

    _written(pack, rule_dot_yaml="rules:\n- !!python/object/apply:os.system ['touch RAN']\n")
    broken = _command(tmp_path, "test-rules", "pack")
    assert (broken.returncode, broken.stdout) == (2, "")
    assert broken.stderr.startswith("error: pack/rule.yaml:2:3: the tag !!python/object/apply:os.system is not allowed")
    assert not (tmp_path / "RAN").exists()
    assert _command(tmp_path, "test-rules", "nowhere").returncode == 2

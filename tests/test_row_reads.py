"""Reads of a database and of the machine: many rows come in an order of their own, one row has none, and a key is no question."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_class_stubs import PYTHON, SCRIPT

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings
from radixlint.result.finding import Severity

ASK = """def ask(db, user_id, question):
    rows = READ
    return client.chat.completions.create(
        model="gpt-4.1", messages=[{"role": "system", "content": f"{rows}\\n{RULES}"}, {"role": "user", "content": question}]
    )
"""
SEND = """export async function ask(pool: Pool, user_id: string, question: string) {
  const { rows } = await READ;
  return client.chat.completions.create({
    model: "gpt-4.1",
    messages: [{ role: "system", content: rows[0].body + RULES }, { role: "user", content: question }],
  });
}
"""

MANY_ROWS = (
    'db.execute("select body from rules where active = 1").fetchall()',
    'db.execute("select body from notes where desk_id = 4").fetchall()',
    'db.execute("select body from notes where id = any(%s)", (KEYS,)).fetchall()',
    'db.execute("select n.body from notes n join desks d on d.note = n.ref where d.id = 4").fetchall()',
    'db.execute("select body from notes where id = 4 or shared").fetchall()',
    'db.execute("select kind, count(*) from notes group by kind").fetchall()',
)
ONE_ROW = (
    'db.execute("select body from rules where active = 1").fetchone()',
    'db.execute("select body from rules where active = 1").scalar_one()',
    'db.execute("select body from notes where id = 4").fetchall()',
    "db.execute(\"select body from notes where lang = 'de' and slug = 'house'\").fetchall()",
    'db.execute("select body from notes n where (n.id = %s)", (4,)).fetchall()',
    'db.execute("select body from notes limit 1").fetchall()',
    'db.execute("select top 1 body from notes").fetchall()',
    'db.execute("select count(*) from notes").fetchall()',
    'db.execute("select body from notes order by place").fetchall()',
)


def _warned(folder: Path, name: str, code: str) -> list[str]:
    (folder / name).write_text(code, encoding="utf-8")
    report = check_paths(CheckOptions(arguments=(name,), settings=Settings(), start=folder))
    return [finding.rule for finding in report.findings if finding.severity is not Severity.INFO]


@pytest.mark.parametrize("read", MANY_ROWS)
def test_rows_come_in_an_order_of_their_own(read: str, tmp_path: Path) -> None:
    """A column that many rows may share, a list of keys, a join and a group give several rows as the database likes."""
    assert _warned(tmp_path, "desk.py", PYTHON + ASK.replace("READ", read)) == ["RL305"]


@pytest.mark.parametrize("read", ONE_ROW)
def test_one_row_has_no_order(read: str, tmp_path: Path) -> None:
    """One row that is fetched, that has a key, or is a sum, and rows that are ordered, are no warning."""
    assert _warned(tmp_path, "desk.py", PYTHON + ASK.replace("READ", read)) == []


@pytest.mark.parametrize(
    ("read", "rules"),
    [
        ('pool.query("select body from defaults where id = 1")', []),
        ('pool.query("select body from defaults limit 1")', []),
        ('pool.query("select body from defaults where active")', ["RL305"]),
        ('pool.query("select body from people where id = $1", [user_id])', ["RL101"]),
        ('pool.query("select body from notes order by vector <-> $1 limit 5", [await embed(question)])', ["RL901"]),
        ("index.query(question)", ["RL901"]),
    ],
)
def test_a_query_for_a_key_is_no_search(read: str, rules: list[str], tmp_path: Path) -> None:
    """What is read by a key lives as long as the key; what is looked up for the question is retrieved text."""
    assert _warned(tmp_path, "desk.ts", SCRIPT + SEND.replace("READ", read)) == rules


@pytest.mark.parametrize(("asked", "rules"), [("question", ["RL901"]), ("WEIGHTS", [])])
def test_what_is_ranked_for_a_question_is_retrieved(asked: str, rules: list[str], tmp_path: Path) -> None:
    """Texts that are ranked by how near they are to the question are retrieved; an order by fixed weights says nothing."""
    code = PYTHON.replace("import openai", "import openai\nimport numpy as np") + "WEIGHTS = [4, 2]\n"
    code += ASK.replace("READ", f"[NOTES[i] for i in np.argsort(encoder.encode({asked}))[:4]]")

    assert _warned(tmp_path, "desk.py", code) == rules


@pytest.mark.parametrize(
    ("value", "rules"),
    [
        ("os.getcwd()", ["RL207"]),
        ("Path.cwd()", ["RL207"]),
        ("subprocess.getoutput('git rev-parse --short HEAD')", ["RL207"]),
        ("subprocess.check_output(['git', 'describe', '--tags'])", ["RL207"]),
        ("subprocess.check_output(['git', 'status', '--short'])", ["RL101"]),
        ("subprocess.check_output(['git', 'rev-parse', '--abbrev-ref', 'HEAD'])", ["RL101"]),
    ],
)
def test_a_copy_of_a_repository_is_a_place(value: str, rules: list[str], tmp_path: Path) -> None:
    """Folder and commit are those of a machine, a note; branch and state change while one works, a warning."""
    code = PYTHON.replace("import openai", "import openai\nimport os\nimport subprocess\nfrom pathlib import Path")
    (tmp_path / "desk.py").write_text(code + ASK.replace("READ", value), encoding="utf-8")

    found = check_paths(CheckOptions(arguments=("desk.py",), settings=Settings(), start=tmp_path)).findings

    assert [(each.rule, each.severity is Severity.INFO) for each in found] == [(rule, rule == "RL207") for rule in rules]

"""What ``check`` says does not depend on how many processes look at the files, nor on the order of the arguments."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from radixlint.api.check_pool import checked_by, jobs_for
from radixlint.errors import RadixlintError

RULES = "Answer with care, name your sources, and keep to the rules of the house. " * 20
TEXTS = {
    "j2": "{{% if vip %}}Now: {{{{ now() }}}}{{% endif %}} {n}\n" + RULES + "\n{{{{ question }}}}\n",
    "md": "# Task {n}\n\nUser: {{user_name}}\n\n" + RULES + "\n\n{{question}}\n",
    "yaml": "messages:\n  - role: system\n    content: 'Run {{{{ request_id }}}} {n}. " + RULES + "'\n",
    "jinja": "{{% if x %}} never closed {n}\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder of 24 files with findings, notes and files that do not parse."""
    for number in range(24):
        kind = list(TEXTS)[number % len(TEXTS)]
        (tmp_path / f"p{number:02}.{kind}").write_text(TEXTS[kind].format(n=number), encoding="utf-8")
    return tmp_path


def _said(folder: Path, *arguments: str) -> tuple[int, bytes, bytes]:
    command = [sys.executable, "-m", "radixlint", "check", "--no-cache", "--isolated", "--format", "json", *arguments]
    done = subprocess.run(command, cwd=folder, env=dict(os.environ), capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr


def test_report_is_the_same_for_any_number_of_jobs(folder: Path) -> None:
    """1, 2 and 4 processes, and as many as help, write the same bytes on both streams."""
    first = _said(folder, "--jobs", "1", ".")

    assert first[0] == 1
    assert first[1].count(b'"rule"') > 20
    assert [_said(folder, "--jobs", jobs, ".") for jobs in ("2", "4", "0")] == [first] * 3


def test_report_is_the_same_for_any_order(folder: Path) -> None:
    """Files named in another order, in one process or more, give the same report."""
    names = sorted(path.name for path in folder.iterdir())
    first = _said(folder, *names)
    random.Random(7).shuffle(names)

    assert _said(folder, "--jobs", "2", *names) == first


@pytest.mark.parametrize("jobs", [1, 2, 4])
def test_first_fault_is_the_one_that_is_raised(jobs: int) -> None:
    """Of several items that cannot be checked the first one is told, whichever process meets it."""

    def check(item: int) -> int:
        if item in (5, 6, 7):
            raise RadixlintError(f"item {item}")
        return item * item

    found = checked_by(jobs, range(10), check)
    with pytest.raises(RadixlintError, match="item 5"):
        assert list(found) == []


@pytest.mark.parametrize("jobs", [2, 3])
def test_process_that_dies_is_made_up_for(jobs: int) -> None:
    """What a process that was ended from outside did not give is worked out in this one."""
    here = os.getpid()

    def check(item: int) -> int:
        if item == 4 and os.getpid() != here:
            os._exit(1)
        return item * item

    assert list(checked_by(jobs, range(10), check)) == [item * item for item in range(10)]


def test_few_files_are_checked_in_one_process() -> None:
    """Processes are started on their own accord only where there is enough to do; never more than there are files."""
    assert jobs_for(50, None) == 1
    assert jobs_for(1, 8) == 1
    assert jobs_for(0, None) == 1

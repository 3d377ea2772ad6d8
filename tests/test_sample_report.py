"""The committed sample report is what the command writes today, wherever and whenever it runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = "radixlint/samples/support_desk"
REPORT = ROOT / "outputs" / "skill-radix-scheduler-advisor.md"
PLACES = [("0", "UTC", "C.UTF-8"), ("1", "Asia/Tokyo", "C")]


@pytest.mark.parametrize(("hash_seed", "zone", "locale"), PLACES)
def test_the_sample_report_is_the_committed_one(hash_seed: str, zone: str, locale: str) -> None:
    """Templates, log and workload of the sample give the committed bytes, in any hash seed, time zone and locale."""
    command = [sys.executable, "-m", "radixlint", "advise", "--templates", "templates/", "--log", f"{SAMPLE}.jsonl"]
    place = {"PYTHONHASHSEED": hash_seed, "TZ": zone, "LC_ALL": locale}
    done = subprocess.run(
        [*command, "--workload", f"{SAMPLE}.workload.yaml", "--output", "-"],
        cwd=ROOT,
        capture_output=True,
        env=os.environ | place,
    )

    assert done.returncode in (0, 1), done.stderr
    assert done.stdout == REPORT.read_bytes()

"""The wheel in an empty environment and an empty folder, and the hook under the real pre-commit; both start pip in a child."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
pytestmark = [pytest.mark.packaging, pytest.mark.xdist_group("packaging")]
RULE_IDS = sorted(path.name.split("-")[0] for path in (ROOT / "rules").glob("RL*.yaml"))


def run(command: list[str | Path], cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run ``command`` with no Python path of ours, and return what it printed."""
    clean = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return subprocess.run(command, cwd=cwd, env=clean | environment, capture_output=True, text=True)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the files that git would commit, as a repository of its own."""
    copy = tmp_path_factory.mktemp("checkout") / "radixlint"
    listed = run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], ROOT).stdout.splitlines()
    for name in listed:
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name)
    identity = ["-c", "user.name=test", "-c", "user.email=test@example.invalid"]
    for command in (["init", "--quiet"], ["add", "--all"], [*identity, "commit", "--quiet", "--message", "copy"]):
        assert run(["git", *command], copy).returncode == 0
    return copy


@pytest.fixture(scope="module")
def installed(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the ``bin`` folder of an empty environment that holds nothing but our wheel and what it requires."""
    wheels = tmp_path_factory.mktemp("wheels")
    built = run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", wheels, checkout], checkout)
    assert built.returncode == 0, built.stdout + built.stderr
    home = tmp_path_factory.mktemp("environment")
    venv.create(home, with_pip=True)
    (wheel,) = wheels.glob("*.whl")
    done = run([home / "bin" / "python", "-m", "pip", "install", "--quiet", wheel], wheels)
    assert done.returncode == 0, done.stderr
    return home / "bin"


def test_wheel_carries_the_rules(installed: Path, tmp_path: Path) -> None:
    """A wheel in an empty environment, run in an empty folder, knows every rule of the checkout."""
    done = run([installed / "radixlint", "rules", "--format", "json"], tmp_path)

    assert done.returncode == 0, done.stderr
    assert sorted(rule["id"] for rule in json.loads(done.stdout)["rules"]) == RULE_IDS


def test_wheel_finds_what_the_checkout_finds(installed: Path, tmp_path: Path) -> None:
    """The wheel reports the same findings as the checkout, byte for byte."""
    shutil.copytree(ROOT / "templates", tmp_path / "templates")
    arguments = ["check", "templates", "--isolated", "--output-format", "json"]
    from_wheel = run([installed / "radixlint", *arguments], tmp_path)
    from_checkout = run([sys.executable, "-m", "radixlint", *arguments], tmp_path)

    assert from_wheel.returncode == 1, from_wheel.stderr
    assert from_wheel.stdout == from_checkout.stdout


def test_wheel_writes_the_advisor_report(installed: Path, tmp_path: Path) -> None:
    """The advisor command of the wheel writes a report from the bundled sample, found inside the package."""
    shutil.copytree(ROOT / "templates", tmp_path / "templates")
    samples = next(installed.parent.glob("lib/python*/site-packages/radixlint/samples"))
    log, workload = samples / "support_desk.jsonl", samples / "support_desk.workload.yaml"
    command = [
        installed / "skill-radix-scheduler-advisor",
        "report",
        "--templates",
        "templates",
        "--log",
        log,
        "--workload",
        workload,
    ]
    done = run(command, tmp_path)

    assert done.returncode in (0, 1), done.stderr
    assert (tmp_path / "outputs" / "skill-radix-scheduler-advisor.md").read_text(encoding="utf-8").startswith("---\nname:")


def imported_from(python: str | Path, cwd: Path, **environment: str) -> Path:
    """Return the file that ``import radixlint`` loads."""
    done = run([python, "-c", "import radixlint; print(radixlint.__file__)"], cwd, **environment)
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip())


def test_plain_checkout_finds_its_rules(checkout: Path, tmp_path: Path) -> None:
    """A checkout that was never installed finds ``rules/`` beside the package; it is the copy that runs."""
    path = {"PYTHONPATH": str(checkout)}
    done = run([sys.executable, "-m", "radixlint", "rules", "--format", "json"], tmp_path, **path)

    assert imported_from(sys.executable, tmp_path, **path) == checkout / "radixlint" / "__init__.py"
    assert done.returncode == 0, done.stderr
    assert sorted(rule["id"] for rule in json.loads(done.stdout)["rules"]) == RULE_IDS


def test_editable_install_runs_the_checkout(checkout: Path, tmp_path: Path) -> None:
    """Installed editable, the command runs the checkout's own code and follows a change in its rules folder."""
    venv.create(tmp_path / "environment", with_pip=True)
    home = tmp_path / "environment" / "bin"
    done = run([home / "python", "-m", "pip", "install", "--quiet", "--editable", checkout], tmp_path)
    assert done.returncode == 0, done.stderr
    listed = run([home / "radixlint", "rules", "--format", "json"], tmp_path)
    hidden = next((checkout / "rules").glob("RL951*.yaml"))
    away = hidden.rename(tmp_path / hidden.name)
    fewer = run([home / "radixlint", "rules", "--format", "json"], tmp_path)
    away.rename(hidden)

    assert imported_from(home / "python", tmp_path) == checkout / "radixlint" / "__init__.py"
    assert sorted(rule["id"] for rule in json.loads(listed.stdout)["rules"]) == RULE_IDS
    assert sorted(rule["id"] for rule in json.loads(fewer.stdout)["rules"]) == [i for i in RULE_IDS if i != "RL951"]


def test_pre_commit_hook(checkout: Path, tmp_path: Path) -> None:
    """The hook fails a commit with a bad template and passes one with good templates only."""
    project = tmp_path / "project"
    project.mkdir()
    run(["git", "init", "--quiet"], project)
    good = next((ROOT / "templates").glob("*.good.j2"))
    bad = next((ROOT / "templates").glob("*.bad.j2"))
    hook = [sys.executable, "-m", "pre_commit", "try-repo", checkout, "radixlint-check", "--verbose", "--all-files"]
    cache = {"PRE_COMMIT_HOME": str(tmp_path / "cache")}

    shutil.copy2(good, project / "good.j2")
    run(["git", "add", "--all"], project)
    passed = run(hook, project, **cache)
    shutil.copy2(bad, project / "bad.j2")
    run(["git", "add", "--all"], project)
    failed = run(hook, project, **cache)

    assert passed.returncode == 0, passed.stdout + passed.stderr
    assert failed.returncode == 1, failed.stdout + failed.stderr
    assert "bad.j2" in failed.stdout
    assert "exit code: 1" in failed.stdout

"""From templates, logs and a workload description to advice: check, measure under both engines' rules, decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Final

import msgspec

from radixlint.advise import LogEvidence, advise, parse_workload
from radixlint.api.analyze_options import AnalyzeOptions, PolicyOptions
from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.api.measured_worth import looked_up_at
from radixlint.api.measuring import measure_each
from radixlint.config import load_settings
from radixlint.errors import DataError
from radixlint.estimate import Server
from radixlint.files.source_files import shown_path
from radixlint.hardware import Gpu, Model, load_gpu, load_model
from radixlint.logs import read_logs
from radixlint.result.advice import Advice, Thresholds
from radixlint.result.finding import CheckReport, Finding
from radixlint.result.measurement import AnalyzeReport
from radixlint.result.workload import Hardware, Workload

_MOST_BYTES: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class AdviseOptions:
    """What one run joins; ``model`` and ``gpu`` replace what the workload file says. ``start`` is the current folder."""

    workload: Path
    templates: tuple[str, ...]
    logs: tuple[str, ...]
    start: Path
    thresholds: Thresholds = field(default_factory=Thresholds)
    model: str | None = None
    gpu: str | None = None


@dataclass(frozen=True, slots=True)
class Advised:
    """The advice, and the measurement it rests on, None without a log."""

    advice: Advice
    log: AnalyzeReport | None


def advise_paths(options: AdviseOptions, *, stdin: BinaryIO | None = None) -> Advised:
    """Check the templates, measure the logs, and return the advice for the described workload.

    Raises:
        DataError: the workload file is wrong, or names a model or GPU that no table holds.
        LogError: a log cannot be opened, or holds no readable record.
        RadixlintError: a template path does not exist.
    """
    workload = read_workload(options.workload)
    hardware = workload.hardware
    workload = replace(
        workload,
        hardware=replace(hardware, model=options.model or hardware.model, gpu=options.gpu or hardware.gpu),
    )
    model, gpu = _looked_up(workload.hardware, options)
    server = Server(model, gpu, hardware.gpus_per_replica) if model and gpu else None
    check = _checked(options) if options.templates else None
    log = _measured(options.logs, stdin) if options.logs else None
    advice = advise(workload, check, log, options.thresholds, model=model, server=server)
    return Advised(advice, log.vllm if log else None)


def read_workload(path: Path) -> Workload:
    """Read a workload file.

    Raises:
        DataError: it cannot be read, is too large, or is not a description.
    """
    try:
        with path.open("rb") as stream:
            data = stream.read(_MOST_BYTES + 1)
    except OSError as error:
        raise DataError(f"cannot be read: {(error.strerror or 'error').lower()}", where=str(path)) from error
    if len(data) > _MOST_BYTES:
        raise DataError(f"a workload file has at most {_MOST_BYTES:,} bytes", where=str(path))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"is not UTF-8 at byte {error.start}", where=str(path)) from error
    return parse_workload(text, str(path))


def _looked_up(hardware: Hardware, options: AdviseOptions) -> tuple[Model | None, Gpu | None]:
    """Look model and GPU up; the error says where the name stood and that it may be left out."""

    def place(flag: str, key: str, is_flag: bool) -> str:
        return flag if is_flag else f"{options.workload}: hardware: {key}"

    model_place = place("--model", "model", options.model is not None)
    gpu_place = place("--gpu", "gpu", options.gpu is not None)
    return (
        looked_up_at(model_place, load_model, hardware.model) if hardware.model else None,
        looked_up_at(gpu_place, load_gpu, hardware.gpu) if hardware.gpu else None,
    )


def _checked(options: AdviseOptions) -> CheckReport:
    settings = load_settings(options.start)
    report = check_paths(CheckOptions(arguments=options.templates, settings=settings, start=options.start))
    return msgspec.structs.replace(report, findings=tuple(_portable(f, options) for f in report.findings))


def _portable(finding: Finding, options: AdviseOptions) -> Finding:
    """Name a file outside the current folder from its argument's last part on, so that the page is alike on every machine."""
    for argument in options.templates:
        outside = shown_path(Path(argument), options.start)
        if outside.startswith("..") and PurePosixPath(finding.span.path).is_relative_to(outside):
            inner = PurePosixPath(finding.span.path).relative_to(outside)
            path = str(PurePosixPath(Path(argument).resolve().name, inner))
            return msgspec.structs.replace(finding, span=msgspec.structs.replace(finding.span, path=path))
    return finding


def _measured(logs: Sequence[str], stdin: BinaryIO | None) -> LogEvidence:
    variants = [AnalyzeOptions(PolicyOptions(engine=engine)) for engine in ("vllm", "sglang")]
    vllm, sglang = measure_each(read_logs(logs, stdin=stdin), variants)
    return LogEvidence(vllm, sglang)

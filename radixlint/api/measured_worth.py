"""What the reuse that ``analyze`` measured is worth on a named model and GPU."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TypeVar

from radixlint.errors import DataError
from radixlint.estimate import Matched, Server, estimate, prefix_memory, with_assumed_output
from radixlint.hardware import Gpu, Model, load_gpu, load_model
from radixlint.result.evidence import Evidence
from radixlint.result.measurement import AnalyzeReport

_Entry = TypeVar("_Entry", Model, Gpu)


@dataclass(frozen=True, slots=True)
class WorthOptions:
    """Names of model and GPU; ``output_tokens`` is the mean a request, None for what the log tells."""

    model: str
    gpu: str | None = None
    output_tokens: float | None = None


@dataclass(frozen=True, slots=True)
class Replica:
    """The same, looked up."""

    model: Model
    gpu: Gpu | None
    output_tokens: float | None


def look_up(options: WorthOptions) -> Replica:
    """Return the named model and GPU.

    Raises:
        DataError: a table does not hold the name.
    """
    return Replica(
        looked_up_at("--model", load_model, options.model),
        None if options.gpu is None else looked_up_at("--gpu", load_gpu, options.gpu),
        options.output_tokens,
    )


def looked_up_at(place: str, load: Callable[[str], _Entry], name: str) -> _Entry:
    """Return ``load(name)``; the error says where the name stood and that it may be left out."""
    try:
        return load(name)
    except DataError as error:
        hint = f"{error.hint}; leave it out to get a report without times"
        raise DataError(error.message, where=place, hint=hint) from error


def add_worth(report: AnalyzeReport, paths: Sequence[str], replica: Replica) -> AnalyzeReport:
    """Return ``report`` with the worth of its engine hits and the memory of its shared prefix.

    The workload is named by the files ``paths`` without their folders.
    """
    is_off = report.agreement is not None and report.agreement.is_off
    given = replica.output_tokens
    found = estimate(
        [Matched(row.prompt_tokens, row.engine_tokens) for row in report.measured_rows],
        workload=", ".join("stdin" if path == "-" else PurePath(path).name for path in paths),
        match_evidence=Evidence.ASSUMED if is_off else Evidence.SIMULATED,
        output_tokens_mean=report.output_tokens_mean if given is None else given,
        server=Server(replica.model, replica.gpu) if replica.gpu else None,
        model=replica.model,
    )
    memory = prefix_memory(replica.model, report.longest_shared_tokens, block_tokens=report.engine.block_tokens, gpu=replica.gpu)
    return replace(report, estimate=found if given is None else with_assumed_output(found), shared_prefix_memory=memory)

"""``check`` as a JUnit report: a suite a file, a test case a finding, and one for a file without any."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from radixlint.reports import TextStyle
from radixlint.result.finding import CheckReport, Finding, Severity, Skipped
from radixlint.safe_text import safe_line

# What XML 1.0 cannot hold in any form and is not escaped for the terminal already.
_NOT_XML: Final = re.compile("[\ufffe\uffff]")
_QUOTED: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})
_SUITES: Final = "radixlint"


def render(report: CheckReport, style: TextStyle) -> str:
    """Return the report as XML in plain ASCII, without times; ``style`` has no effect.

    A finding of severity ``info`` is a passed test with its words as output: it never makes the exit code 1.
    """
    by_path: dict[str, list[Finding]] = defaultdict(list)
    for finding in report.findings:
        by_path[finding.span.path].append(finding)
    suites = [line for path in sorted({*report.paths, *by_path}) for line in _suite(path, by_path[path])]
    suites += [line for skipped in report.skipped for line in _skipped_suite(skipped)]
    failures = sum(map(_is_failure, report.findings))
    clean = sum(1 for path in report.paths if not by_path[path])
    tests = len(report.findings) + clean + len(report.skipped)
    head = f'<testsuites name="{_SUITES}" tests="{tests}" failures="{failures}" errors="0" skipped="{len(report.skipped)}">'
    text = "\n".join(('<?xml version="1.0" encoding="utf-8"?>', head, *suites, "</testsuites>", ""))
    return text.encode("ascii", "xmlcharrefreplace").decode("ascii")


def _suite(path: str, findings: Sequence[Finding]) -> Iterator[str]:
    failures = sum(map(_is_failure, findings))
    yield f'  <testsuite name="{_xml(path)}" tests="{len(findings) or 1}" failures="{failures}" errors="0" skipped="0">'
    if not findings:
        yield f'    <testcase classname="{_xml(path)}" name="no findings" file="{_xml(path)}"/>'
    for finding in findings:
        yield from _case(finding)
    yield "  </testsuite>"


def _case(finding: Finding) -> Iterator[str]:
    span = finding.span
    name = _xml(f"{finding.rule} {finding.name} {span.line}:{span.column}")
    yield f'    <testcase classname="{_xml(span.path)}" name="{name}" file="{_xml(span.path)}" line="{span.line}">'
    message = _xml(finding.message)
    words = f"{_xml(f'{span.path}:{span.line}:{span.column}')}: {message}&#10;help: {_xml(finding.help)}"
    if _is_failure(finding):
        yield f'      <failure type="{finding.severity.value}" message="{message}">{words}</failure>'
    else:
        yield f"      <system-out>{words}</system-out>"
    yield "    </testcase>"


def _skipped_suite(skipped: Skipped) -> Iterator[str]:
    path = _xml(skipped.path)
    yield f'  <testsuite name="{path}" tests="1" failures="0" errors="0" skipped="1">'
    yield f'    <testcase classname="{path}" name="skipped" file="{path}"><skipped message="{_xml(skipped.reason)}"/></testcase>'
    yield "  </testsuite>"


def _is_failure(finding: Finding) -> bool:
    return finding.severity is not Severity.INFO


def _xml(text: str) -> str:
    """Return ``text`` on one line, for use between tags and in quotes."""
    return _NOT_XML.sub(lambda found: f"\\u{ord(found[0]):04x}", safe_line(text)).translate(_QUOTED)

"""Prompts under keys of a project's own; ordinary settings files hold none."""

from __future__ import annotations

import json

import pytest
from template_reading import Shelf, cut

from radixlint.prompt import Role, SourceText
from radixlint.sources import SourceRead, read_prompts

RULES = (
    "Answer in plain words and keep every reply short. Quote prices only from the rate card. Never promise a discount to anyone."
)


def read(text: str, path: str = "agent.yaml") -> SourceRead | None:
    return read_prompts(SourceText(path, text), Shelf({}))


def found(text: str, path: str = "agent.yaml") -> SourceRead:
    read_ = read(text, path)
    assert read_ is not None
    assert read_.dialect == "prompt-fields"
    return read_


def test_system_and_task_of_one_mapping_are_one_prompt() -> None:
    """Keys by role make one prompt, system first, though it has no placeholder itself; other keys stand alone."""
    text = (
        f"agent:\n  instance_template: |\n    Solve this: {{{{ task }}}}\n    {RULES}\n"
        f"  system_template: |\n    You are a helper. {RULES}\n"
        f"  observation_template: 'Bad {{{{ reply }}}}. {RULES}'\n  step_limit: 3\n"
    )
    first, second = found(text).prompts

    assert [p.name for p in (first, second)] == ["agent.yaml:system_template", "agent.yaml:observation_template"]
    assert [(s.role, s.message) for s in first.segments] == [(Role.SYSTEM, 0), (Role.USER, 1), (Role.USER, 1), (Role.USER, 1)]
    assert [cut(text, s) for s in first.segments if s.expression] == ["{{ task }}"]
    assert second.segments[1].span.line == 7


def test_pairs_by_stem() -> None:
    """Several pairs in one mapping are told by the rest of their keys."""
    text = json.dumps(
        {f"{name}{role}Prompt": f"Know {{topic}}. {RULES}" for name in ("qa", "sum") for role in ("User", "System")}, indent=1
    )

    assert [[s.role for s in p.segments if s.expression] for p in found(text, "p.json").prompts] == [[Role.SYSTEM, Role.USER]] * 2


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (f"prompt: 'Today is ${{today}}. {RULES}'\n", "${today}"),
        (f"prompt: 'Today is {{today}}. {RULES}'\n", "{today}"),
        (f"prompt: 'Today is {{{{today}}}}. {RULES}'\n", "{{today}}"),
        (f"x: 'You are {{name}}, a clerk. {RULES} Be kind, be brief, be clear.'\n", "{name}"),
        (f"prompts:\n  greet:\n  - text: 1\n  hello: 'Greet {{name}}. {RULES} Be kind, be brief, be clear.'\n", "{name}"),
    ],
)
def test_styles_and_signs(text: str, value: str) -> None:
    """Every style of placeholder is known; the key, the key above it, or the way it speaks shows a prompt."""
    (prompt,) = found(text).prompts

    assert [cut(text, s) for s in prompt.segments if s.expression] == [value]


WORKFLOW = """\
on: {pull_request: {}}
jobs:
  review:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: echo "${{ github.event.number }}"
        env: {PROMPT: "You are a reviewer. Look at pull request ${{ github.event.number }}, and
          say what is wrong with it, please. Be kind, be brief, and be clear."}
"""
COMPOSE = """\
services:
  web:
    image: "web:${TAG}"
    environment: {TEMPLATE: "${HOST}:${PORT}", SYSTEM: "${SYSTEM}"}
    command: ["sh", "-c", "exec web --host ${HOST}"]
"""
HELM = """\
image: {repository: web, tag: ""}
notesTemplate: |
  The chart was installed. Get the address by running these commands. Then open it in a browser and log in there.
  The release is {{ .Release.Name }} and it stands in {{ .Release.Namespace }}; look at it with the tools that you know well.
"""
PLAYBOOK = """\
- hosts: all
  tasks:
    - name: Write the system message
      copy:
        dest: /etc/motd
        content: |
          You are the guest of {{ inventory_hostname }}. This system is watched, day and night, by people who know it well.
          Leave now if you have no right to be here, please. Thank you.
    - template: src=a.j2 dest=/etc/a
"""
OPENAPI = json.dumps(
    {
        "openapi": "3.1.0",
        "paths": {"/v1/{id}": {"get": {"description": f"Returns the thing with the {{id}} that was given. {RULES}"}}},
        "components": {
            "schemas": {"Prompt": {"properties": {"template": {"description": "x", "example": f"Hi {{name}}. {RULES}"}}}}
        },
    },
    indent=1,
)
I18N = json.dumps({"delete_prompt": f"Do you want to delete {{name}}? {RULES}", "system": "{count} systems"}, indent=1)
PACKAGE = json.dumps(
    {"name": "x", "scripts": {"prompt": "node ${PWD}/a.js"}, "template": {"a": "{b}"}, "description": "You are here"}
)
NOTEBOOK = json.dumps(
    {
        "cells": [{"cell_type": "markdown", "source": [f"You are a student of {{x}}. {RULES} {RULES}"]}],
        "nbformat": 4,
        "metadata": {},
    }
)
MANIFEST = """\
apiVersion: apps/v1
kind: Deployment
spec:
  template:
    metadata: {labels: {app: "{{ app }}"}}
    spec:
      containers:
        - {name: a, image: a, args: ["--system=${SYSTEM}", "--template={name}"]}
"""
ALERTS = """\
groups:
  - name: a
    rules:
      - alert: Down
        annotations:
          template: |
            The host {{ $labels.host }} has been down for more than five minutes.
            Look at the runbook and call whoever is on duty now.
"""
MAILS = f"email_template: 'Dear {{customer_name}}, thank you for the order. {RULES}'\n"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (".github/workflows/ci.yml", WORKFLOW),
        ("compose.yaml", COMPOSE),
        ("values.yaml", HELM),
        ("site.yml", PLAYBOOK),
        ("openapi.json", OPENAPI),
        ("locales/en.json", I18N),
        ("de.json", I18N),
        ("package.json", PACKAGE),
        ("a.ipynb.json", NOTEBOOK),
        ("deploy.yaml", MANIFEST),
        ("alerts.yaml", ALERTS),
        ("mails.yaml", MAILS),
        ("settings.yaml", f"prompt: 'You are a clerk. {RULES}'\n"),
        ("broken.yaml", "prompt: '{x\n"),
    ],
)
def test_settings_hold_no_prompt(path: str, text: str) -> None:
    """Workflows, compose files, charts, playbooks, API descriptions, translations and the like are passed over."""
    assert read(text, path) is None

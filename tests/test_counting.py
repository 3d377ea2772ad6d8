"""What a program adds to is a counter wherever it is kept: in a name, an attribute, an entry, or a function around."""

from __future__ import annotations

from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings

RULES = (
    "You are the desk of a small boat yard and you answer letters of guests in plain words. Quote prices only from the list "
    "below and never invent a discount for anyone who asks. Keep each reply below six sentences and name the pier at which the "
    "guest is to wait. Children below twelve share a boat with an adult, and dogs stay ashore on windy days."
)
PYTHON = f'''\
import itertools
from openai import OpenAI
from pydantic import BaseModel

RULES = "{RULES}"
client = OpenAI()


def send(head, question):
    return client.chat.completions.create(
        model="m", messages=[{{"role": "system", "content": head}}, {{"role": "user", "content": question}}])


'''
SCRIPT = f"""import OpenAI from "openai";
const RULES = "{RULES}";
const client = new OpenAI();
const send = (head: string, q: string) => client.chat.completions.create({{
  model: "m", messages: [{{ role: "system", content: head }}, {{ role: "user", content: q }}] }});
"""
# The place of the finding is where the counter is printed, marked by @.
COUNTERS = {
    "name.py": """\
n = 0


def ask(question):
    global n
    n += 1
    return send(f'{@n} {RULES}', question)
""",
    "elsewhere.py": """\
n = 0


def note():
    global n
    n = n + 1


def ask(question):
    return send(f'{@n} {RULES}', question)
""",
    "attribute.py": """\
class Bot:
    def __init__(self):
        self.sent = 0

    def ask(self, question):
        self.sent += 1
        return send(f'{@self.sent} {RULES}', question)
""",
    "of_class.py": """\
class Bot:
    sent = 0

    def ask(self, question):
        self.sent += 1
        return send(self.head(), question)

    def head(self):
        return f'{@self.sent} {RULES}'
""",
    "field.py": """\
class Bot(BaseModel):
    left: int = 9

    def ask(self, question):
        self.left -= 1
        return send(f'{@self.left} {RULES}', question)
""",
    "entry.py": """\
kept = {'sent': 0}


def ask(question):
    kept['sent'] += 1
    return send(f'{@kept["sent"]} {RULES}', question)
""",
    "given.py": """\
def ask(kept, question):
    kept.sent += 1
    return send(f'{@kept.sent} {RULES}', question)
""",
    "closure.py": """\
def made():
    n = 0

    def ask(question):
        nonlocal n
        n += 1
        return send(f'{@n} {RULES}', question)
    return ask
""",
    "while.py": """\
def run():
    n = 0
    while True:
        question = input()
        n += 1
        send(f'{@n} {RULES}', question)
""",
    "for.py": """\
def run(questions):
    n = 0
    for question in questions:
        send(f'{@n} {RULES}', question)
        n = n + 1
""",
    "range.py": """\
def run(questions):
    for n in range(len(questions)):
        send(f'{@n} {RULES}', questions[n])
""",
    "itertools.py": """\
ids = @itertools.count()


def ask(question):
    return send(f'{next(ids)} {RULES}', question)
""",
    "name.ts": """\
let n = 0;
export const ask = (q: string) => {
  n += 1;
  return send(`${@n} ${RULES}`, q);
};
""",
    "postfix.ts": """\
let n = 0;
export const ask = (q: string) => send(`${@n++} ${RULES}`, q);
""",
    "attribute.ts": """\
export class Bot {
  private sent = 0;
  ask(q: string) {
    this.sent++;
    return send(`${@this.sent} ${RULES}`, q);
  }
}
""",
    "entry.ts": """\
const kept = { sent: 0 };
export const ask = (q: string) => {
  kept.sent += 1;
  return send(`${@kept.sent} ${RULES}`, q);
};
""",
    "closure.ts": """\
export const made = () => {
  let n = 0;
  return (q: string) => {
    n++;
    return send(`${@n} ${RULES}`, q);
  };
};
""",
    "for.ts": """\
export async function run(qs: string[]) {
  for (let n = 0; n < qs.length; n++) {
    await send(`${@n} ${RULES}`, qs[n]);
  }
}
""",
    "each.ts": """\
export const run = (qs: string[]) => qs.forEach((q, n) => {
  send(`${@n} ${RULES}`, q);
});
""",
}
HEALTHY = {
    "at_the_end.py": """\
def run():
    n = 0
    while True:
        question = input()
        n += 1
        send(RULES, f'{question} ({n})')
""",
    "logged.py": """\
n = 0


def ask(question):
    global n
    n += 1
    print(f'call {n}')
    return send(RULES, question)
""",
    "numbered.py": """\
def ask(rules, question):
    n, text = 0, ''
    for rule in rules:
        n += 1
        text += f'{n}. {rule} '
    return send(text + RULES, question)
""",
    "counted_once.py": """\
def run(examples, questions):
    count = 0
    for example in examples:
        count += 1
    for question in questions:
        send(f'{count} examples. {RULES}', question)
""",
    "of_its_own.py": """\
def ask(question):
    n = 0
    n += 1
    return send(f'{n} {RULES}', question)
""",
    "tested.py": """\
n = 0


def ask(question):
    global n
    n += 1
    if n:
        print('again')
    return send(RULES, question)
""",
    "numbered.ts": """\
export const ask = (q: string, rules: string[]) =>
  send(rules.map((r, i) => `${i + 1}. ${r}`).join(' ') + RULES, q);
""",
    "logged.ts": """\
let n = 0;
export const ask = (q: string) => {
  n++;
  console.log(n);
  return send(RULES, `${q} (${n})`);
};
""",
}


def told(folder: Path, name: str, code: str) -> list[tuple[str, int, int]]:
    """Return rule, line and column of each warning in a file."""
    (folder / name).write_text((SCRIPT if name.endswith(".ts") else PYTHON) + code, encoding="utf-8")
    findings = check_paths(CheckOptions((name,), Settings(jobs=1), folder)).findings
    return [(f.rule, f.span.line, f.span.column) for f in findings if f.severity.value != "info"]


@pytest.mark.parametrize("name", COUNTERS)
def test_a_counter_in_the_head_is_found_where_it_is_printed(tmp_path: Path, name: str) -> None:
    """What is added to in any form is another number in each request."""
    before, _, after = COUNTERS[name].partition("@")
    ahead = (SCRIPT if name.endswith(".ts") else PYTHON) + before
    place = (ahead.count("\n") + 1, len(ahead) - ahead.rfind("\n"))
    assert told(tmp_path, name, before + after) == [("RL206", *place)]


@pytest.mark.parametrize("name", HEALTHY)
def test_counters_that_break_nothing_are_silent(tmp_path: Path, name: str) -> None:
    """At the end, in a log, within one prompt, or the same in every request."""
    assert told(tmp_path, name, HEALTHY[name]) == []

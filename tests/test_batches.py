"""Lists of prompts, calls made in a loop, and lines of a batch: each item is a request of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings
from radixlint.prompt import Lifetime

RULES = (
    "You are the desk of a small boat yard and you answer letters of guests in plain words. Quote prices only from the list "
    "below and never invent a discount for anyone who asks. Keep each reply below six sentences and name the pier at which the "
    "guest is to wait. Children below twelve share a boat with an adult, and dogs stay ashore on windy days."
)
PYTHON = f'''\
import asyncio, json
import anthropic, sglang
from langchain_core.messages import HumanMessage, SystemMessage
from langchain_openai import ChatOpenAI
from openai import AsyncOpenAI, OpenAI
from vllm import LLM, SamplingParams

RULES = "{RULES}"
llm, params, chat = LLM(model="m"), SamplingParams(), ChatOpenAI(model="m")
engine = sglang.Engine(model_path="m")
client, waiting, claude = OpenAI(), AsyncOpenAI(), anthropic.Anthropic()


def talk(head, question):
    return [{{"role": "system", "content": head}}, {{"role": "user", "content": question}}]


'''
SCRIPT = f"""import OpenAI from "openai";
const RULES = "{RULES}";
const client = new OpenAI();
const talk = (head: string, q: string) => [{{ role: "system", content: head }}, {{ role: "user", content: q }}];
"""
# Of each form: a value that stands where {} is, with what the loop binds: `n` its number, `q` a question, `row` one of no name
# that says anything. The value stands ahead of fixed text, or behind it.
FORMS = {
    "vllm.py": """\
def run(asked):
    prompts = [f'{V1}' for n, q in enumerate(asked)]
    return llm.generate(prompts, params)
""",
    "vllm_loop.py": """\
def run(asked):
    prompts = []
    for n, q in enumerate(asked):
        prompts.append(f'{V1}')
    return llm.generate(prompts, params)
""",
    "vllm_map.py": """\
def one(pair):
    n, q = pair
    return f'{V1}'


def run(asked):
    return llm.generate(list(map(one, enumerate(asked))), params)
""",
    "vllm_chat.py": """\
def run(asked):
    return llm.chat([talk(f'{V1}', q) for n, q in enumerate(asked)])
""",
    "vllm_fields.py": """\
def run(asked):
    return llm.generate([{{'prompt': f'{V1}'}} for n, q in enumerate(asked)])
""",
    "sglang.py": """\
def run(asked):
    return engine.generate(prompt=[f'{V1}' for n, q in enumerate(asked)])
""",
    "langchain.py": """\
def run(asked):
    return chat.batch([[SystemMessage(content=f'{V1}'), HumanMessage(content=q)] for n, q in enumerate(asked)])
""",
    "completions.py": """\
def run(asked):
    return client.completions.create(model='m', prompt=[f'{V1}' for n, q in enumerate(asked)])
""",
    "gather.py": """\
async def run(asked):
    return await asyncio.gather(
        *[waiting.chat.completions.create(model='m', messages=talk(f'{V1}', q)) for n, q in enumerate(asked)])
""",
    "loop.py": """\
def one(n, q):
    return client.chat.completions.create(model='m', messages=talk(f'{V1}', q))


def run(asked):
    for n, q in enumerate(asked):
        one(n, q)
""",
    "lines.py": """\
def run(asked, out):
    for n, q in enumerate(asked):
        body = {{'model': 'm', 'messages': talk(f'{V1}', q)}}
        out.write(json.dumps({{'custom_id': f'q{{n}}', 'url': '/v1/chat/completions', 'body': body}}))
""",
    "claude.py": """\
def run(asked):
    return claude.messages.batches.create(requests=[
        {{'custom_id': str(n), 'params': {{'model': 'm', 'system': f'{V1}', 'messages': talk('', q)[1:]}}}}
        for n, q in enumerate(asked)])
""",
    "all.ts": """\
export const run = (asked: string[]) =>
  Promise.all(asked.map((q, n) =>
    client.chat.completions.create({{ model: 'm', messages: talk(`{V2}`, q) }})));
""",
    "pairs.ts": """\
export async function run(asked: string[]) {{
  for (const [n, q] of asked.entries()) {{
    await client.chat.completions.create({{ model: 'm', messages: talk(`{V2}`, q) }});
  }}
}}
""",
    "lines.ts": """\
export const run = (asked: string[]) =>
  asked.map((q, n) => JSON.stringify({{ custom_id: `q${{n}}`, body:
    {{ model: 'm', messages: talk(`{V2}`, q) }} }})).join('\\n');
""",
}


def told(folder: Path, name: str, values: str, *, item: str = "q") -> set[str]:
    """Return the rules of the warnings for one form, which sends ``values``; ``item`` is what the list of questions is called."""
    form = FORMS[name].format(V1=values, V2=values.replace("{", "${"))
    text = (SCRIPT if name.endswith(".ts") else PYTHON) + form.replace("asked", "questions" if item == "q" else "rows")
    (folder / name).write_text(text, encoding="utf-8")
    findings = check_paths(CheckOptions((name,), Settings(jobs=1), folder)).findings
    return {f.rule for f in findings if f.severity.value != "info"}


@pytest.mark.parametrize("name", FORMS)
def test_a_question_ahead_of_fixed_text_is_found_in_each_item(tmp_path: Path, name: str) -> None:
    """The loop is around the requests, so that fixed text in it counts behind what differs."""
    assert told(tmp_path, name, "{q} {RULES}") == {"RL101"}


@pytest.mark.parametrize("name", FORMS)
def test_an_item_of_no_telling_name_differs_in_each_request(tmp_path: Path, name: str) -> None:
    """Nothing is known of ``rows`` but that each of them goes into a request of its own."""
    assert told(tmp_path, name, "{q} {RULES}", item="row") == {"RL101"}


@pytest.mark.parametrize("name", FORMS)
def test_the_number_of_an_item_is_a_counter(tmp_path: Path, name: str) -> None:
    """It is another number in each request."""
    assert told(tmp_path, name, "Letter {n}. {RULES}") == {"RL206"}


@pytest.mark.parametrize("name", FORMS)
def test_fixed_text_first_and_the_item_last_is_healthy(tmp_path: Path, name: str) -> None:
    """Nothing stands behind what differs."""
    assert told(tmp_path, name, "{RULES} {n} {q}") == set()


HEALTHY = {
    "items of one prompt are numbered": """\
def run(rules, question):
    listed = ''.join(f'{n}. {rule}' for n, rule in enumerate(rules))
    return client.chat.completions.create(model='m', messages=talk(listed + RULES, question))
""",
    "a list of fixed text is numbered": """\
HINTS = ['be kind', 'be brief']


def run(questions):
    head = ''
    for n, hint in enumerate(HINTS, start=1):
        head += f'{n}. {hint} '
    for question in questions:
        client.chat.completions.create(model='m', messages=talk(head + RULES, question))
""",
    "the outer of two loops sends many requests": """\
def run(bands, questions):
    for band in bands:
        for question in questions:
            client.chat.completions.create(model='m', messages=talk(f'{band} {RULES}', question))
""",
    "a number worked out from constants": """\
MOST = 20


def run(questions):
    for question in questions:
        client.chat.completions.create(model='m', messages=talk(f'{MOST * 2} words. {RULES}', question))
""",
    "one conversation is no list of prompts": """\
def run(question):
    return llm.chat([{'role': 'system', 'content': RULES}, {'role': 'user', 'content': question}])
""",
    "data that is written as JSON": """\
def run(rows, out):
    for n, row in enumerate(rows):
        out.write(json.dumps({'id': n, 'body': f'{n} {RULES}'}))
""",
}


@pytest.mark.parametrize("code", HEALTHY.values(), ids=HEALTHY)
def test_healthy_loops_are_silent(tmp_path: Path, code: str) -> None:
    """What a loop makes within one prompt, or around many with one head, is no fault."""
    (tmp_path / "app.py").write_text(PYTHON + code, encoding="utf-8")
    findings = check_paths(CheckOptions(("app.py",), Settings(jobs=1), tmp_path)).findings
    assert not [f for f in findings if f.severity.value != "info"]


def test_settings_win_over_the_form(tmp_path: Path) -> None:
    """Who says that an item lives long is believed."""
    form = FORMS["loop.py"].format(V1="{q} {RULES}").replace("asked", "rows")
    (tmp_path / "app.py").write_text(PYTHON + form, encoding="utf-8")
    settings = Settings(jobs=1, variables={"rows": Lifetime.STATIC})
    assert not check_paths(CheckOptions(("app.py",), settings, tmp_path)).findings


def test_the_order_of_requests_is_no_order_within_one(tmp_path: Path) -> None:
    """A loop over a set sends its items in any order, and each prompt is the same whenever it is sent."""
    form = FORMS["loop.py"].format(V1="{q} {RULES}").replace("enumerate(asked)", "enumerate(set(questions))")
    (tmp_path / "app.py").write_text(PYTHON + form, encoding="utf-8")
    assert {f.rule for f in check_paths(CheckOptions(("app.py",), Settings(jobs=1), tmp_path)).findings} == {"RL101"}

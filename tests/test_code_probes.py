"""Every sink and every flow of a value: a clock ahead of fixed text is found at its place, behind it there is nothing to find."""

from __future__ import annotations

from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings
from radixlint.result.finding import Severity

RULES = '''RULES = """You are the desk of a small rental company for boats by the lake.
Answer in plain words and keep every reply under six sentences.
Quote prices only from the card below and never invent a discount.
If a guest asks about the weather, explain the wind limits of the day.
Children under twelve always share a double boat with an adult.
Refunds are possible until the evening before the trip, later as a voucher."""
'''
CLOCK = "import datetime\nimport json\nimport os\nimport random\n"

SINKS = {
    "openai-chat": 'import openai\nopenai.OpenAI().chat.completions.create(messages=[{"role": "system", "content": TEXT}, '
    '{"role": "user", "content": question}])',
    "openai-responses": "import openai\nopenai.OpenAI().responses.create(instructions=TEXT, input=question)",
    "anthropic": "import anthropic\n"
    'anthropic.Anthropic().messages.create(system=TEXT, messages=[{"role": "user", "content": q}])',
    "litellm": 'import litellm\nlitellm.completion("m", [{"role": "system", "content": TEXT}, {"role": "user", "content": q}])',
    "vllm": "from vllm import LLM\nLLM(model='m').generate([TEXT])",
    "sglang": "import sglang\nsglang.Engine(model_path='m').generate(TEXT)",
    "post": "import requests\n"
    'requests.post("http://h/v1/chat/completions", json={"messages": [{"role": "system", "content": TEXT}]})',
    "langchain": "from langchain_core.messages import SystemMessage\nfrom langchain_openai import ChatOpenAI\n"
    "ChatOpenAI().invoke([SystemMessage(TEXT)])",
    "pydantic-ai": "from pydantic_ai import Agent\nagent = Agent('openai:m', system_prompt=TEXT)",
    "openai-agents": "from agents import Agent\nagent = Agent(name='desk', instructions=TEXT)",
    "google-genai": "from google import genai\nfrom google.genai import types\ngenai.Client().models.generate_content(model='m', "
    "contents=q, config=types.GenerateContentConfig(system_instruction=TEXT))",
    "converse": "import boto3\nboto3.client('bedrock-runtime').converse(modelId='m', system=[{'text': TEXT}], messages=turns)",
    "ollama": "import ollama\nollama.chat(model='m', messages=[{'role': 'system', 'content': TEXT}])",
    "chat-template": "tokenizer.apply_chat_template([{'role': 'system', 'content': TEXT}], tokenize=False)",
}
SEND = 'import openai\nopenai.OpenAI().chat.completions.create(messages=[{"role": "system", "content": text}, *turns])\n'
NOW = "datetime.datetime.now()"
FLOWS = {
    "helper": ("RL201", f"def head():\n    return @@{NOW}\n\ntext = f'{{head()}} {{RULES}}'\n"),
    "helper-of-a-helper": (
        "RL201",
        f"def a():\n    return str(@@{NOW})\n\ndef b():\n    return 'Now ' + a()\n\ntext = b() + RULES\n",
    ),
    "default-argument": ("RL201", f"def head(at=@@{NOW}):\n    return f'{{at}}: {{RULES}}'\n\ntext = head()\n"),
    "closure": (
        "RL201",
        f"def head():\n    at = @@{NOW}\n    def inner():\n        return f'{{at}} {{RULES}}'\n    return inner()\n\n"
        "text = head()\n",
    ),
    "percent": ("RL201", f"text = 'At %s. %s' % (@@{NOW}, RULES)\n"),
    "format": ("RL201", f"text = 'At {{}}. {{}}'.format(@@{NOW}, RULES)\n"),
    "hash": ("RL306", "text = f'{@@hash(RULES)} {RULES}'\n"),
    "join-of-a-set": ("RL302", "text = @@', '.join({'a', 'b', 'c'}) + RULES\n"),
    "set-behind-sorted-keys": ("RL302", "words = {'a', 'b', 'c'}\ntext = json.dumps(@@list(words), sort_keys=True) + RULES\n"),
    "parts": ("RL201", f"parts = []\nparts.append(f'At {{@@{NOW}}}')\nparts.append(RULES)\ntext = '\\n'.join(parts)\n"),
    "substitute": ("RL201", f"from string import Template\ntext = Template('At $now. ' + RULES).substitute(now=@@{NOW})\n"),
    "render": ("RL201", f"import jinja2\ntext = jinja2.Template('At {{{{ now }}}}. ' + RULES).render(now=@@{NOW})\n"),
    "replace": ("RL201", f"text = ('At NOW. ' + RULES).replace('NOW', str(@@{NOW}))\n"),
    "listing": ("RL305", "text = ', '.join(@@os.listdir('.')) + RULES\n"),
    "shuffle": ("RL301", "shots = ['Q: a', 'Q: b']\n@@random.shuffle(shots)\ntext = '\\n'.join(shots) + RULES\n"),
    "dict-of-texts": ("RL201", f"texts = {{'head': str(@@{NOW}), 'rules': RULES}}\ntext = texts['head'] + texts['rules']\n"),
    "conditional": ("RL201", f"text = (str(@@{NOW}) if verbose else '') + RULES\n"),
    "augmented": ("RL201", f"text = f'At {{@@{NOW}}}'\ntext += RULES\n"),
}
CLEAN = {
    "behind": f"turns = [{{'role': 'user', 'content': str({NOW})}}]\ntext = RULES\n",
    "sorted-set": "text = ', '.join(sorted({'a', 'b', 'c'})) + RULES\n",
    "sorted-listing": "text = ', '.join(sorted(os.listdir('.'))) + RULES\n",
    "constant-seed": "text = ', '.join(random.Random(3).sample(['a', 'b', 'c'], 2)) + RULES\n",
    "fixed-day": "text = str(datetime.date(2026, 1, 1)) + RULES\n",
    "literal-keys": "text = json.dumps({'b': 1, 'a': 2}) + RULES\n",
    "logged": f"print({NOW})\ntext = RULES\n",
}


def _failures(folder: Path, code: str, **others: str) -> list[tuple[str, str, int, int]]:
    for name, text in others.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    (folder / "probe.py").write_text(code.replace("@@", ""), encoding="utf-8")
    report = check_paths(CheckOptions(arguments=(".",), settings=Settings(), start=folder))
    found = [f for f in report.findings if f.severity is not Severity.INFO]
    return [(f.rule, f.span.path, f.span.line, f.span.column) for f in found]


def _place(code: str, name: str = "probe.py") -> tuple[str, int, int]:
    ahead = code.partition("@@")[0]
    return name, ahead.count("\n") + 1, len(ahead) - ahead.rfind("\n")


@pytest.mark.parametrize("sink", SINKS)
def test_a_clock_ahead_of_the_rules_is_found_at_each_sink(sink: str, tmp_path: Path) -> None:
    """A clock first in the system text is RL201 where it is called, whatever sends the text."""
    code = CLOCK + RULES + SINKS[sink].replace("TEXT", f"f'{{@@{NOW}}} {{RULES}}'")

    assert _failures(tmp_path, code) == [("RL201", *_place(code))]


@pytest.mark.parametrize("sink", SINKS)
def test_fixed_text_is_silent_at_each_sink(sink: str, tmp_path: Path) -> None:
    """The same call with the rules alone has no warning."""
    assert _failures(tmp_path, CLOCK + RULES + SINKS[sink].replace("TEXT", "RULES")) == []


@pytest.mark.parametrize("flow", FLOWS)
def test_each_flow_is_followed(flow: str, tmp_path: Path) -> None:
    """What varies is found where it comes from, through whatever it flows into the system text."""
    rule, way = FLOWS[flow]
    code = CLOCK + RULES + way + SEND

    assert _failures(tmp_path, code) == [(rule, *_place(code))]


@pytest.mark.parametrize("way", CLEAN)
def test_what_does_not_vary_ahead_is_silent(way: str, tmp_path: Path) -> None:
    """Order that is fixed, chance with a seed, and a clock behind the text or in a log have no warning."""
    assert _failures(tmp_path, CLOCK + RULES + CLEAN[way] + SEND) == []


def test_attribute_of_an_object(tmp_path: Path) -> None:
    """A clock that a constructor keeps is found there when a method sends it."""
    code = f"{CLOCK}{RULES}import openai\n\nclass Desk:\n    def __init__(self):\n        self.at = @@{NOW}\n\n"
    code += "    def ask(self, q):\n"
    code += "        text = f'{self.at} {RULES}'\n        return openai.OpenAI().responses.create(instructions=text, input=q)\n"

    assert _failures(tmp_path, code) == [("RL201", *_place(code))]


def test_helper_of_another_file(tmp_path: Path) -> None:
    """A clock in an imported function is found in the file where it is called."""
    clock = "from datetime import datetime\n\ndef stamp():\n    return datetime.now().isoformat()\n"
    code = f"from clock import stamp\n{RULES}text = f'{{stamp()}} {{RULES}}'\n{SEND}"
    marked = clock.replace("datetime.now", "@@datetime.now")

    assert _failures(tmp_path, code, clock=clock) == [("RL201", *_place(marked, "clock.py"))]


def test_message_inserted_in_front(tmp_path: Path) -> None:
    """A message put ahead of all others for each question is RL705."""
    code = f"{CLOCK}{RULES}import openai\ndef ask(messages, question):\n"
    code += "    @@messages.insert(0, {'role': 'user', 'content': question})\n"
    code += "    return openai.OpenAI().chat.completions.create(messages=messages)\n"

    assert ("RL705", *_place(code)) in _failures(tmp_path, code)


@pytest.mark.parametrize(("value", "rule"), [("user_name", "RL101"), ("tenant.name", "RL951"), ("request.session_id", "RL202")])
def test_parameter_ahead_of_the_rules(value: str, rule: str, tmp_path: Path) -> None:
    """A parameter of a function is not fixed: it is found where it is first printed."""
    name = value.partition(".")[0]
    code = f"{CLOCK}{RULES}import openai\ndef ask({name}, turns):\n    text = f'{{@@{value}}}: {{RULES}}'\n"
    code += "    return openai.OpenAI().chat.completions.create(messages=[{'role': 'system', 'content': text}, *turns])\n"

    assert _failures(tmp_path, code) == [(rule, *_place(code))]


def test_environment_is_followed(tmp_path: Path) -> None:
    """A variable of the environment lives as long as the process: it is part of the prompt, and no fault."""
    code = f"{CLOCK}{RULES}text = os.environ['REGION'] + RULES\n{SEND}"

    assert _failures(tmp_path, code) == []
